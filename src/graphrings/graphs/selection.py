"""Some graphs of a dataset whose structure is computed once for all of its graphs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import DatasetError
from graphrings.graphs.array_cache import ArrayCache
from graphrings.graphs.check import within
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

    def __post_init__(self) -> None:
        """Refuse numbers of graphs that the dataset does not have."""
        if not (isinstance(self.dataset, Dataset) and isinstance(self.cache, ArrayCache)):
            kinds = f"{type(self.dataset).__name__} with a {type(self.cache).__name__}"
            raise DatasetError(f"a selection of a {kinds}; expected a Dataset with an ArrayCache")
        numbers = np.asarray(self.graphs)
        if numbers.size == 0:
            numbers = numbers.astype(np.int64)
        whole = numbers.ndim == 1 and numbers.dtype.kind in "iu"
        if not whole or not within(numbers, len(self.dataset)):
            raise DatasetError(
                f"{self.dataset.name}: a selection of graphs that are not of 0 to "
                f"{len(self.dataset) - 1}"
            )
        object.__setattr__(self, "graphs", numbers.astype(np.int64, copy=False))

    def __len__(self) -> int:
        return len(self.graphs)

    def cut_out(self) -> Dataset:
        """The selected graphs as a dataset of their own; where it is all of them, the dataset."""
        everything = np.arange(len(self.dataset))
        return (
            self.dataset if np.array_equal(self.graphs, everything) else self.dataset[self.graphs]
        )
