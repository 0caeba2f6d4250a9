"""PGC-DGCNN with walks in the place of rings: the alternative that the paper decides against."""

from __future__ import annotations

from collections.abc import Sequence

from graphrings.layers.sort_pool import Ties
from graphrings.networks.network import RADIUS
from graphrings.networks.pgc_dgcnn import PGCDGCNN
from graphrings.networks.views import WalkMeans


class WalkDGCNN(PGCDGCNN):
    r"""Stacked Eq. (10) with :math:`A^j` for :math:`SP^j`, everything else the same.

    A mean is over the ends of all walks of j steps, also those that come back on their way:
    Section IV calls it tottering. Up to j = 1 both are the same.
    """

    checks = {"radius": RADIUS}  # noqa: RUF012

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
        super().__init__(
            n_features,
            n_classes,
            k,
            radius=radius,
            channels=channels,
            activation=activation,
            bias=bias,
            conv_channels=conv_channels,
            dense=dense,
            dropout=dropout,
            ties=ties,
        )
        self.view = WalkMeans(len(channels), radius)
