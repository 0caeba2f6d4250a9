"""Colours as numbers 0, 1, ... without gaps, without sorting where they are small already."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

SPARSE = 4  # times as many numbers as nodes, from where on sorting is the cheaper way


def numbered(colours: NDArray[np.integer[Any]]) -> NDArray[np.int32]:
    """The same colours with numbers 0, 1, ... without gaps, in the same order."""
    numbers: NDArray[np.int32]
    if len(colours) and colours.min() >= 0 and colours.max() < SPARSE * len(colours):
        present = np.zeros(int(colours.max()) + 1, dtype=np.bool_)
        present[colours] = True
        numbers = (np.cumsum(present, dtype=np.int32) - 1)[colours]
    else:
        numbers = np.unique(colours, return_inverse=True)[1].astype(np.int32)
    return numbers


def first_of_each(colours: NDArray[np.integer[Any]]) -> NDArray[np.int32]:
    """The first node of every colour; their numbers have no gaps."""
    first = np.empty(int(colours.max(initial=-1)) + 1, dtype=np.int32)
    first[colours[::-1]] = np.arange(len(colours) - 1, -1, -1, dtype=np.int32)  # the last one stays
    return first
