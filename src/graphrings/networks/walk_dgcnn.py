"""PGC-DGCNN with walks in the place of rings: the alternative that the paper decides against."""

from collections.abc import Mapping
from typing import Any, ClassVar

from graphrings.networks.network import View
from graphrings.networks.pgc_dgcnn import PGCDGCNN
from graphrings.networks.views import WalkMeans


class WalkDGCNN(PGCDGCNN):
    r"""Stacked Eq. (10) with :math:`A^j` for :math:`SP^j`, everything else the same.

    A mean is over the ends of all walks of j steps, also those that come back on their way:
    Section IV calls it tottering. Up to j = 1 both are the same.
    """

    training_settings: ClassVar[Mapping[str, Any]] = {}  # the general ones

    def sees(self, depth: int) -> View:
        """The powers of A."""
        return WalkMeans(depth, self.radius)
