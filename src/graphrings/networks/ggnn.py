"""GGNN (Li et al., 2016): gated steps with shared weights, a gated sum over nodes."""

from __future__ import annotations

import operator

import torch
from torch import Tensor, nn
from torch.nn import functional

from graphrings.layers.ggnn_conv import GGNNConv
from graphrings.networks.batches import Batch
from graphrings.networks.network import Network
from graphrings.networks.readout import DenseHead, pooled
from graphrings.networks.views import RingSums


class GGNN(Network):
    r"""T ``steps`` of one GRU from the features, then Eq. (7) and a dense head.

    .. math:: h_G = \sum_v \sigma(i(h_v^T, x_v)) \odot \tanh(j(h_v^T, x_v))

    A state has ``width`` numbers: the features, then zeros; more features than that pass through a
    matrix first, which the original does not have. Its tanh around the sum is left out, since it
    would be flat for all but the smallest graphs; the hidden layer after the sum is ours. Edges
    have one type and no direction: their labels are not used.
    """

    checks = {  # noqa: RUF012
        "width": ("a whole number above 0", lambda v: operator.index(v) >= 1),
        "steps": ("a whole number above 0", lambda v: operator.index(v) >= 1),
    }

    def __init__(
        self,
        n_features: int,
        n_classes: int,
        *,
        width: int = 64,
        steps: int = 5,
        dense: int = 128,
        dropout: float = 0.5,
    ) -> None:
        super().__init__()
        self.view = RingSums(steps, radius=1)
        self.width = width
        self.embedding = nn.Linear(n_features, width) if n_features > width else None
        self.conv = GGNNConv(width)
        self.gate = nn.Linear(width + n_features, width)
        self.value = nn.Linear(width + n_features, width)
        self.head = DenseHead(width, n_classes, dense, dropout)

    def forward(self, batch: Batch) -> Tensor:
        """The scores of every graph of the batch."""
        x, h = batch.features, self.first_state(batch.features)
        for near, parents in zip(batch.rings, batch.parents, strict=True):
            h = self.conv(h, near)
            x = x.index_select(0, torch.from_numpy(parents))
        both = torch.cat([h, x], dim=1)
        gated = torch.sigmoid(self.gate(both)) * torch.tanh(self.value(both))
        scores: Tensor = self.head(pooled([gated], batch, "sum"))
        return scores

    def first_state(self, x: Tensor) -> Tensor:
        """The features with zeros behind, or what a matrix makes of them."""
        if self.embedding is None:
            return functional.pad(x, (0, self.width - x.shape[1]))
        found: Tensor = self.embedding(x)
        return found
