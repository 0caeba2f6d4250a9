"""DGCNN (Zhang et al., 2018): Eq. (7) in the place of Eq. (10), everything else the same."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.distances.levels import Levels, levels
from graphrings.distances.rings import rings
from graphrings.graphs.dataset import Dataset
from graphrings.networks.pgc_dgcnn import PGCDGCNN


class DGCNN(PGCDGCNN):
    """Stacked Eq. (7): the closed neighbourhood of a node is its only ring, of radius 0."""

    def __init__(self, n_features: int, n_classes: int, k: int, **settings: Any) -> None:
        super().__init__(n_features, n_classes, k, **{**settings, "radius": 0})

    @staticmethod
    def structure(dataset: Dataset, start: NDArray[np.int64], depth: int, radius: int) -> Levels:
        """Colours by rings 0 and 1, which are averaged together."""
        del radius  # the neighbours are all that Eq. (7) sees
        near = rings(dataset, 1)
        return levels(dataset.graph_ptr, near, start, depth, averaged=near.joined())
