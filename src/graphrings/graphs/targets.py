"""Targets as a user has them: one per graph, none missing; classes, or values on a scale."""

from __future__ import annotations

from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import DatasetError
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.numbering import NOTHING, Numbered, renumber


def numbered_targets(y: Any, n_graphs: int) -> Numbered:
    """Targets as a dataset holds them: numbers of classes with their names, or values.

    Real numbers that are not whole are values; everything else names a class.
    """
    if y is None:
        return NOTHING
    column = target_column(y, n_graphs)
    if is_continuous(column):
        return _values(column), ()
    try:
        return renumber(column)
    except TypeError as error:
        raise DatasetError(
            f"targets must be hashable: numbers, strings or tuples ({error})"
        ) from error


def target_column(y: Any, n_graphs: int) -> NDArray[Any]:
    """One target per graph, from a list, an array, or a pandas Series or one-column DataFrame.

    A target may be a tuple. Several columns, another length and missing values are refused.
    """
    column = _one_column(y)
    if len(column) != n_graphs:
        raise DatasetError(f"{len(column)} targets for {n_graphs} graphs; expected one per graph")
    missing = [i for i, value in enumerate(column.tolist()) if is_missing(value)]
    if missing:
        raise DatasetError(
            f"{len(missing)} of {len(column)} targets are missing, the first is number "
            f"{missing[0]} ({column[missing[0]]}); expected one for every graph"
        )
    return column


def own_targets(dataset: Dataset) -> NDArray[Any]:
    """The targets that a dataset brings: names of classes, or values."""
    if dataset.targets is None:
        raise DatasetError(f"{dataset.name}: graphs without targets; give them as y")
    if not dataset.class_names:
        return dataset.targets
    names = _one_column(dataset.class_names)
    return names.take(dataset.targets)


def is_continuous(column: NDArray[Any]) -> bool:
    """Whether there are real numbers that are not whole, or infinite; no class is called so."""
    if column.dtype.kind == "O":
        column = np.array([float(value) for value in column.tolist() if _is_real(value)])
    if column.dtype.kind != "f":
        return False
    return bool(np.any((column != np.floor(column)) | np.isinf(column)))


def is_missing(value: Any) -> bool:
    """Whether a value stands for none: None, NaN, or what pandas has for them."""
    if value is None:
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # pandas.NA does not say whether it equals itself
        return True


def _is_real(value: Any) -> bool:
    return isinstance(value, Real | Decimal) and not isinstance(value, Integral)


def _values(column: NDArray[Any]) -> NDArray[np.float64]:
    """Numbers as values; some are not whole, so that all must be numbers."""
    for i, value in enumerate(column.tolist()):
        if not isinstance(value, Real | Decimal) or not np.isfinite(float(value)):
            raise DatasetError(
                f"target number {i} is {value!r} among numbers that are not whole; "
                "expected finite numbers, or classes throughout"
            )
    return column.astype(np.float64)


def _one_column(y: Any) -> NDArray[Any]:
    try:
        table = np.asarray(y.to_numpy()) if hasattr(y, "to_numpy") else _as_array(y)
    except (TypeError, ValueError) as error:
        raise DatasetError(
            f"targets of type {type(y).__name__} that make no column ({error}); "
            "expected one target per graph"
        ) from error
    if table.ndim > 1 and table.size != len(table):
        raise DatasetError(
            f"targets of shape {table.shape}; expected one column, such as y[:, 0] or "
            "frame['column']"
        )
    return table.reshape(-1)


def _as_array(y: Any) -> NDArray[Any]:
    """An array of whatever is listed, in which everything stays what it is."""
    if hasattr(y, "__array__"):
        return np.asarray(y)
    listed = list(y)
    texts, wholes = (sum(isinstance(v, kind) for v in listed) for kind in (str, Integral))
    mixed = 0 < texts < len(listed) or any(isinstance(value, tuple) for value in listed)
    array = None if mixed else np.asarray(listed)
    if array is None or (array.dtype.kind == "f" and 0 < wholes == len(listed)):
        # Numpy would make text of all, a table of tuples, and real numbers of large integers.
        return np.fromiter(listed, dtype=object, count=len(listed))
    return array
