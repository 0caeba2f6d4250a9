"""Some graphs of a dataset that stand for all of them, to time a fit on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from graphrings.graphs.array_cache import ArrayCache
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.selection import Selection
from graphrings.protocol.folds import Split
from graphrings.protocol.nested import Part
from graphrings.tasks import Task

SMALLEST, GROWS = 20, 5  # graphs, and how much larger the next sample is
SEED = 0
VALIDATES = 5  # every so manieth graph


class Sample:
    """The first graphs of an order in which every stratum has its share from the start.

    It holds no graph of the test fold, and two graphs of every stratum, if there are two.
    """

    def __init__(self, dataset: Dataset, split: Split, task: Task) -> None:
        self._dataset, self._task = dataset, task
        self._known = np.concatenate([split.training, split.validation])
        numbers = task.numbers(dataset)[self._known]
        strata = task.strata(numbers, VALIDATES)
        self._order, self._n_sure = interleaved(strata)

    def sizes(self) -> Iterator[int]:
        """Numbers of graphs: several times as many each time, up to all that are not tested."""
        size = max(SMALLEST, self._n_sure)
        while size < len(self._order):
            yield size
            size *= GROWS
        yield len(self._order)

    def parts(self, size: int, cache: ArrayCache) -> tuple[Part, Part]:
        """So many graphs to fit on and to validate on, as a dataset of their own."""
        chosen = self._known[self._order[:size]]
        some = self._dataset[chosen]
        targets, n_classes = self._task.numbers(some), len(self._task.class_names(some))
        blind, places = some.changed(targets=None), np.arange(len(some))
        validates = (places % VALIDATES == VALIDATES - 1) & (places >= self._n_sure)
        validates[-1] = True
        training, validation = (
            Part(Selection(blind, places[part], cache), targets[part], n_classes)
            for part in (~validates, validates)
        )
        return training, validation

    @property
    def n_known_nodes(self) -> int:
        """The nodes of all graphs that are not tested."""
        return self.n_nodes(len(self._order))

    @property
    def n_all_nodes(self) -> int:
        """The nodes of the whole dataset."""
        return self._dataset.n_nodes

    def n_nodes(self, size: int) -> int:
        """The nodes of so many graphs."""
        return int(self._dataset.sizes[self._known[self._order[:size]]].sum())


def interleaved(strata: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """An order of which every beginning has its share of every stratum.

    The second value says how many places the first two of every stratum take, which come first.
    """
    shuffled = np.random.default_rng(SEED).permutation(len(strata))
    names, stratum, counts = np.unique(strata[shuffled], return_inverse=True, return_counts=True)
    by_stratum = np.argsort(stratum, kind="stable")
    rank = np.empty(len(strata), dtype=np.int64)
    rank[by_stratum] = np.arange(len(strata)) - np.repeat(np.cumsum(counts) - counts, counts)
    share = (rank + 0.5) / counts[stratum]
    order = shuffled[np.lexsort([share, rank >= 2])]
    return order, int(np.minimum(counts, 2).sum()) if len(names) else 0
