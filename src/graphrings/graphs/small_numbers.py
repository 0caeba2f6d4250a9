"""Whole numbers that are told apart without sorting, where they are small."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

SPARSE = 4  # times as many numbers as there are values, from where on sorting is the cheaper way
FEW = 1000  # numbers are always counted


def distinct(values: NDArray[np.integer[Any]]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The different values, ascending, and the number of every one among them."""
    if not is_small(values):
        return np.unique(values, return_inverse=True)
    present = np.zeros(int(values.max()) + 1, dtype=np.bool_)
    present[values] = True
    return np.flatnonzero(present).astype(values.dtype), (np.cumsum(present) - 1)[values]


def numbered(values: NDArray[np.integer[Any]]) -> NDArray[np.int32]:
    """Values as numbers 0, 1, ... without gaps, in the same order."""
    return distinct(values)[1].astype(np.int32)


def first_of_each(numbers: NDArray[np.integer[Any]]) -> NDArray[np.int32]:
    """Where every number comes first; there are no gaps between them."""
    first = np.empty(int(numbers.max(initial=-1)) + 1, dtype=np.int32)
    first[numbers[::-1]] = np.arange(len(numbers) - 1, -1, -1, dtype=np.int32)  # the last one stays
    return first


def is_small(values: NDArray[np.integer[Any]]) -> bool:
    """Whether values are from 0 to not many times as far as there are values."""
    return len(values) > 0 and values.min() >= 0 and values.max() < FEW + SPARSE * len(values)
