"""What networks see of a dataset: rings of several kinds, merged layer by layer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphrings.distances.levels import Levels, levels
from graphrings.distances.rings import rings
from graphrings.distances.walks import walk_rings
from graphrings.distances.weights import by_colour, numbered_by, summed, symmetric
from graphrings.graphs.dataset import Dataset


@dataclass(frozen=True)
class RingMeans:
    """The means over distance rings 0 .. radius, Eq. (10)."""

    depth: int
    radius: int

    def __call__(self, dataset: Dataset, start: NDArray[np.int64]) -> Levels:
        """One round of the distance colouring per layer."""
        return levels(dataset.graph_ptr, rings(dataset, self.radius), start, self.depth)


@dataclass(frozen=True)
class WalkMeans:
    """The means over the ends of walks of 0 .. radius steps, the powers of A: with tottering."""

    depth: int
    radius: int

    def __call__(self, dataset: Dataset, start: NDArray[np.int64]) -> Levels:
        """A walk of r steps shows no more than r rounds of the refinement by neighbours."""
        walks = walk_rings(dataset, self.radius)
        arrays = dataset.graph_ptr, rings(dataset, 1), start, self.depth
        return levels(*arrays, averaged=walks, rounds=self.radius)


@dataclass(frozen=True)
class BallMeans:
    """The mean over a node and its neighbours together, Eq. (7)."""

    depth: int

    def __call__(self, dataset: Dataset, start: NDArray[np.int64]) -> Levels:
        """Colours by rings 0 and 1, which are averaged as one."""
        near = rings(dataset, 1)
        return levels(dataset.graph_ptr, near, start, self.depth, averaged=near.joined())


@dataclass(frozen=True)
class RingTotals:
    """The sums over distance rings 0 .. radius."""

    depth: int
    radius: int

    def __call__(self, dataset: Dataset, start: NDArray[np.int64]) -> Levels:
        """The colours of the means, which know the sizes of all rings."""
        means = RingMeans(self.depth, self.radius)(dataset, start)
        return means.weighted(lambda near, _: summed(near))


@dataclass(frozen=True)
class SymmetricSums:
    """Sums weighted by the roots of both sides' sizes, Eq. (6); by ring if there is a radius."""

    depth: int
    radius: int | None

    def __call__(self, dataset: Dataset, start: NDArray[np.int64]) -> Levels:
        """Nodes with rings of other sizes weigh something else: they are told apart at once."""
        near = rings(dataset, 1 if self.radius is None else self.radius)
        start = numbered_by(start, near.sizes.T)
        added = near.joined() if self.radius is None else near
        means = levels(dataset.graph_ptr, near, start, self.depth, averaged=added)
        return means.weighted(
            lambda merged, level: symmetric(merged, by_colour(means, level, added.sizes))
        )


@dataclass(frozen=True)
class InNodeOrder:
    """What another view shows, but every graph lists all of its nodes, in their order.

    Rows are shared all the same. Where ties are left as the nodes stand, their order counts.
    """

    view: Callable[[Dataset, NDArray[np.int64]], Levels]

    def __call__(self, dataset: Dataset, start: NDArray[np.int64]) -> Levels:
        """The same levels with one entry per node."""
        return self.view(dataset, start).in_node_order(dataset.graph_ptr)
