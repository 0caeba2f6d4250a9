"""The rings of graphs of at most 64 nodes, such as molecules: a ball is one word of bits.

Nothing branches on what a processor cannot guess: how many neighbours a node has, and how many
members a ring. Both are taken four at a time.
"""

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled, inlined
from graphrings.distances.bits import ONE, WORD, lowest, n_bits

STRIDE = 4


def word_rooms() -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.int32]]:
    """What ``visit_words`` writes on: balls of every radius, some neighbours, the members."""
    balls = np.empty((WORD + 2, WORD), dtype=np.uint64)
    near = np.empty((WORD, STRIDE), dtype=np.uint64)
    return balls, near, np.empty(WORD * WORD + STRIDE, dtype=np.int32)


@compiled
def visit_words(
    graph_ptr: NDArray[np.int32],
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    radius: int,
    graph: int,
    first: int,
    last: int,
    room: int,
    fill: bool,
    balls: NDArray[np.uint64],
    near: NDArray[np.uint64],
    paper: NDArray[np.int32],
    bounds: NDArray[np.int64],
    members: NDArray[np.int32],
) -> int:
    """What ``visit_rings`` does for larger graphs; the others are passed over.

    ``balls``, ``near`` and ``paper`` are ``word_rooms``.
    """
    total, n_visited, v = 0, 0, first
    while v < last and total <= room:
        start, stop = int(graph_ptr[graph]), int(graph_ptr[graph + 1])
        n = stop - start
        if n <= WORD:
            n_radii = grow_words(start, n, indptr, indices, radius, near, balls)
            if fill:
                place = bounds[start * (radius + 1)]
                write_words(start, n, n_radii, balls, paper, members[place:])
            else:
                total += count_words(start, n, n_radii, balls, radius + 1, bounds)
            n_visited += n
        v, graph = stop, graph + 1
    return n_visited


@inlined
def grow_words(
    first: int,
    n: int,
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    radius: int,
    near: NDArray[np.uint64],
    balls: NDArray[np.uint64],
) -> int:
    """Write the balls of n nodes from ``first`` on, radius j to ``balls[j + 1]``, while any grows.

    Returns how many radii were written; ``balls[0]`` are empty. Most nodes have few neighbours, so
    that ``near`` holds four of each, the last one repeated, and those behind are walked through.
    """
    for v in range(n):
        balls[0, v], balls[1, v] = 0, ONE << np.uint64(v)
        begin, end = indptr[first + v], indptr[first + v + 1]
        for k in range(STRIDE):
            near[v, k] = indices[min(begin + k, end - 1)] - first if begin < end else v
    for j in range(1, radius + 1):
        grew = np.uint64(0)
        for v in range(n):
            ball = balls[j, v]
            for k in range(STRIDE):
                ball |= balls[j, near[v, k]]
            for e in range(indptr[first + v] + STRIDE, indptr[first + v + 1]):
                ball |= balls[j, indices[e] - first]
            balls[j + 1, v] = ball
            grew |= ball ^ balls[j, v]
        if grew == 0:
            return j
    return radius + 1


@inlined
def count_words(
    first: int,
    n: int,
    n_radii: int,
    balls: NDArray[np.uint64],
    width: int,
    sizes: NDArray[np.int64],
) -> int:
    """Write the sizes of all rings, each one place behind its row; returns their sum."""
    total = 0
    for v in range(n):
        for j in range(n_radii):
            size = n_bits(balls[j + 1, v] ^ balls[j, v])
            sizes[(first + v) * width + j + 1] = size
            total += size
    return total


@inlined
def write_words(
    first: int,
    n: int,
    n_radii: int,
    balls: NDArray[np.uint64],
    paper: NDArray[np.int32],
    members: NDArray[np.int32],
) -> None:
    """Write the members of all rings, one after the other.

    They are written to ``paper`` first, four at a time: what is too much, the next ring overwrites.
    """
    at = np.uint64(0)  # numbers without a sign are not counted from the end
    for v in range(n):
        for j in range(n_radii):
            left = balls[j + 1, v] ^ balls[j, v]
            k, at = at, at + np.uint64(n_bits(left))
            while left != 0:
                for i in range(STRIDE):
                    paper[k + np.uint64(i)] = first + lowest(left)
                    left &= left - ONE
                k += np.uint64(STRIDE)
    for e in range(at):
        members[e] = paper[e]
