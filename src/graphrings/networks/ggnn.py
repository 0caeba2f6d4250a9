"""GGNN (Li et al., 2016): gated steps with shared weights, a gated sum over nodes."""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional

from graphrings.fused.dense_stack import dense_stack
from graphrings.fused.gated_rows import gated_rows
from graphrings.fused.gated_steps import gated_steps
from graphrings.fused.lane import takes_fused_lane
from graphrings.layers.ggnn_conv import GGNNConv
from graphrings.layers.on_device import rows_at
from graphrings.networks.batches import Batch
from graphrings.networks.gated_by_hand import GGNNByHand
from graphrings.networks.network import Network
from graphrings.networks.readout import DenseHead, pooled
from graphrings.networks.views import RingTotals
from graphrings.settings import FAR, Settings, whole


class GGNN(Network):
    r"""T ``steps`` of one GRU from the features, then Eq. (7) and a dense head.

    .. math:: h_G = \sum_v \sigma(i(h_v^T, x_v)) \odot \tanh(j(h_v^T, x_v))

    A state has ``width`` numbers: the features, then zeros; more features than that pass through a
    matrix first, which the original does not have. Its tanh around the sum is left out, since it
    would be flat for all but the smallest graphs; the hidden layer after the sum is ours. Edges
    have one type and no direction: their labels are not used.
    """

    settings: ClassVar[Settings] = {
        "steps": whole("gated steps, which share their weights", most=FAR)
    }

    def __init__(
        self,
        n_features: int,
        n_outputs: int,
        *,
        width: int = 64,
        steps: int = 5,
        dense: int = 128,
        dropout: float = 0.5,
    ) -> None:
        super().__init__()
        self.view = RingTotals(steps, radius=1)
        self.width = width
        self.embedding = nn.Linear(n_features, width) if n_features > width else None
        self.conv = GGNNConv(width)
        self.gate = nn.Linear(width + n_features, width)
        self.value = nn.Linear(width + n_features, width)
        self.head = DenseHead(width, n_outputs, dense, dropout)

    def by_hand(self) -> GGNNByHand | None:
        """In the fused lane."""
        if not takes_fused_lane(self.head.out.weight) or type(self).forward is not GGNN.forward:
            return None
        return GGNNByHand(self.embedding, self.conv, (self.gate, self.value), self.head)

    def forward(self, batch: Batch) -> Tensor:
        """Step by step, then the gated sum, head."""
        if takes_fused_lane(batch.features):
            return self._in_few_steps(batch)
        x, h = batch.features, self.first_state(batch.features)
        for near, parents in zip(batch.rows, batch.parents, strict=True):
            h = self.conv(h, near)
            x = rows_at(x, parents)
        both = torch.cat([h, x], dim=1)
        gated = torch.sigmoid(self.gate(both)) * torch.tanh(self.value(both))
        outputs: Tensor = self.head(pooled([gated], batch, "sum"))
        return outputs

    def _in_few_steps(self, batch: Batch) -> Tensor:
        x, linear = batch.features, (self.gate, self.value)
        h = x if self.embedding is None else dense_stack(x, [affine(self.embedding)])
        h = gated_steps(h, batch.rows, self.conv.parameters_in_order())
        maps = [parameter for part in linear for parameter in affine(part)]
        gated = gated_rows(h, x, batch.first_rows(), maps)
        outputs: Tensor = self.head(pooled([gated], batch, "sum"))
        return outputs

    def first_state(self, x: Tensor) -> Tensor:
        """The features with zeros behind, or what a matrix makes of them."""
        if self.embedding is None:
            return functional.pad(x, (0, self.width - x.shape[1]))
        state: Tensor = self.embedding(x)
        return state


def affine(linear: nn.Linear) -> tuple[Tensor, Tensor]:
    """Weight and bias of a linear map."""
    return linear.weight, linear.bias
