"""Walk rings: the powers A^j in the place of shortest-path rings.

The paper rejects them because of tottering: a walk of j steps may end nearer than j, also where it
began. They are here under the same interface so that the two can be compared.
"""

from functools import partial
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.distances.costs import walk_steps
from graphrings.distances.rings import (
    Packed,
    Rings,
    checked_graphs,
    checked_limit,
    checked_radius,
    in_threads,
    node_ranges,
    ring_work,
    row_bounds,
)

BYTES_AN_ENTRY = 12  # a member and how many walks lead to it


def walk_rings(
    graphs: Packed, radius: SupportsIndex, *, jobs: int = 1, max_bytes: int | None = None
) -> Rings:
    """Ring j of v = the ends of all walks of j steps from v, counted: ``matrix(j)`` is A^j."""
    radius, limit = checked_radius(radius), checked_limit(max_bytes)
    parts = node_ranges(checked_graphs(graphs).graph_ptr, jobs)
    arrays = graphs.indptr, graphs.indices, radius
    work = ring_work(graphs, radius, "edges of walks", walk_steps(graphs, radius))
    count = partial(count_walks, *arrays)
    indptr = row_bounds(graphs, work, radius, parts, count, limit, BYTES_AN_ENTRY)
    indices, counts = np.empty(indptr[-1], dtype=np.int32), np.empty(indptr[-1])

    def fill(first: int, last: int) -> None:
        fill_walks(*arrays, first, last, indptr, indices, counts)

    in_threads(fill, parts)
    return Rings.trusted(radius, indptr, indices, counts)


@compiled
def walk(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    radius: int,
    source: int,
    seen: NDArray[np.int64],
    slot: NDArray[np.int64],
    ends: NDArray[np.int64],
    members: NDArray[np.int32],
    counts: NDArray[np.float64],
) -> None:
    """Write where the walks of 0 .. radius steps from ``source`` end, and how many of them."""
    members[0], counts[0] = source, 1.0
    ends[0] = 1
    start, size = 0, 1
    for j in range(1, radius + 1):
        now = source * (radius + 1) + j  # a mark of its own for every source and step
        for k in range(start, ends[j - 1]):
            u = members[k]
            for e in range(indptr[u], indptr[u + 1]):
                w = indices[e]
                if seen[w] != now:
                    seen[w], slot[w] = now, size
                    members[size], counts[size] = w, 0.0
                    size += 1
                counts[slot[w]] += counts[k]
        start = ends[j - 1]
        ends[j] = size


@compiled
def count_walks(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    radius: int,
    first: int,
    last: int,
    room: int,
    sizes: NDArray[np.int64],
) -> int:
    """Write the number of different ends after j steps, as ``count_rings`` does for rings."""
    n_nodes = len(indptr) - 1
    seen, slot = np.full(n_nodes, -1, dtype=np.int64), np.empty(n_nodes, dtype=np.int64)
    ends = np.empty(radius + 1, dtype=np.int64)
    members = np.empty(n_nodes * (radius + 1), dtype=np.int32)
    counts = np.empty(n_nodes * (radius + 1))
    total = 0
    for v in range(first, last):
        walk(indptr, indices, radius, v, seen, slot, ends, members, counts)
        row = v * (radius + 1)
        sizes[row + 1] = 1
        for j in range(1, radius + 1):
            sizes[row + j + 1] = ends[j] - ends[j - 1]
        total += ends[radius]
        if total > room:
            return v - first + 1
    return last - first


@compiled
def fill_walks(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    radius: int,
    first: int,
    last: int,
    ring_indptr: NDArray[np.int64],
    ring_indices: NDArray[np.int32],
    ring_counts: NDArray[np.float64],
) -> None:
    """Write the walk rings of nodes ``first`` .. ``last - 1`` in place."""
    n_nodes = len(indptr) - 1
    seen, slot = np.full(n_nodes, -1, dtype=np.int64), np.empty(n_nodes, dtype=np.int64)
    ends = np.empty(radius + 1, dtype=np.int64)
    for v in range(first, last):
        row = v * (radius + 1)
        here = slice(ring_indptr[row], ring_indptr[row + radius + 1])
        walk(indptr, indices, radius, v, seen, slot, ends, ring_indices[here], ring_counts[here])
