"""The classes of graphs, by the names that their owner gave them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.adapters.anything import as_dataset, as_selection
from graphrings.errors import DatasetError
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.selection import Selection


def with_classes(graphs: Any, y: Any = None) -> tuple[Dataset, NDArray[Any]]:
    """Graphs as a dataset, and the class of each by its name."""
    dataset = as_dataset(graphs)
    return dataset, class_names(as_selection(dataset), y)


def class_names(graphs: Selection, y: Any = None) -> NDArray[Any]:
    """The class of every selected graph by its name."""
    dataset = graphs.dataset
    if y is None:
        if dataset.targets is None:
            raise DatasetError(f"{dataset.name}: graphs without classes; give them as y")
        return column(dataset.class_names)[dataset.targets[graphs.graphs]]
    names = column(y)
    if len(names) != len(graphs):
        raise DatasetError(f"{len(names)} classes for {len(graphs)} graphs")
    return names


def column(names: Any) -> NDArray[Any]:
    """The names of classes as one column; a name may be a tuple."""
    listed = list(names)
    if listed and all(isinstance(name, tuple | list) for name in listed):
        return np.fromiter((tuple(name) for name in listed), dtype=object, count=len(listed))
    found = np.asarray(names)
    if found.ndim > 1 and found.size != len(found):
        raise DatasetError(f"classes of shape {found.shape}; expected one class a graph")
    return found.reshape(-1)
