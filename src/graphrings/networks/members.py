"""Several networks of one architecture that answer together."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from graphrings.networks.batches import Batch
from graphrings.networks.network import Network


def mean_probabilities(outputs: Tensor) -> Tensor:
    """The logarithms of the mean probabilities of classes, whose softmax they are."""
    logs = functional.log_softmax(outputs, dim=2)
    return torch.logsumexp(logs, dim=0) - math.log(len(outputs))


def mean_values(outputs: Tensor) -> Tensor:
    """The mean over the members."""
    return outputs.mean(dim=0)


AVERAGES: Mapping[str, Callable[[Tensor], Tensor]] = {
    "classification": mean_probabilities,
    "regression": mean_values,
}


class Members(Network):
    """Networks that differ in their weights; their probabilities, or values, are averaged."""

    def __init__(self, networks: Sequence[Network], task: str) -> None:
        super().__init__()
        self.members, self.task = nn.ModuleList(networks), task
        self.view, self.stages = networks[0].view, networks[0].stages

    def forward(self, batch: Batch) -> Tensor:
        """Ask everyone, then average."""
        return AVERAGES[self.task](torch.stack([member(batch) for member in self.members]))
