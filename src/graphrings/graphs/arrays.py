"""A dataset as named arrays and lists of plain names, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import DatasetError
from graphrings.graphs.check import NAMES as NAMES
from graphrings.graphs.chemistry import chemistry_from
from graphrings.graphs.dataset import Dataset

ARRAYS = (
    "graph_ptr",
    "indptr",
    "indices",
    "targets",
    "node_labels",
    "node_attributes",
    "edge_labels",
    "edge_attributes",
)
DEEPEST = 8  # tuples inside tuples that a name may have


def arrays_of(dataset: Dataset) -> dict[str, NDArray[Any]]:
    """The arrays that the graphs have, by name; folds are left out."""
    arrays = {name: getattr(dataset, name) for name in ARRAYS}
    return {name: values for name, values in arrays.items() if values is not None}


def names_of(dataset: Dataset) -> dict[str, Any]:
    """What classes and labels are called, as JSON has it: tuples are lists.

    Graphs that came as molecules have their SMILES and their chemistry there too.
    """
    names: dict[str, Any] = {
        field: [plain_name(name) for name in getattr(dataset, field)] for field in NAMES
    }
    if dataset.smiles:
        names["smiles"] = list(dataset.smiles)
    if dataset.chemistry is not None:
        names["chemistry"] = asdict(dataset.chemistry)
    return names


def dataset_from(
    name: str, names: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], **more: Any
) -> Dataset:
    """The dataset of these arrays, not checked yet; lists among the names become tuples."""
    parts: dict[str, Any] = {field: arrays[field] for field in ARRAYS if field in arrays}
    parts |= {field: restored_name(names[field]) for field in NAMES}
    parts["smiles"] = tuple(names.get("smiles", ()))
    if "chemistry" in names:
        parts["chemistry"] = chemistry_from(names["chemistry"])
    return Dataset.trusted(name=name, **parts, **more)


def is_plain_name(value: Any, depth: int = DEEPEST) -> bool:
    """Whether JSON has read what may be a name: no mapping, and lists not too deep in lists."""
    if isinstance(value, list):
        return depth > 0 and all(is_plain_name(part, depth - 1) for part in value)
    return not isinstance(value, dict)


def plain_name(value: Any, depth: int = DEEPEST) -> Any:
    """A name as JSON has it: tuples are lists."""
    if isinstance(value, tuple) and depth > 0:
        return [plain_name(part, depth - 1) for part in value]
    if isinstance(value, np.generic):
        return value.item()
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise DatasetError(
        f"a label or class is called {value!r} of type {type(value).__name__}, which cannot be "
        "kept in a file; use numbers, text, or tuples of them"
    )


def restored_name(value: Any) -> Any:
    """The name that JSON has read: lists are tuples."""
    return tuple(map(restored_name, value)) if isinstance(value, list) else value
