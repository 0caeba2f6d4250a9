"""Networks with shared rows and without: what an exact quotient must not change."""

from dataclasses import replace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

import graphrings as gr
from graphrings.distances.weights import by_colour
from graphrings.graphs.features import fit_features
from graphrings.networks.batches import Batch, Batcher
from graphrings.networks.network import View


def batch_of(view: View, dataset: gr.Dataset, features: str, shared: bool = True) -> Batch:
    """All graphs in one batch, with a row per colour or per node, features in double precision."""
    start, table = fit_features(dataset, features).apply(dataset)
    if not shared:
        start, table = np.arange(dataset.n_nodes), table[start]
    levels = view(dataset, start)
    batch = Batcher(levels, table[by_colour(levels, 0, start)])(np.arange(len(dataset)))
    return replace(batch, features=batch.features.double())


def outputs_and_gradients(network: nn.Module, batch: Batch) -> tuple[Tensor, list[Tensor]]:
    """The outputs of a batch, and the gradients of a sum that none of them drops out of."""
    result: Any = network(batch)
    weights = torch.linspace(-1, 2, result.numel()).view_as(result)
    grads = torch.autograd.grad((result * weights).sum(), list(network.parameters()))
    return result.detach(), list(grads)


def assert_sharing_changes_nothing(network: Any, dataset: gr.Dataset, features: str) -> None:
    """Outputs and gradients are those of a network with one row per node."""
    network = network.double()
    one, other = (batch_of(network.view, dataset, features, shared) for shared in (True, False))
    assert len(one.members) < len(other.members) == dataset.n_nodes
    result, expected = (outputs_and_gradients(network, batch) for batch in (one, other))
    torch.testing.assert_close(result[0], expected[0], rtol=1e-5, atol=1e-6)
    for ours, theirs in zip(result[1], expected[1], strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-5)
