"""GIN (Xu et al., 2019): sums over neighbours under small perceptrons, read from every layer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from graphrings.distances.rings import Rings
from graphrings.layers.gin_conv import GINConv
from graphrings.layers.row_norm import RowNorm
from graphrings.networks.batches import Batch
from graphrings.networks.network import RADIUS_OR_NONE, Network
from graphrings.networks.readout import Readout, pooled
from graphrings.networks.views import RingSums

Counts = NDArray[np.int64]


class GINLayer(nn.Module):
    """Sum, dense, norm, ReLU, dense, norm, ReLU; norms over nodes, as the authors' code has them.

    Shapes: ``h`` is (n, in), the result (n, out).
    """

    def __init__(self, width: int, out: int, radius: int | None, learn_epsilon: bool) -> None:
        super().__init__()
        self.conv = GINConv(width, out, radius, learn_epsilon)
        self.inner_norm = RowNorm(out)
        self.second = nn.Linear(out, out, bias=False)  # the norms bring the biases
        self.norm = RowNorm(out)

    def forward(self, h: Tensor, rings: Rings, counts: Counts | None = None) -> Tensor:
        """``counts`` says how many nodes a row of the result stands for."""
        x = self.inner_norm(self.conv(h, rings), counts, relu=True)
        out: Tensor = self.norm(self.second(x), counts, relu=True)
        return out


class GIN(Network):
    """Stacked layers; the graph's sum (or mean) of each, also of the features, gives scores.

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
        self.scores = nn.ModuleList(nn.Linear(width, n_classes) for width in widths)
        self.readout, self.dropout = readout, dropout

    def forward(self, batch: Batch) -> Tensor:
        """The scores of every graph of the batch: the sum of those of all layers."""
        h, rows = batch.features, [batch.features]
        for layer, near, counts in zip(self.layers, batch.rings, batch.counts()[1:], strict=True):
            h = layer(h, near, counts)
            rows.append(h)
        parts = zip(self.scores, pooled(rows, batch, self.readout), strict=True)
        found = [functional.dropout(score(x), self.dropout, self.training) for score, x in parts]
        return sum(found[1:], found[0])
