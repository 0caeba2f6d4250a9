"""What compiled loops share: a hash, breadth-first search, binary search, merge sort, more room."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled, part_of_loops

GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@compiled
def mixed(number: np.uint64) -> np.uint64:
    """A well-mixed image of a number: what splitmix64 draws in that state."""
    x = number + GOLDEN
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@compiled
def next_ring(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    n_nodes: int,
    mark: int,
    seen: NDArray[np.int32],
    queue: NDArray[np.int32],
    start: int,
    stop: int,
) -> int:
    """One step of a breadth-first search: append the new neighbours of ``queue[start:stop]``.

    ``seen[u] == mark`` says that u was met before, so that ``seen`` is never cleared. Once all
    ``n_nodes`` of the graph are met there is nothing left to look for: ego networks end early.
    Returns where the queue ends.
    """
    end = stop
    for k in range(start, stop):
        if end == n_nodes:
            break
        u = queue[k]
        for e in range(indptr[u], indptr[u + 1]):
            w = indices[e]
            if seen[w] != mark:
                seen[w] = mark
                queue[end] = w
                end += 1
    return end


@compiled
def first_from(values: NDArray[np.int32], low: int, high: int, least: int) -> int:
    """The first place of the sorted ``values[low:high]`` with ``least`` or more, else ``high``."""
    while low < high:
        middle = (low + high) // 2
        if values[middle] < least:
            low = middle + 1
        else:
            high = middle
    return low


@part_of_loops
def merge_sorted(
    order: NDArray[np.int64],
    spare: NDArray[np.int64],
    comes_before: Callable[..., bool],
    *told: Any,
) -> NDArray[np.int64]:
    """Sort ``order`` by the loop ``comes_before(a, b, *told)``; equal ones stay as they stand.

    The result is one of the two arrays; what the other holds then means nothing.
    """
    run = 1
    while run < len(order):
        for first in range(0, len(order), 2 * run):
            middle, last = min(len(order), first + run), min(len(order), first + 2 * run)
            left, right = first, middle
            for at in range(first, last):
                if right < last and (
                    left == middle or comes_before(order[right], order[left], *told)
                ):
                    spare[at] = order[right]
                    right += 1
                else:
                    spare[at] = order[left]
                    left += 1
        order, spare = spare, order
        run *= 2
    return order


@compiled
def twice_as_wide(table: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same columns with as much room again behind them."""
    wider = np.empty((table.shape[0], 2 * table.shape[1]), dtype=table.dtype)
    wider[:, : table.shape[1]] = table
    return wider
