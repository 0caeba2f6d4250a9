"""Targets as a user has them: one per graph, none missing; classes, or values on a scale."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import DatasetError
from graphrings.graphs.dataset import Dataset


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
    return _one_column(dataset.class_names)[dataset.targets]


def is_continuous(column: NDArray[Any]) -> bool:
    """Whether there are real numbers that are not whole, which no class is called by."""
    if column.dtype.kind == "O":
        column = np.array([v for v in column.tolist() if isinstance(v, float)])
    return column.dtype.kind == "f" and bool(np.any(column != np.floor(column)))


def is_missing(value: Any) -> bool:
    """Whether a value stands for none: None, NaN, or what pandas has for them."""
    if value is None:
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # pandas.NA does not say whether it equals itself
        return True


def _one_column(y: Any) -> NDArray[Any]:
    if not hasattr(y, "to_numpy"):  # pandas and polars have it
        listed = list(y)
        if listed and all(isinstance(value, tuple | list) for value in listed):
            return np.fromiter((tuple(value) for value in listed), dtype=object, count=len(listed))
    table = np.asarray(y.to_numpy() if hasattr(y, "to_numpy") else y)
    if table.ndim > 1 and table.size != len(table):
        raise DatasetError(
            f"targets of shape {table.shape}; expected one column, such as y[:, 0] or "
            "frame['column']"
        )
    return table.reshape(-1)
