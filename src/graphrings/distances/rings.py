"""The rings of every node: who is at shortest-path distance exactly 0, 1, ..., radius."""

from __future__ import annotations

import operator
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, SupportsIndex, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from graphrings.distances.costs import search_steps
from graphrings.distances.searches import SMALL, count_rings, fill_rings
from graphrings.distances.weighted_rows import (
    WeightedRows,
    checked_column,
    checked_rows,
    whole_numbers,
)
from graphrings.errors import DatasetError, LayerError, RadiusError, SettingError
from graphrings.graphs.dataset import Dataset, Graph
from graphrings.limits import ALLOWED, FEWER, Work, begin, memory_limit
from graphrings.pages import zeros

BYTES_AN_ENTRY = 4
BYTES_A_ROW = 8
LARGEST = 2**31 - 1  # of what is counted by 32 bits
MOST_BYTES = 2**62
MOST_THREADS = 64

Result = TypeVar("Result")


Packed = Graph | Dataset  # what rings are computed from


class Rings(WeightedRows):
    """Rings 0 .. radius of n nodes, interleaved: row ``v * (radius + 1) + j`` is ring j of node v.

    ``indices[indptr[row] : indptr[row + 1]]`` are its members. ``counts`` says how often each
    member counts (None: once) and ``multiplicity`` how many nodes a row's node stands for (None:
    one); the quotient uses both, walk rings the first. The weights are those of a mean.
    """

    def __init__(
        self,
        radius: int,
        indptr: NDArray[np.int64],
        indices: NDArray[np.int32],
        counts: NDArray[np.int32] | NDArray[np.float64] | None = None,
        multiplicity: NDArray[np.int32] | None = None,
    ) -> None:
        self.radius = checked_radius(radius)
        self.width, self.indptr, self.indices = checked_rows(self.radius + 1, indptr, indices)
        if not np.array_equal(self.own, np.arange(self.n_nodes)):
            raise LayerError("ring 0 of a node does not hold the node itself")
        if self.n_members > self.n_nodes:
            raise LayerError(
                f"the rings lead to node {self.n_members - 1:,}; expected 0 to {self.n_nodes - 1:,}"
            )
        self.counts, self.multiplicity = None, None
        if counts is not None:
            self.counts = checked_column(counts, len(self.indices), "counts", "entries")
        if multiplicity is not None:
            self.multiplicity = checked_multiplicity(multiplicity, self.n_nodes)

    @classmethod
    def trusted(
        cls,
        radius: int,
        indptr: NDArray[np.int64],
        indices: NDArray[np.int32],
        counts: NDArray[np.int32] | NDArray[np.float64] | None = None,
        multiplicity: NDArray[np.int32] | None = None,
    ) -> Rings:
        """The same without the check, for code that has made its arrays such that they fit.

        Rings that lead from the nodes of one level to those of another are made this way alone.
        """
        made = Rings.__new__(Rings)
        made.radius, made.width, made.indptr, made.indices = radius, radius + 1, indptr, indices
        made.counts, made.multiplicity = counts, multiplicity
        return made

    @property
    def n_nodes(self) -> int:
        """The number of nodes that have rings."""
        return self.n_rows

    @property
    def sizes(self) -> NDArray[np.int64] | NDArray[np.float64]:
        """The size of ring j of node v at [v, j], members counted as often as they count."""
        if self.counts is None:
            sizes = np.diff(self.indptr)
        else:
            total = np.concatenate([[0], np.cumsum(self.counts)])
            sizes = np.diff(total[self.indptr])
        return sizes.reshape(-1, self.width)

    def matrix(self, j: int) -> csr_array:
        """SP^j as a sparse matrix, [v, u] = how often u counts in ring j of v; column-sorted."""
        if not 0 <= j <= self.radius:
            raise RadiusError(f"ring {j} of rings 0 to {self.radius}")
        lengths = np.diff(self.indptr)[j :: self.width]
        bounds = np.concatenate([[0], np.cumsum(lengths)])
        starts = self.indptr[j : -1 : self.width] - bounds[:-1]
        entries = np.arange(bounds[-1]) + np.repeat(starts, lengths)
        data = np.ones(len(entries), np.int32) if self.counts is None else self.counts[entries]
        matrix = csr_array((data, self.indices[entries], bounds), shape=(self.n_nodes,) * 2)
        matrix.sort_indices()
        return matrix

    @cached_property
    def weights(self) -> NDArray[np.float64]:  # type: ignore[override]  # computed when asked for
        """What every entry counts for in its ring's mean: count / size."""
        return self.counted / np.repeat(self.sizes.ravel(), np.diff(self.indptr))

    @property
    def counted(self) -> NDArray[np.float64]:
        """How often every entry counts."""
        counts = np.ones(len(self.indices)) if self.counts is None else self.counts
        return counts.astype(np.float64, copy=False)

    def joined(self) -> Rings:
        """All rings of a node as its only ring: a ball, whose radius counts as 0."""
        return Rings.trusted(0, self._ends(), self.indices, self.counts, self.multiplicity)

    def weighted(self, weights: NDArray[Any]) -> WeightedRows:
        """The same members with other weights than those of a mean."""
        return WeightedRows.trusted(self.width, self.indptr, self.indices, weights)

    def __repr__(self) -> str:
        return f"Rings(radius {self.radius}, {self.n_nodes:,} nodes, {len(self.indices):,} entries)"


