"""Training on more graphs than memory holds the rings of: some at a time, anew in every epoch.

A shard is what the next batches are made of. Its graphs are cut out, also of arrays that lie on
disk, their rings and levels are computed, and dropped when its batches are done.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphrings.distances.levels import Levels
from graphrings.distances.levels_as_arrays import levels_to_arrays
from graphrings.errors import UnseenLabelWarning
from graphrings.graphs.dataset import Dataset
from graphrings.networks.batches import Batch, Batcher

AT_ONCE = 1000  # graphs of a shard: more are slower, since they leave the processor's cache
ASKED = 50  # of so many graphs one is looked at, to see how much memory all of them would take
PASSING = 2.0  # times what levels take is in use while they are computed
NEIGHBOURS = 100  # graphs that lie side by side on disk and go together into a window
NODES_OF_PART = 2_000_000  # of graphs that are cut out together to learn which features there are

Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Shards:
    """Makes batches as a ``Batcher`` does, of a dataset of which it looks at a shard at a time.

    ``make`` makes the batcher of a shard, which has at most ``at_once`` graphs, or those of one
    batch. An epoch has the order that a training in memory has, unless there are more than
    ``window`` graphs: then runs of neighbours are shuffled, and the graphs inside every window of
    such runs. Either way the order depends on the seed alone.
    """

    dataset: Dataset
    make: Callable[[Dataset], Batcher]
    at_once: int
    window: int

    def shuffled(self, graphs: Numbers, rng: np.random.Generator) -> Numbers:
        """Graphs in the order of an epoch."""
        if len(graphs) <= self.window:
            return rng.permutation(graphs)
        runs = np.split(graphs, range(NEIGHBOURS, len(graphs), NEIGHBOURS))
        order = np.concatenate([runs[number] for number in rng.permutation(len(runs))])
        windows = np.split(order, range(self.window, len(order), self.window))
        return np.concatenate([rng.permutation(window) for window in windows])

    def each(self, groups: Iterable[Numbers]) -> Iterator[Batch]:
        """The batch of every group of graphs."""
        for shard in self._shards(groups):
            chosen = np.sort(np.concatenate(shard))  # as they lie on disk
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UnseenLabelWarning)  # said before the first epoch
                batcher = self.make(self.dataset[chosen])
            for group in shard:
                yield batcher(np.searchsorted(chosen, group))
            del batcher  # before the next one is made

    def _shards(self, groups: Iterable[Numbers]) -> Iterator[list[Numbers]]:
        """Groups that follow one another, with no more graphs than may be looked at together."""
        shard, n_graphs = list[Numbers](), 0
        for group in groups:
            if shard and n_graphs + len(group) > self.at_once:
                yield shard
                shard, n_graphs = [], 0
            shard.append(group)
            n_graphs += len(group)
        if shard:
            yield shard


def bytes_per_node(levels: Callable[[Dataset], Levels], dataset: Dataset) -> float:
    """What levels and a batcher of them take while they are made, by some graphs of a dataset."""
    asked = dataset[::ASKED]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenLabelWarning)  # said when all graphs are looked at
        made = levels(asked)
    arrays = levels_to_arrays(made).values()
    in_use = sum(values.nbytes for values in arrays) + 8 * sum(made.n_colours)
    return PASSING * in_use / max(1, asked.n_nodes)


def shards_within(
    memory: int, per_node: float, dataset: Dataset, make: Callable[[Dataset], Batcher]
) -> Shards:
    """Shards that take no more memory than this, and windows whose graphs take no more on disk."""
    n_graphs = max(1, len(dataset))
    arrays = (value for value in vars(dataset).values() if isinstance(value, np.ndarray))
    on_disk = sum(values.nbytes for values in arrays) / n_graphs
    at_once = int(memory / (per_node * dataset.n_nodes / n_graphs))
    window = int(memory / on_disk)
    return Shards(dataset, make, max(1, min(AT_ONCE, at_once)), max(NEIGHBOURS, window))


def parts_of(dataset: Dataset, graphs: Numbers) -> Iterator[Dataset]:
    """Graphs cut out a part at a time, such that a part fits into memory beside everything else."""
    n_parts = 1 + int(dataset.sizes[graphs].sum()) // NODES_OF_PART
    return (dataset[part] for part in np.array_split(graphs, n_parts))


def spread(dataset: Dataset, graphs: Numbers) -> Dataset:
    """As many graphs as a part may have, evenly spread over all; all where they are one part."""
    n_parts = 1 + int(dataset.sizes[graphs].sum()) // NODES_OF_PART
    return dataset[graphs[::n_parts]]
