"""PGC-DGCNN with walks in the place of rings: the alternative that the paper decides against."""

from graphrings.networks.network import RADIUS, View
from graphrings.networks.pgc_dgcnn import PGCDGCNN
from graphrings.networks.views import WalkMeans


class WalkDGCNN(PGCDGCNN):
    r"""Stacked Eq. (10) with :math:`A^j` for :math:`SP^j`, everything else the same.

    A mean is over the ends of all walks of j steps, also those that come back on their way:
    Section IV calls it tottering. Up to j = 1 both are the same.
    """

    checks = {"radius": RADIUS}  # noqa: RUF012

    def sees(self, depth: int, radius: int) -> View:
        """The powers of A."""
        return WalkMeans(depth, radius)
