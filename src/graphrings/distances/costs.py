"""How many edges searches and walks from all nodes look at, told from a few of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.graphs.dataset import Dataset, Graph

FEW = 3e9  # edges: they take so few seconds that nobody asks
ASKED = 64  # nodes that are searched from, to know about all
MOST_LOOKS = 10**8  # edges that may be looked at for that


def search_steps(graphs: Graph | Dataset, radius: int | None = None, beyond: int = 0) -> float:
    """About the edges that searches up to a radius meet, in graphs of more than so many nodes.

    A search ends when it has met all nodes of its graph. What is certainly little is not looked at
    closer: the figure is a bound then.
    """
    if radius is not None and radius < 1:
        return float(len(graphs.indices)) * (radius == 0)
    return _extended(graphs, -1 if radius is None else radius, beyond, again=0)


def walk_steps(graphs: Graph | Dataset, radius: int) -> float:
    """About the edges that walks of so many steps go along: a step goes on from all that is near.

    With an even and an odd half of the nodes it is half of that.
    """
    if radius < 2:
        return float(len(graphs.indices)) * radius
    return _extended(graphs, radius - 1, 0, again=radius)


def _extended(graphs: Graph | Dataset, radius: int, beyond: int, again: int) -> float:
    """What searches from some nodes meet, as if those from all nodes met as much."""
    sizes = np.diff(graphs.graph_ptr).astype(np.int64)
    entries = np.diff(graphs.indptr[graphs.graph_ptr]).astype(np.float64)
    bound = float((sizes * entries)[sizes > beyond].sum()) * max(1, again)
    if bound <= FEW:
        return bound
    nodes = np.flatnonzero(np.repeat(sizes > beyond, sizes))
    asked = nodes[np.unique(np.linspace(0, len(nodes) - 1, ASKED).astype(np.int64))]
    graph = np.searchsorted(graphs.graph_ptr, asked, side="right") - 1
    arrays = graphs.indptr, graphs.indices, asked, sizes[graph]
    looks, n_asked = looks_from(*arrays, radius, again, MOST_LOOKS)
    return min(bound, looks / max(1, n_asked) * len(nodes))


@compiled
def looks_from(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    sources: NDArray[np.int64],
    sizes: NDArray[np.int64],
    radius: int,
    again: int,
    most: int,
) -> tuple[float, int]:
    """The edges that searches from ``sources`` look at, and how many were made until ``most``.

    A radius below 0 is none. With ``again``, so many steps go on from all nodes that are met.
    """
    seen = np.full(len(indptr) - 1, -1, dtype=np.int64)
    queue = np.empty(len(indptr) - 1, dtype=np.int32)
    total, looked = 0.0, 0
    for k in range(len(sources)):
        queue[0], seen[sources[k]] = sources[k], k
        start, size, distance, inside = 0, 1, 0, 0
        while start < size and (again or size < sizes[k]) and (radius < 0 or distance <= radius):
            stop = size
            for i in range(start, stop):
                u = queue[i]
                inside += indptr[u + 1] - indptr[u]
                looked += indptr[u + 1] - indptr[u]
                if size == sizes[k]:
                    if not again:
                        break
                    continue
                for e in range(indptr[u], indptr[u + 1]):
                    w = indices[e]
                    if seen[w] != k:
                        seen[w] = k
                        queue[size] = w
                        size += 1
            start, distance = stop, distance + 1
            if again:
                total += inside
        total += inside * max(0, again - distance) if again else inside
        if looked >= most:
            return total, k + 1
    return total, len(sources)
