"""Labels and classes as numbers 0, 1, ... that lead back to their names."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.graphs.dataset import Names

Numbered = tuple[NDArray[Any] | None, Names]  # a number for everyone, and what the numbers mean
NOTHING: Numbered = (None, ())


def renumber(values: NDArray[Any] | Sequence[Hashable]) -> tuple[NDArray[np.int32], Names]:
    """Number values 0, 1, ... in sorted order and keep their names.

    Rows of a table with several columns are values too: tuples.
    """
    if not isinstance(values, np.ndarray) or values.dtype == object:
        plain = [value.item() if isinstance(value, np.generic) else value for value in values]
        names = sorted_names(set(plain))
        number = {name: k for k, name in enumerate(names)}
        return np.array([number[value] for value in plain], dtype=np.int32), names
    table = values[:, 0] if values.ndim == 2 and values.shape[1] == 1 else values
    distinct, numbers = np.unique(table, axis=0, return_inverse=True)
    rows = distinct.tolist()
    names = tuple(map(tuple, rows)) if table.ndim == 2 else tuple(rows)
    return numbers.astype(np.int32).reshape(-1), names


def sorted_names(names: set[Any]) -> Names:
    """Names of any types in an order that depends on nothing else: numbers, then by type."""
    return tuple(sorted(names, key=_sorting_key))


def _sorting_key(value: Hashable) -> tuple[str, Any]:
    if isinstance(value, int | float):
        return "", value
    if isinstance(value, tuple):
        return "tuple", tuple(map(_sorting_key, value))
    return type(value).__name__, value if isinstance(value, str) else repr(value)
