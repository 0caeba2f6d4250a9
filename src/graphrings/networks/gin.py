"""GIN (Xu et al., 2019): sums over neighbours under small perceptrons, read from every layer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from graphrings.layers.gin_layer import GINLayer, gin_stack
from graphrings.networks.batches import Batch
from graphrings.networks.network import RADIUS_OR_NONE, Network
from graphrings.networks.readout import Readout, pooled
from graphrings.networks.views import RingSums


class GIN(Network):
    """Stacked layers; the graph's sums (or means) of all, also of the features, give scores.

    The authors drop scores of layers at random; we drop what the scores are made from.
    A ``radius`` makes it parametric: every perceptron sees the sums of all distance rings.
    """

    checks = {  # noqa: RUF012
        "radius": RADIUS_OR_NONE,
        "readout": ("sum or mean", lambda v: v in ("sum", "mean")),
        "learn_epsilon": ("True or False", lambda v: isinstance(v, bool)),
    }

    def __init__(
        self,
        n_features: int,
        n_classes: int,
        *,
        channels: Sequence[int] = (32, 32, 32, 32),
        radius: int | None = None,
        learn_epsilon: bool = False,
        readout: Readout = "sum",
        dropout: float = 0.5,
    ) -> None:
        super().__init__()
        self.view = RingSums(len(channels), 1 if radius is None else radius)
        widths = [n_features, *channels]
        self.layers = nn.ModuleList(
            GINLayer(width, c, radius, learn_epsilon)
            for width, c in zip(widths[:-1], channels, strict=True)
        )
        self.out = nn.Linear(sum(widths), n_classes)
        self.readout, self.dropout = readout, dropout

    def forward(self, batch: Batch) -> Tensor:
        """The scores of every graph of the batch, in which all layers have a part."""
        layers = [cast(GINLayer, layer) for layer in self.layers]
        rows = gin_stack(batch.features, layers, batch.rings, batch.counts()[1:])
        x = torch.cat(pooled([batch.features, *rows], batch, self.readout), dim=1)
        scores: Tensor = self.out(functional.dropout(x, self.dropout, self.training))
        return scores
