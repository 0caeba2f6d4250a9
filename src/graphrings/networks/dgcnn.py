"""DGCNN (Zhang et al., 2018): Eq. (7) under SortPooling and a small 1-D convolutional head."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, cast

import torch
from torch import Tensor, nn

from graphrings.fused.lane import takes_fused_lane
from graphrings.fused.ring_answers import RingAnswers
from graphrings.fused.ring_stack import ring_stack
from graphrings.layers.ring_conv import RingConv
from graphrings.layers.sort_pool import Ties
from graphrings.layers.sum_conv import SumConv
from graphrings.networks.batches import Batch
from graphrings.networks.head import SortPoolHead, measure_k
from graphrings.networks.network import Network, View
from graphrings.networks.sort_pool_by_hand import SortPoolByHand
from graphrings.networks.stacked import stacked
from graphrings.networks.unshared import Unshared
from graphrings.networks.views import BallMeans, InNodeOrder, RingMeans


class DGCNN(Network):
    """Stacked convolutions, the layers side by side, SortPooling, 1-D convolutions, dense layers.

    The last layer has one channel and makes the sort key. A subclass says with which convolution,
    and what that sees.
    """

    training_settings: ClassVar[Mapping[str, Any]] = {"learning_rate": 3e-4}
    measure = staticmethod(measure_k)

    def __init__(
        self,
        n_features: int,
        n_outputs: int,
        k: int,
        *,
        channels: Sequence[int] = (32, 32, 32, 1),
        activation: str = "tanh",
        bias: bool = True,
        conv_channels: tuple[int, int] = (16, 32),
        dense: int = 128,
        dropout: float = 0.5,
        ties: Ties = "all",
    ) -> None:
        super().__init__()
        view, self.activation = self.sees(len(channels)), activation
        self.view = InNodeOrder(view) if ties == "last" else view
        self.convs, widths = nn.ModuleList(), [n_features]
        for c in channels:
            conv = self.convolution(widths[-1], c, bias)
            self.convs.append(conv)
            widths.append(conv.filters.out_features)
        self.head = SortPoolHead(
            widths[1:],
            n_outputs,
            k,
            conv_channels=conv_channels,
            dense=dense,
            dropout=dropout,
            ties=ties,
        )

    def sees(self, depth: int) -> View:
        """Rings 0 and 1 as one."""
        return BallMeans(depth)

    def convolution(self, width: int, channels: int, bias: bool) -> RingConv:
        """Eq. (7)."""
        return SumConv(width, channels, bias)

    def by_hand(self) -> SortPoolByHand | None:
        """In the fused lane, with the activation that it has in one step with the convolution."""
        if type(self).forward is not DGCNN.forward or not self._is_one_step(self.head.out.weight):
            return None
        return SortPoolByHand(self.convs, self.head)

    def _is_one_step(self, features: Tensor) -> bool:
        return self.activation == "tanh" and takes_fused_lane(features)

    def goes_unshared(self, features: Tensor) -> bool:
        """With rings alone, in single precision, where no subclass computes anything else."""
        own = type(self).forward is DGCNN.forward and isinstance(self.view, RingMeans)
        return own and features.dtype == torch.float32 and self._is_one_step(features)

    def answer(self, graphs: Unshared) -> Tensor:
        """Convolve without a gradient, sort, head."""
        bounds, most_nodes = graphs.bounds(), graphs.most_nodes()
        convolved = RingAnswers(graphs.table, *self._stacked(), most_nodes)
        pooled, out = self.head.pooled_answers(len(graphs.graph_ptr) - 1, most_nodes)
        for first, last in bounds:
            graph_ptr, part = graphs.part(first, last)
            pooled(*convolved(part), graph_ptr, out[first:last])
        return self.head.behind(torch.from_numpy(out), None)

    def forward(self, batch: Batch) -> Tensor:
        """Convolve, sort, head."""
        if self._is_one_step(batch.features):
            filtered, layers = ring_stack(batch.features, batch.rows, *self._stacked())
        else:
            filtered, layers = None, stacked(self.convs, batch, self.activation)
        outputs: Tensor = self.head(layers, batch, filtered)
        return outputs

    def _stacked(self) -> tuple[list[tuple[Tensor, Tensor | None]], Tensor]:
        """The filters of all layers, and what the head's first filter makes of them."""
        filters = [cast(RingConv, conv).filters for conv in self.convs]
        return [(part.weight, part.bias) for part in filters], self.head.rows.filters.weight
