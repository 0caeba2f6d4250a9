"""The inner loops: a depth-limited breadth-first search from every node, first counted, then kept.

In the interleaved layout the rings of one node stand behind each other in the order in which a
breadth-first search meets their members: its queue and its result are the same piece of memory.
"""

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled


@compiled
def search(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    radius: int,
    source: int,
    n_nodes: int,
    seen: NDArray[np.int32],
    queue: NDArray[np.int32],
    ends: NDArray[np.int64],
) -> None:
    """Write the nodes within ``radius`` of ``source`` to ``queue``, ring j ending at ``ends[j]``.

    ``seen[u] == source`` marks the nodes met already, so that it is never cleared. Once all
    ``n_nodes`` of the graph are met there is nothing left to look for: ego networks end early.
    """
    queue[0] = source
    seen[source] = source
    ends[0] = 1
    start, size = 0, 1
    for j in range(1, radius + 1):
        for k in range(start, ends[j - 1]):
            if size == n_nodes:
                break
            u = queue[k]
            for e in range(indptr[u], indptr[u + 1]):
                w = indices[e]
                if seen[w] != source:
                    seen[w] = source
                    queue[size] = w
                    size += 1
        start = ends[j - 1]
        ends[j] = size


@compiled
def count_rings(
    graph_ptr: NDArray[np.int32],
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    radius: int,
    first: int,
    last: int,
    room: int,
    sizes: NDArray[np.int64],
) -> int:
    """Write the size of ring j of node v to ``sizes[v * (radius + 1) + j + 1]``.

    Returns how many nodes were counted: it stops where their rings outgrow ``room``.
    """
    seen = np.full(len(indptr) - 1, -1, dtype=np.int32)
    queue = np.empty(len(seen), dtype=np.int32)
    ends = np.empty(radius + 1, dtype=np.int64)
    graph, total = 0, 0
    for v in range(first, last):
        while v >= graph_ptr[graph + 1]:
            graph += 1
        n_nodes = graph_ptr[graph + 1] - graph_ptr[graph]
        search(indptr, indices, radius, v, n_nodes, seen, queue, ends)
        row = v * (radius + 1)
        sizes[row + 1] = 1
        for j in range(1, radius + 1):
            sizes[row + j + 1] = ends[j] - ends[j - 1]
        total += ends[radius]
        if total > room:
            return v - first + 1
    return last - first


@compiled
def fill_rings(
    graph_ptr: NDArray[np.int32],
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    radius: int,
    first: int,
    last: int,
    ring_indptr: NDArray[np.int64],
    ring_indices: NDArray[np.int32],
) -> None:
    """Write the members of the rings of nodes ``first`` .. ``last - 1`` in place."""
    seen = np.full(len(indptr) - 1, -1, dtype=np.int32)
    ends = np.empty(radius + 1, dtype=np.int64)
    graph = 0
    for v in range(first, last):
        while v >= graph_ptr[graph + 1]:
            graph += 1
        n_nodes = graph_ptr[graph + 1] - graph_ptr[graph]
        row = v * (radius + 1)
        members = ring_indices[ring_indptr[row] : ring_indptr[row + radius + 1]]
        search(indptr, indices, radius, v, n_nodes, seen, members, ends)