def rings(
    graphs: Packed, radius: SupportsIndex, *, jobs: int = 1, max_bytes: int | None = None
) -> Rings:
    """The exact rings 0 .. radius of all nodes of a graph or dataset.

    Small graphs grow all balls at once as bit sets; in large ones a depth-limited breadth-first
    search from every node costs the edges inside the ball of radius - 1. ``jobs`` threads give
    the same result. Rings that would take more than ``max_bytes`` (by default half of the
    machine's memory) are refused before they are filled.
    """
    radius, limit = checked_radius(radius), checked_limit(max_bytes)
    parts = node_ranges(checked_graphs(graphs).graph_ptr, jobs)
    arrays = graphs.graph_ptr, graphs.indptr, graphs.indices, radius
    work = ring_work(graphs, radius, "edges of searches", search_steps(graphs, radius - 1, SMALL))
    indptr = row_bounds(graphs, work, radius, parts, partial(count_rings, *arrays), limit)
    indices = zeros(int(indptr[-1]), np.int32)

    def fill(first: int, last: int) -> None:
        fill_rings(*arrays, first, last, indptr, indices)

    in_threads(fill, parts)
    return Rings.trusted(radius, indptr, indices)


def ring_work(graphs: Packed, radius: int, kind: str, n_steps: float) -> Work:
    """What rings would take, but for their entries, which are yet to be counted."""
    n_nodes = len(graphs.indptr) - 1
    what = f"rings up to radius {radius} of {n_nodes:,} nodes"
    return Work(what, FEWER, n_nodes * (radius + 1) * BYTES_A_ROW, kind, n_steps, ALLOWED)


def row_bounds(
    graphs: Packed,
    work: Work,
    radius: int,
    parts: list[tuple[int, int]],
    count: Callable[[int, int, int, NDArray[np.int64]], int],
    limit: int,
    bytes_an_entry: int = BYTES_AN_ENTRY,
) -> NDArray[np.int64]:
    """Where every row will begin and end; refuse what would not fit."""
    n_nodes = len(graphs.indptr) - 1
    room = int(limit - work.n_bytes) // bytes_an_entry
    least = fewest_entries(graphs, radius, room)
    begin(replace(work, n_bytes=work.n_bytes + least * bytes_an_entry), limit)
    indptr = zeros(n_nodes * (radius + 1) + 1, np.int64)
    done = in_threads(lambda first, last: count(first, last, room, indptr), parts)
    np.cumsum(indptr, out=indptr)
    entries = int(indptr[-1]) * n_nodes / max(1, sum(done))  # counting ends where room does
    begin(replace(work, n_bytes=work.n_bytes + entries * bytes_an_entry, kind=""), limit)
    return indptr


def fewest_entries(graphs: Packed, radius: int, room: int) -> int:
    """A quick lower bound for the entries: who has a neighbour of degree d has d + 1 nodes near.

    It finds stars and other hubs without walking through them; where even the largest degree
    everywhere would leave room, it does not look closer.
    """
    degrees = np.diff(graphs.indptr)
    largest = int(degrees.max(initial=0))
    if radius < 2 or largest == 0 or len(degrees) * (largest + 1) <= room:
        return len(degrees) + (radius > 0) * len(graphs.indices)
    busy = degrees > 0
    hubs = np.maximum.reduceat(degrees[graphs.indices], graphs.indptr[:-1][busy])
    return len(degrees) + int(hubs.sum(dtype=np.int64))


def node_ranges(graph_ptr: NDArray[np.int32], jobs: int) -> list[tuple[int, int]]:
    """Cut the nodes into one range per thread, never through a small graph."""
    if not isinstance(jobs, int | np.integer) or isinstance(jobs, bool):
        raise SettingError(f"jobs = {jobs!r}; expected a whole number")
    n_parts = min(max(1, int(jobs)), MOST_THREADS)
    cuts = np.linspace(0, graph_ptr[-1], n_parts + 1).astype(np.int64)
    graphs = np.searchsorted(graph_ptr, cuts, side="right") - 1
    small = np.diff(graph_ptr, append=graph_ptr[-1])[graphs] <= SMALL
    cuts = np.where(small, graph_ptr[graphs], cuts)
    return list(zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True))


def in_threads(work: Callable[[int, int], Result], parts: list[tuple[int, int]]) -> list[Result]:
    """Call ``work`` for every range, side by side where there are several."""
    if len(parts) == 1:
        return [work(*parts[0])]
    with ThreadPoolExecutor(len(parts)) as pool:
        return list(pool.map(lambda part: work(*part), parts))


def checked_graphs(graphs: Packed) -> Packed:
    """A graph or a dataset; its arrays fit together, since it exists."""
    if not isinstance(graphs, Graph | Dataset):
        raise DatasetError(f"a {type(graphs).__name__}; expected a Graph or a Dataset")
    return graphs


def checked_radius(radius: SupportsIndex) -> int:
    """The radius as an integer; anything but a whole number of at least 0 is an error."""
    try:
        value = operator.index(radius)
    except TypeError:
        value = -1
    if not 0 <= value < LARGEST or isinstance(radius, bool):
        raise RadiusError(f"radius {radius!r}; expected a whole number, 0 or larger")
    return value


def checked_limit(max_bytes: int | None) -> int:
    """How many bytes may be taken: what was asked for, or half of the machine's memory."""
    if max_bytes is None:
        return memory_limit()
    try:
        return min(operator.index(max_bytes), MOST_BYTES)
    except TypeError as error:
        raise SettingError(f"max_bytes = {max_bytes!r}; expected a whole number") from error


def checked_multiplicity(multiplicity: Any, n_nodes: int) -> NDArray[np.int32]:
    """How many nodes every row stands for: whole numbers, 1 or more."""
    numbers = whole_numbers(multiplicity, "multiplicity")
    if len(numbers) != n_nodes or np.any((numbers < 1) | (numbers >= LARGEST)):
        raise LayerError(f"multiplicity is not {n_nodes:,} whole numbers above 0")
    return numbers.astype(np.int32)
