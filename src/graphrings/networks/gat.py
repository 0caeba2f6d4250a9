"""GAT (Velickovic et al., 2018) for graphs: attention stacked, all layers side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, cast

from torch import Tensor, nn

from graphrings.fused.activations import WRITTEN_OUT
from graphrings.fused.lane import takes_fused_lane
from graphrings.layers.gat_conv import GATConv, gat_layers
from graphrings.networks.batches import Batch
from graphrings.networks.network import Network
from graphrings.networks.pooled_by_hand import GATByHand
from graphrings.networks.readout import DenseHead, pooled
from graphrings.networks.settings import RADIUS_OR_NONE
from graphrings.networks.stacked import stacked
from graphrings.networks.views import RingTotals
from graphrings.settings import FAR, Settings, whole


class GAT(Network):
    """Stacked Eq. (11)-(13), the means of all layers over nodes concatenated, dense layers.

    ``channels`` are those of one head; the heads are concatenated, and averaged in the last layer.
    The original classifies nodes: the readout is that of NN4G, the head ours. Its dropout of
    inputs and attention coefficients is left out; ours is in the head. A ``radius`` makes it
    parametric: attention inside every distance ring.
    """

    settings: ClassVar[Settings] = {
        "radius": RADIUS_OR_NONE,
        "heads": whole("attentions side by side in every layer", most=FAR),
    }

    def __init__(
        self,
        n_features: int,
        n_outputs: int,
        *,
        channels: Sequence[int] = (8, 8, 32),
        heads: int = 4,
        radius: int | None = None,
        activation: str = "elu",
        dense: int = 128,
        dropout: float = 0.5,
    ) -> None:
        super().__init__()
        self.view = RingTotals(len(channels), 1 if radius is None else radius)
        self.activation = activation
        self.convs, widths = nn.ModuleList(), [n_features]
        for number, c in enumerate(channels, start=1):
            last = number == len(channels)
            conv = GATConv(widths[-1], c, heads, radius=radius, average=last)
            self.convs.append(conv)
            widths.append(conv.width)
        self.head = DenseHead(sum(widths[1:]), n_outputs, dense, dropout)

    def by_hand(self) -> GATByHand | None:
        """In the fused lane, with an activation whose gradient is written out."""
        if not self._is_one_step(next(self.parameters())) or type(self).forward is not GAT.forward:
            return None
        return GATByHand(self._layers(), self.activation, self.head)

    def _is_one_step(self, features: Tensor) -> bool:
        return self.activation in WRITTEN_OUT and takes_fused_lane(features)

    def _layers(self) -> list[GATConv]:
        return [cast(GATConv, conv) for conv in self.convs]

    def forward(self, batch: Batch) -> Tensor:
        """Convolve, average, head."""
        layers = (
            gat_layers(batch.features, self._layers(), batch.rows, self.activation)
            if self._is_one_step(batch.features)
            else stacked(self.convs, batch, self.activation)
        )
        outputs: Tensor = self.head(pooled(layers, batch))
        return outputs
