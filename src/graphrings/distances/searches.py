"""The inner loops behind the rings: two passes over all nodes, first to count, then to fill.

Small graphs grow all their balls at once, as bit sets: the ball of radius j around v is the union
of the balls of radius j - 1 around v and its neighbours, a union is one instruction for 64 nodes,
and ring j is the difference of two balls. A graph of n nodes takes n * n bits for a moment; graphs
of at most 64 nodes have a loop of their own (``word_rings``).

Large graphs are searched breadth-first from every node. In the interleaved layout the rings of one
node stand behind each other in the order in which the search meets their members: its queue and its
result are the same piece of memory.
"""

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled, inlined
from graphrings.distances.bits import ONE, WORD, lowest, n_bits, n_words
from graphrings.distances.word_rings import visit_words, word_rooms
from graphrings.loops import read_only

SMALL = 1024  # nodes, two times 128 KB of bits; threads never share such a graph
BIT_ROOM = 2, SMALL * SMALL // WORD  # words for two sets of balls of the largest small graph


@inlined
def only_themselves(balls: NDArray[np.uint64]) -> None:
    """Balls of radius 0."""
    balls[:] = 0
    for v in range(len(balls)):
        balls[v, v // WORD] = ONE << np.uint64(v % WORD)


@inlined
def grow(
    first: int,
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    balls: NDArray[np.uint64],
    wider: NDArray[np.uint64],
) -> bool:
    """Write the balls of the next radius to ``wider``; tell whether any of them grew.

    The graph's nodes are ``first`` .. ``first + len(balls) - 1``.
    """
    grew = np.uint64(0)
    for v in range(len(balls)):
        for word in range(balls.shape[1]):  # a slice would cost more than the copy
            wider[v, word] = balls[v, word]
        for e in range(indptr[first + v], indptr[first + v + 1]):
            u = indices[e] - first
            for word in range(balls.shape[1]):
                wider[v, word] |= balls[u, word]
        for word in range(balls.shape[1]):
            grew |= wider[v, word] ^ balls[v, word]
    return bool(grew)


@inlined
def ring_sizes(
    balls: NDArray[np.uint64], wider: NDArray[np.uint64], sizes: NDArray[np.int64]
) -> int:
    """Write how many nodes each ball has won; return their sum."""
    total = 0
    for v in range(len(balls)):
        size = 0
        for word in range(balls.shape[1]):
            size += n_bits(wider[v, word] ^ balls[v, word])
        sizes[v] = size
        total += size
    return total


@inlined
def ring_members(
    first: int,
    balls: NDArray[np.uint64],
    wider: NDArray[np.uint64],
    starts: NDArray[np.int64],
    members: NDArray[np.int32],
) -> None:
    """Write which nodes each ball has won, those of v ascending from ``starts[v]`` on."""
    for v in range(len(balls)):
        at = starts[v]
        for word in range(balls.shape[1]):
            left = wider[v, word] ^ balls[v, word]
            while left != 0:
                members[at] = first + WORD * word + lowest(left)
                left &= left - ONE
                at += 1


@inlined
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


@inlined
def bit_buffer() -> NDArray[np.uint64]:
    """Room for two sets of balls of the largest small graph."""
    return np.empty(BIT_ROOM, dtype=np.uint64)


def kinds(graph_ptr: NDArray[np.int32]) -> tuple[int, bool, bool]:
    """How many nodes need marks, since a graph is searched; whether any, all graphs are words."""
    sizes = np.diff(graph_ptr)
    n_marks = int(graph_ptr[-1]) if sizes.max(initial=0) > SMALL else 0
    return n_marks, bool(np.any(sizes <= WORD)), bool(np.all(sizes <= WORD))


def rooms(
    n_marks: int, radius: int
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.uint64]]:
    """What ``visit_rings`` writes on: marks of nodes, ends of rings, sets of bits."""
    seen = np.full(n_marks, -1, dtype=np.int32)
    return seen, np.empty(radius + 1, dtype=np.int64), np.empty(BIT_ROOM, dtype=np.uint64)


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
    n_marks, any_word, all_words = kinds(graph_ptr)
    graphs = *read_only(graph_ptr, indptr, indices), radius, graph_of(graph_ptr, first)
    queue, n_counted = np.empty(n_marks, dtype=np.int32), 0
    if any_word:
        n_counted += visit_words(*graphs, first, last, room, False, *word_rooms(), sizes, queue)
    if not all_words:
        papers = rooms(n_marks, radius)
        n_counted += visit_rings(*graphs, first, last, room, False, *papers, sizes, queue)
    return n_counted


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
    n_marks, any_word, all_words = kinds(graph_ptr)
    graphs = *read_only(graph_ptr, indptr, indices), radius, graph_of(graph_ptr, first)
    if any_word:
        visit_words(*graphs, first, last, 0, True, *word_rooms(), ring_indptr, ring_indices)
    if not all_words:
        papers = rooms(n_marks, radius)
        visit_rings(*graphs, first, last, 0, True, *papers, ring_indptr, ring_indices)


def graph_of(graph_ptr: NDArray[np.int32], node: int) -> int:
    """The graph that a node belongs to."""
    return int(graph_ptr.searchsorted(node, side="right")) - 1


@compiled
def visit_rings(
    graph_ptr: NDArray[np.int32],
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    radius: int,
    graph: int,
    first: int,
    last: int,
    room: int,
    fill: bool,
    seen: NDArray[np.int32],
    ends: NDArray[np.int64],
    bits: NDArray[np.uint64],
    bounds: NDArray[np.int64],
    members: NDArray[np.int32],
) -> int:
    """Count, or fill: one loop for both, so that it is compiled once.

    To count, sizes are written to ``bounds`` one place behind their row, and ``members`` is only a
    queue of searches. To fill, ``bounds`` say where the members of every row belong. The node
    ``first`` is one of ``graph``; ``seen``, ``ends`` and ``bits`` are ``rooms``. Graphs whose balls
    are words are passed over. Returns how many nodes were visited.
    """
    width = radius + 1
    total, n_visited, v = 0, 0, first
    while v < last and total <= room:
        start, stop = graph_ptr[graph], graph_ptr[graph + 1]
        n = stop - start
        if n > SMALL:
            row = v * width
            queue = members[bounds[row] : bounds[row + width]] if fill else members
            search(indptr, indices, radius, v, n, seen, queue, ends)
            if not fill:
                bounds[row + 1] = 1
                for j in range(1, width):
                    bounds[row + j + 1] = ends[j] - ends[j - 1]
                total += ends[radius]
            v += 1
            n_visited += 1
        elif n <= WORD:
            v = stop
        else:
            words = n_words(n)
            balls = bits[0, : n * words].reshape((n, words))
            wider = bits[1, : n * words].reshape((n, words))
            only_themselves(balls)
            for u in range(start, stop):
                if fill:
                    members[bounds[u * width]] = u
                else:
                    bounds[u * width + 1] = 1
            if not fill:
                total += n
            for j in range(1, width):
                if not grow(start, indptr, indices, balls, wider):
                    break
                # Row j of every node, or the place behind it.
                rows = bounds[start * width + j + (not fill) : stop * width + (not fill) : width]
                if fill:
                    ring_members(start, balls, wider, rows, members)
                else:
                    total += ring_sizes(balls, wider, rows)
                balls, wider = wider, balls
            v = stop
            n_visited += n
        if v == stop:
            graph += 1
    return n_visited
