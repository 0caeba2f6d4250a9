"""Sorting by counting, which many edge entries are worth compiling."""

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled


@compiled
def counted_order(keys: NDArray[np.int32], n_keys: int) -> NDArray[np.int32]:
    """The stable sorting order of keys in 0 .. n_keys - 1, by counting."""
    start = np.zeros(n_keys + 1, dtype=np.int32)
    for key in keys:
        start[key + 1] += 1
    for key in range(n_keys):
        start[key + 1] += start[key]
    order = np.empty(len(keys), dtype=np.int32)
    for i in range(len(keys)):
        order[start[keys[i]]] = i
        start[keys[i]] += 1
    return order
