"""GCN (Kipf and Welling, 2017) for graphs: Eq. (6) stacked, all layers side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, cast

from torch import Tensor, nn

from graphrings.fused.filter_stack import filter_stack
from graphrings.fused.lane import takes_fused_lane
from graphrings.fused.ring_filter import WITHIN
from graphrings.layers.gcn_conv import GCNConv
from graphrings.networks.batches import Batch
from graphrings.networks.head import SortPoolHead, measure_k
from graphrings.networks.network import Network
from graphrings.networks.pooled_by_hand import GCNByHand
from graphrings.networks.readout import DenseHead, pooled
from graphrings.networks.settings import RADIUS_OR_NONE
from graphrings.networks.stacked import stacked
from graphrings.networks.views import SymmetricSums
from graphrings.settings import Settings, one_of


class GCN(Network):
    """Stacked Eq. (6), layers concatenated, the mean over nodes (or SortPooling), dense layers.

    The original classifies nodes; the readout and the head are ours. A ``radius`` makes it
    parametric: a block of filters for every distance ring.
    """

    settings: ClassVar[Settings] = {
        "radius": RADIUS_OR_NONE,
        "readout": one_of("the mean over nodes, or SortPooling", ("mean", "sort")),
    }
    measure = staticmethod(measure_k)

    def __init__(
        self,
        n_features: int,
        n_outputs: int,
        k: int,
        *,
        channels: Sequence[int] = (32, 32, 32),
        radius: int | None = None,
        activation: str = "relu",
        bias: bool = True,
        readout: str = "mean",
        conv_channels: tuple[int, int] = (16, 32),
        dense: int = 128,
        dropout: float = 0.5,
    ) -> None:
        super().__init__()
        self.view = SymmetricSums(len(channels), radius)
        widths = [(1 if radius is None else radius + 1) * c for c in channels]
        self.convs = nn.ModuleList(
            GCNConv(width, c, bias, radius)
            for width, c in zip([n_features, *widths[:-1]], channels, strict=True)
        )
        self.activation = activation
        self.head: nn.Module = (
            DenseHead(sum(widths), n_outputs, dense, dropout)
            if readout == "mean"
            else SortPoolHead(
                widths, n_outputs, k, conv_channels=conv_channels, dense=dense, dropout=dropout
            )
        )

    def by_hand(self) -> GCNByHand | None:
        """In the fused lane, with means, and an activation that it has in one step with a layer."""
        head = self._one_step_head(next(self.parameters()))
        if head is None or type(self).forward is not GCN.forward:
            return None
        return GCNByHand(self.convs, self.activation, head)

    def _one_step_head(self, features: Tensor) -> DenseHead | None:
        """The head, where all layers are one step and the head is another."""
        means = isinstance(self.head, DenseHead) and self.activation in WITHIN
        return cast(DenseHead, self.head) if means and takes_fused_lane(features) else None

    def forward(self, batch: Batch) -> Tensor:
        """Convolve, average or sort, head."""
        if head := self._one_step_head(batch.features):
            filters = [cast(GCNConv, conv).block_filters() for conv in self.convs]
            layers = filter_stack(batch.features, batch.rows, filters, self.activation)
            outputs: Tensor = head(pooled(layers, batch))
            return outputs
        layers = stacked(self.convs, batch, self.activation)
        if isinstance(self.head, SortPoolHead):
            outputs = self.head(layers, batch)
        else:
            outputs = self.head(pooled(layers, batch))
        return outputs
