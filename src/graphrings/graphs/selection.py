"""Some graphs of a dataset whose structure is computed once for all of its graphs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphrings.graphs.array_cache import ArrayCache
from graphrings.graphs.dataset import Dataset


@dataclass(frozen=True, eq=False)
class Selection:
    """The graphs with some numbers, left where they are.

    ``dataset[graphs]`` has the same graphs, but everything about them must be computed anew. The
    folds of a cross-validation are selections of one dataset with one ``cache``.
    """

    dataset: Dataset
    graphs: NDArray[np.int64]
    cache: ArrayCache

    def __len__(self) -> int:
        return len(self.graphs)

    def cut_out(self) -> Dataset:
        """The selected graphs as a dataset of their own."""
        return self.dataset[self.graphs]
