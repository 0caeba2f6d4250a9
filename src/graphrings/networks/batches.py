"""Batches of graphs, cut out of the levels of a dataset in compiled code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from graphrings.compiled import compiled
from graphrings.distances.levels import Levels
from graphrings.distances.rings import checked_multiplicity
from graphrings.distances.weighted_rows import WeightedRows, whole_numbers
from graphrings.errors import LayerError
from graphrings.hardware import fetch
from graphrings.layers.on_device import on_device_of
from graphrings.loops import ONE, ZERO, U

HALF, NUMBER = 32, (1 << 32) - 1  # of the bits of a met colour
# Colours that follow each other lie anywhere, so that a row is asked for some colours before it is
# read: its first numbers, and as many again.
AHEAD, AT_ONCE = U(16), U(16)


@dataclass(frozen=True, eq=False)
class Batch:
    """What a network sees of some graphs: the different rows of every level, and who sees whom.

    ``features`` are the rows of level 0; ``rows[l]`` lead from the rows of level l to those of
    level l + 1; ``parents[l]`` lead back from the rows of level l + 1 to those of level l.
    Graph i has the rows ``members[graph_ptr[i] : graph_ptr[i + 1]]`` of the last level, each
    ``multiplicity`` times.
    """

    features: Tensor
    rows: tuple[WeightedRows, ...]
    parents: tuple[NDArray[np.int32], ...]
    graph_ptr: NDArray[np.int64]
    members: NDArray[np.int32]
    multiplicity: NDArray[np.int32]

    def __post_init__(self) -> None:
        """Refuse what leads to rows that are not there."""
        if not (
            isinstance(self.features, Tensor)
            and self.features.dim() == 2
            and isinstance(self.rows, tuple)
            and isinstance(self.parents, tuple)
            and all(isinstance(near, WeightedRows) for near in self.rows)
        ):
            raise LayerError("a batch is made of a table of features, and of tuples of rows")
        n_rows = [len(self.features), *(near.n_rows for near in self.rows)]
        leading = [(near.n_members, n) for near, n in zip(self.rows, n_rows, strict=False)]
        leading += [
            (reach(parents, near.n_rows), n)
            for parents, near, n in zip(self.parents, self.rows, n_rows, strict=False)
        ]
        n_members = len(whole_numbers(self.members, "members"))
        leading.append((reach(self.members, n_members), n_rows[-1]))
        bounds = whole_numbers(self.graph_ptr, "graph_ptr")
        if len(self.parents) != len(self.rows) or any(end > n for end, n in leading):
            raise LayerError("the rows, parents or members of a batch lead to rows that it lacks")
        if not (
            len(bounds) > 0
            and bounds[0] == 0
            and bounds[-1] == n_members
            and np.all(bounds[1:] >= bounds[:-1])
        ):
            raise LayerError("graph_ptr of a batch does not bound its members")
        checked_multiplicity(self.multiplicity, n_members)

    @classmethod
    def trusted(cls, *parts: Any) -> Batch:
        """The same without the check, for code that has made its arrays such that they fit."""
        made = object.__new__(cls)
        names = (field.name for field in fields(cls))
        vars(made).update(zip(names, parts, strict=True))
        return made

    def counts(self) -> list[NDArray[np.int64]]:
        """How many nodes every row of every level stands for."""
        n_rows = [len(self.features), *(len(parents) for parents in self.parents)]
        counts = [np.bincount(self.members, self.multiplicity, minlength=n_rows[-1])]
        for level in range(len(self.parents) - 1, -1, -1):
            counts.insert(0, np.bincount(self.parents[level], counts[0], minlength=n_rows[level]))
        return [count.astype(np.int64) for count in counts]

    def n_nodes(self) -> NDArray[np.int64]:
        """The number of nodes of every graph."""
        n_graphs = len(self.graph_ptr) - 1
        owner = np.repeat(np.arange(n_graphs), np.diff(self.graph_ptr))
        return np.bincount(owner, self.multiplicity, minlength=n_graphs).astype(np.int64)

    def members_by_level(self, n_levels: int) -> list[NDArray[np.int32]]:
        """The rows of the members at each of the last levels."""
        rows = [self.members]
        for back in range(1, n_levels):
            rows.insert(0, self.parents[-back][rows[0]])
        return rows

    def first_rows(self) -> NDArray[np.int32]:
        """The row of level 0 that every row of the last level leads back to."""
        rows = np.arange(self.rows[-1].n_rows, dtype=np.int32)
        for parents in reversed(self.parents):
            rows = parents[rows]
        return rows

    def up_to(self, level: int) -> Batch:
        """The same graphs as they are seen at an earlier level: that becomes the last one."""
        members = self.members
        for parents in reversed(self.parents[level:]):
            members = parents[members]
        seen = self.features, self.rows[:level], self.parents[:level]
        return Batch.trusted(*seen, self.graph_ptr, members, self.multiplicity)


class Batches(Protocol):
    """Who makes batches of a dataset for a training."""

    @property
    def at_once(self) -> int:
        """How many graphs it can look at together."""

    def shuffled(self, graphs: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        """Graphs in the order of an epoch."""

    def each(self, groups: Iterable[NDArray[np.int64]]) -> Iterator[Batch]:
        """The batch of every group of graphs."""


class Batcher:
    """Makes batches of a dataset by its levels.

    ``table`` has a row of features for every colour of level 0, and those of a batch lie on
    ``device``; everything else of a batch stays on the CPU until a layer needs it.
    """

    def __init__(
        self, levels: Levels, table: NDArray[np.float32], device: str | torch.device = "cpu"
    ) -> None:
        self.levels, self.table = levels, torch.from_numpy(table).to(device)
        self._weights = [rows.weights_as("float32") for rows in levels.rows]
        self._n_members = np.diff(levels.graph_ptr)  # of every graph
        # The batch that has met a colour last, times 2^32, plus the colour's number in it.
        self._met = [np.zeros(n, dtype=np.int64) for n in levels.n_colours]
        self._batch = 0

    @property
    def at_once(self) -> int:
        """All graphs."""
        return len(self.levels.graph_ptr) - 1

    def shuffled(self, graphs: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        """Graphs in the order of an epoch: any is as likely as any other."""
        return rng.permutation(graphs)

    def each(self, groups: Iterable[NDArray[np.int64]]) -> Iterator[Batch]:
        """The batch of every group of graphs."""
        return map(self, groups)

    def __call__(self, graphs: NDArray[Any]) -> Batch:
        """The batch of the graphs with these numbers, in this order."""
        self._batch += 1
        levels = self.levels
        colours, graph_ptr, members, multiplicity = self._chosen(np.asarray(graphs, dtype=np.int64))
        rows: list[WeightedRows] = []
        parents: list[NDArray[np.int32]] = []
        for level in range(len(levels.rows) - 1, -1, -1):
            near = levels.rows[level]
            indptr, indices, weights, own, colours = descend(
                colours,
                near.indptr,
                near.indices,
                self._weights[level],
                near.width,
                levels.parents[level],
                self._met[level],
                self._batch,
            )
            rows.insert(0, WeightedRows.trusted(near.width, indptr, indices, weights))
            parents.insert(0, own)
        features = self.table[on_device_of(self.table, colours)]
        return Batch.trusted(
            features, tuple(rows), tuple(parents), graph_ptr, members, multiplicity
        )

    def _chosen(
        self, graphs: NDArray[np.int64]
    ) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
        """The colours of the last level in some graphs: which, and where every graph has them."""
        levels = self.levels
        bounds = np.zeros(len(graphs) + 1, dtype=np.int64)
        self._n_members[graphs].cumsum(out=bounds[1:])
        colours, members, copies = np.empty((3, bounds[-1]), dtype=np.int32)
        source = levels.graph_ptr, levels.top, levels.multiplicity, self._met[-1], self._batch
        n_colours = choose(graphs, *source, colours, members, copies)
        return colours[:n_colours], bounds, members, copies


def reach(places: Any, length: int) -> int:
    """How many rows there must be for these places, of which there are ``length``."""
    numbers = whole_numbers(places, "places")
    if len(numbers) != length or np.any(numbers < 0):
        raise LayerError(f"{len(numbers):,} places of rows; expected {length:,}, none below 0")
    return int(numbers.max(initial=-1)) + 1


@compiled
def choose(
    graphs: NDArray[np.int64],
    graph_ptr: NDArray[np.int32],
    top: NDArray[np.int32],
    multiplicity: NDArray[np.int32],
    met: NDArray[np.int64],
    batch: int,
    colours: NDArray[np.int32],
    members: NDArray[np.int32],
    copies: NDArray[np.int32],
) -> int:
    """Write the colours of some graphs, and which of them each has how often; count the colours."""
    n_colours, at = ZERO, ZERO
    for i in range(len(graphs)):
        graph = graphs[i]
        for e in range(U(graph_ptr[graph]), U(graph_ptr[graph + 1])):
            colour = np.uint32(top[e])
            place = met[colour]
            if place >> HALF != batch:
                place = (batch << HALF) + np.int64(n_colours)
                met[colour] = place
                colours[n_colours] = colour
                n_colours += ONE
            members[at], copies[at] = place & NUMBER, multiplicity[e]
            at += ONE
    return int(n_colours)


@compiled
def descend(
    colours: NDArray[np.int32],
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    weights: NDArray[np.float32],
    width: int,
    parents: NDArray[np.int32],
    met: NDArray[np.int64],
    batch: int,
) -> tuple[
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.float32],
    NDArray[np.int32],
    NDArray[np.int32],
]:
    """The rows of some colours, cut out and renumbered, their parents, and the colours below."""
    bounds = np.empty(len(colours) * width + 1, dtype=np.int64)
    n_entries = 0
    for i in range(len(colours)):
        n_entries += indptr[(colours[i] + 1) * width] - indptr[colours[i] * width]
    members, own = np.empty(n_entries, dtype=np.int32), np.empty(len(colours), dtype=np.int32)
    chosen = np.empty(n_entries, dtype=weights.dtype)
    below = np.empty(min(n_entries, len(met)), dtype=np.int32)
    n_below, at, blocks, n_colours = ZERO, 0, U(width), U(len(colours))
    bounds[0] = 0
    for i in range(n_colours):
        if i + AHEAD < n_colours:
            soon = U(indptr[U(colours[i + AHEAD]) * blocks])
            for begin in (soon, soon + AT_ONCE):
                fetch(indices, begin)
                fetch(weights, begin)
        first = U(colours[i]) * blocks
        shift = at - indptr[first]
        for e in range(U(indptr[first]), U(indptr[first + blocks])):
            member = np.uint32(indices[e])
            place = met[member]
            if place >> HALF != batch:
                place = (batch << HALF) + np.int64(n_below)
                met[member] = place
                below[n_below] = member
                n_below += ONE
            here = U(np.int64(e) + shift)
            members[here], chosen[here] = place & NUMBER, weights[e]
        for j in range(blocks):
            at = indptr[first + j + ONE] + shift
            bounds[i * blocks + j + ONE] = at
    for i in range(len(colours)):
        own[i] = met[np.uint32(parents[np.uint32(colours[i])])] & NUMBER
    return bounds, members, chosen, own, below[:n_below]
