"""How many triangles every node is in."""

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.distances.bits import ONE, WORD, n_bits, n_words
from graphrings.distances.searches import SMALL, bit_buffer
from graphrings.loops import U

LONG = U(WORD)


@compiled
def triangles(
    graph_ptr: NDArray[np.int32], indptr: NDArray[np.int32], indices: NDArray[np.int32]
) -> NDArray[np.int64]:
    """Count the edges between the neighbours of every node.

    Neighbours of a node of a small graph are a bit set, and those that two nodes have in common
    one instruction for 64 of them; in a large graph they are marked.
    """
    counts = np.zeros(len(indptr) - 1, dtype=np.int64)
    marked_by = np.full(len(counts), -1, dtype=np.int32)
    bits = bit_buffer()[0]
    for graph in range(len(graph_ptr) - 1):
        first, last = graph_ptr[graph], graph_ptr[graph + 1]
        n = last - first
        if n > SMALL:
            by_marks(first, last, indptr, indices, marked_by, counts)
        else:
            words = n_words(n)
            rows = bits[: n * words].reshape((n, words))
            by_bits(first, indptr, indices, rows, counts)
    return counts // 2  # every edge between neighbours was met from both ends


@compiled
def by_bits(
    first: int,
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    rows: NDArray[np.uint64],
    counts: NDArray[np.int64],
) -> None:
    """Add up what every node has in common with each neighbour."""
    rows[:] = 0
    begin, n, words = U(first), U(len(rows)), U(rows.shape[1])
    for v in range(n):
        for e in range(U(indptr[begin + v]), U(indptr[begin + v + ONE])):
            u = U(indices[e]) - begin
            rows[v, u // LONG] |= ONE << (u % LONG)
    for v in range(n):
        common = 0
        for e in range(U(indptr[begin + v]), U(indptr[begin + v + ONE])):
            u = U(indices[e]) - begin
            for word in range(words):
                common += n_bits(rows[v, word] & rows[u, word])
        counts[begin + v] = common


@compiled
def by_marks(
    first: int,
    last: int,
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    marked_by: NDArray[np.int32],
    counts: NDArray[np.int64],
) -> None:
    """The same, where neighbours carry the mark of a node while it is looked at."""
    for v in range(first, last):
        for e in range(indptr[v], indptr[v + 1]):
            marked_by[indices[e]] = v
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            for f in range(indptr[u], indptr[u + 1]):
                counts[v] += marked_by[indices[f]] == v
