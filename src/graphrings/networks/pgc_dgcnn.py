"""PGC-DGCNN: parametric graph convolutions under SortPooling and a small 1-D convolutional head."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from torch import Tensor, nn

from graphrings.layers.ring_conv import RingConv
from graphrings.layers.ring_stack import ring_stack
from graphrings.layers.sort_pool import Ties
from graphrings.networks.batches import Batch
from graphrings.networks.head import SortPoolHead, measure_k
from graphrings.networks.network import Network, View
from graphrings.networks.views import RingMeans


class PGCDGCNN(Network):
    """Stacked Eq. (10), the layers side by side, SortPooling, 1-D convolutions, dense layers.

    ``channels`` are those of one ring: layer l is (r + 1) * channels[l] wide. The last layer has
    one channel and makes the sort key.
    """

    measure = staticmethod(measure_k)

    def __init__(
        self,
        n_features: int,
        n_classes: int,
        k: int,
        *,
        radius: int = 2,
        channels: Sequence[int] = (32, 32, 32, 1),
        activation: str = "tanh",
        bias: bool = True,
        conv_channels: tuple[int, int] = (16, 32),
        dense: int = 128,
        dropout: float = 0.5,
        ties: Ties = "all",
    ) -> None:
        super().__init__()
        self.view = self.sees(len(channels), radius)
        widths = [(radius + 1) * c for c in channels]
        self.convs = nn.ModuleList(
            RingConv(width, c, radius, bias)
            for width, c in zip([n_features, *widths[:-1]], channels, strict=True)
        )
        self.activation = activation
        self.head = SortPoolHead(
            widths,
            n_classes,
            k,
            conv_channels=conv_channels,
            dense=dense,
            dropout=dropout,
            ties=ties,
        )

    def sees(self, depth: int, radius: int) -> View:
        """What there is in the place of SP^j."""
        return RingMeans(depth, radius)

    def forward(self, batch: Batch) -> Tensor:
        """The scores of every graph of the batch."""
        convs = [cast(RingConv, conv) for conv in self.convs]
        if self.activation == "tanh" and batch.features.device.type == "cpu":
            weight = self.head.rows.filters.weight
            filtered, layers = ring_stack(batch.features, batch.rings, convs, weight)
        else:
            h, layers = batch.features, []
            for conv, near in zip(convs, batch.rings, strict=True):
                h = conv(h, near, self.activation)
                layers.append(h)
            filtered = self.head.rows.filter(layers)
        return self.head(layers, filtered, batch)  # type: ignore[no-any-return]
