"""PGC-DGCNN: DGCNN with parametric graph convolutions, Eq. (10)."""

from __future__ import annotations

from typing import Any, ClassVar

from graphrings.layers.ring_conv import RingConv
from graphrings.networks.dgcnn import DGCNN
from graphrings.networks.network import View
from graphrings.networks.settings import RING_ACTIVATION
from graphrings.networks.views import RingMeans
from graphrings.settings import Settings


class PGCDGCNN(DGCNN):
    """Stacked Eq. (10), everything else as in DGCNN.

    ``channels`` are those of one ring: layer l is (r + 1) * channels[l] wide. The other settings
    are those of ``DGCNN``.
    """

    settings: ClassVar[Settings] = {"activation": RING_ACTIVATION}

    def __init__(
        self, n_features: int, n_outputs: int, k: int, *, radius: int = 2, **settings: Any
    ) -> None:
        self.radius = radius
        super().__init__(n_features, n_outputs, k, **settings)

    def sees(self, depth: int) -> View:
        """The distance rings, SP^j."""
        return RingMeans(depth, self.radius)

    def convolution(self, width: int, channels: int, bias: bool) -> RingConv:
        """Eq. (10)."""
        return RingConv(width, channels, self.radius, bias)
