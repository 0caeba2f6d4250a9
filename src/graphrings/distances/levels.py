"""What a network can tell apart, layer by layer: a quotient for every level, shared by all graphs.

Before the first layer, nodes with equal features have equal rows. After layer l they have equal
rows when they had before it and see the same rows, equally often, in every ring: one round of the
distance colouring per layer. So a layer computes one row per colour, not one per node, and the
colours of a level are shared by all graphs of a batch. It is exact, for any weights.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from graphrings.distances.colours import refine
from graphrings.distances.quotient import merged_rings
from graphrings.distances.rings import Rings
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.graphs.small_numbers import first_of_each, numbered


@dataclass(frozen=True, eq=False)
class Levels:
    """The colours of all nodes at levels 0 .. L, and the rows that lead from one to the next.

    ``rows[l]`` has a row for every colour of level l + 1; its members are colours of level l.
    ``parents[l]`` leads from a colour of level l + 1 to that of the same nodes at level l.
    ``graph_ptr``, ``top`` and ``multiplicity`` list the colours of level L in every graph, in the
    order of the first nodes that have them.
    """

    colours: tuple[NDArray[np.int32], ...]
    rows: tuple[WeightedRows, ...]
    parents: tuple[NDArray[np.int32], ...]
    graph_ptr: NDArray[np.int32]
    top: NDArray[np.int32]
    multiplicity: NDArray[np.int32]

    @property
    def n_colours(self) -> tuple[int, ...]:
        """How many different rows there are at every level."""
        return tuple(int(level.max(initial=-1)) + 1 for level in self.colours)

    def weighted(self, weigh: Callable[[Rings, int], WeightedRows]) -> Levels:
        """The same colours with other weights, made from the rings of a level and its number."""
        rings = cast(tuple[Rings, ...], self.rows)
        return replace(self, rows=tuple(weigh(near, level) for level, near in enumerate(rings)))

    def in_node_order(self, graph_ptr: NDArray[np.int32]) -> Levels:
        """The same rows with one entry per node of every graph, in the order of the nodes."""
        top = self.colours[-1]
        return replace(self, graph_ptr=graph_ptr, top=top, multiplicity=np.ones_like(top))


def levels(
    graph_ptr: NDArray[np.int32],
    rings: Rings,
    start: NDArray[np.integer[Any]],
    depth: int,
    averaged: Rings | None = None,
    rounds: int = 1,
    weighed_by: NDArray[np.integer[Any]] | None = None,
) -> Levels:
    """Colour the nodes for ``depth`` layers, from the features that ``start`` numbers.

    A layer averages ``rings``, or other rings that show no more than ``rounds`` rounds of those;
    the rows of the levels are rings of either. Where a node's own number in ``weighed_by`` (none is
    below 0) decides on its weights, nodes of other numbers have other rows from the first layer on.
    """
    colours = [numbered(start)]
    merged, parents = [], []
    for level in range(depth):
        refined: NDArray[np.integer[Any]] = refine(rings, colours[-1], rounds)
        if weighed_by is not None and level == 0:
            room = int(weighed_by.max(initial=0)) + 1
            refined = refined.astype(np.int64) * room + weighed_by
        colours.append(numbered(refined))
        first = first_of_each(colours[-1])
        merged.append(merged_rings(rings if averaged is None else averaged, colours[-2], first))
        parents.append(colours[-2][first])
    owner = np.repeat(np.arange(len(graph_ptr) - 1), np.diff(graph_ptr))
    n_top = int(colours[-1].max(initial=-1)) + 1
    _, first, multiplicity = np.unique(
        owner * n_top + colours[-1], return_index=True, return_counts=True
    )
    order = np.argsort(first)  # by nodes, so that it does not depend on the other graphs
    return Levels(
        tuple(colours),
        tuple(merged),
        tuple(parents),
        np.searchsorted(first[order], graph_ptr).astype(np.int32),
        colours[-1][first[order]],
        multiplicity[order].astype(np.int32),
    )


def unmerged(
    graph_ptr: NDArray[np.int32],
    near: WeightedRows,
    start: NDArray[np.integer[Any]],
    depth: int,
) -> Levels:
    """Levels with a row for every node: for weights that hardly two nodes have in common."""
    lowest, nodes = numbered(start), np.arange(len(start), dtype=np.int32)
    below = WeightedRows.trusted(near.width, near.indptr, lowest[near.indices], near.weights)
    return Levels(
        (lowest, *[nodes] * depth),
        (below, *[near] * (depth - 1)),
        (lowest, *[nodes] * (depth - 1)),
        graph_ptr,
        nodes,
        np.ones_like(nodes),
    )
