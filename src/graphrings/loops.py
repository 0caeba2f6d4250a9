"""What compiled loops share: a hash, binary search, merge sort, more room, arrays as they like."""

from collections.abc import Callable
from typing import Any, TypeVarTuple, cast

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled

Arrays = TypeVarTuple("Arrays")
# Numbers without a sign cannot count from the end of an array, so that loops do not look for it.
U = np.uint64
ZERO, ONE, TWO = U(0), U(1), U(2)
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def read_only(*arrays: *Arrays) -> tuple[*Arrays]:
    """Views that cannot be written to: a loop is compiled once for them, whoever made arrays."""
    views = tuple(array.view() for array in cast(tuple[NDArray[Any], ...], arrays))
    for view in views:
        view.flags.writeable = False
    return cast(tuple[*Arrays], views)


@compiled
def mixed(number: np.uint64) -> np.uint64:
    """A well-mixed image of a number: what splitmix64 draws in that state."""
    x = number + GOLDEN
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


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


def merge_sort(comes_before: Callable[..., bool]) -> Callable[..., NDArray[np.int64]]:
    """The loop that sorts numbers by the loop ``comes_before(a, b, *told)``, stably.

    It is called with the numbers, an array to spare of the same length, and what ``comes_before``
    is told. It returns one of the two arrays; what the other holds then means nothing.
    """

    def sort(order: NDArray[np.int64], spare: NDArray[np.int64], *told: Any) -> NDArray[np.int64]:
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

    # Machine code finds functions by this name and the types of their arguments alone.
    sort.__qualname__ = f"sort_by_{comes_before.__module__}.{comes_before.__name__}"
    return compiled(sort)


@compiled
def twice_as_wide(table: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same columns with as much room again behind them."""
    wider = np.empty((table.shape[0], 2 * table.shape[1]), dtype=table.dtype)
    wider[:, : table.shape[1]] = table
    return wider
