"""DGCNN (Zhang et al., 2018): Eq. (7) in the place of Eq. (10), everything else the same."""

from __future__ import annotations

from collections.abc import Sequence

from graphrings.layers.sort_pool import Ties
from graphrings.networks.network import View
from graphrings.networks.pgc_dgcnn import PGCDGCNN
from graphrings.networks.views import BallMeans


class DGCNN(PGCDGCNN):
    """Stacked Eq. (7): the closed neighbourhood of a node is its only ring, of radius 0."""

    def __init__(
        self,
        n_features: int,
        n_classes: int,
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
        super().__init__(
            n_features,
            n_classes,
            k,
            radius=0,
            channels=channels,
            activation=activation,
            bias=bias,
            conv_channels=conv_channels,
            dense=dense,
            dropout=dropout,
            ties=ties,
        )

    def sees(self, depth: int, radius: int) -> View:
        """Rings 0 and 1 as one."""
        del radius
        return BallMeans(depth)
