"""Two datasets laid into one."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import DatasetError
from graphrings.graphs.dataset import Dataset, Names
from graphrings.graphs.pack import check_counts

Labels = Literal["node_labels", "edge_labels"]
NAMES: dict[Labels, Literal["label_names", "edge_label_names"]] = {
    "node_labels": "label_names",
    "edge_labels": "edge_label_names",
}


def join(one: Dataset, other: Dataset) -> Dataset:
    """The graphs of both, without classes; labels of one name get one number.

    Edge labels and attributes stay where both sides have them.
    """
    node_labels, label_names = _labels(one, other, "node_labels")
    edge_labels, edge_label_names = _labels(one, other, "edge_labels")
    check_counts(one.name, one.n_nodes + other.n_nodes, one.n_edges + other.n_edges)
    return Dataset.trusted(
        name=one.name,
        graph_ptr=_behind(one.graph_ptr, other.graph_ptr),
        indptr=_behind(one.indptr, other.indptr),
        indices=np.concatenate([one.indices, other.indices + np.int32(one.n_nodes)]),
        node_labels=node_labels,
        label_names=label_names,
        node_attributes=_rows(one.node_attributes, other.node_attributes),
        edge_labels=edge_labels,
        edge_label_names=edge_label_names,
        edge_attributes=_rows(one.edge_attributes, other.edge_attributes),
    )


def _behind(one: NDArray[np.int32], other: NDArray[np.int32]) -> NDArray[np.int32]:
    return np.concatenate([one, other[1:] + one[-1]])


def _labels(one: Dataset, other: Dataset, field: Labels) -> tuple[NDArray[np.int32] | None, Names]:
    """The labels of both in one numbering: that of the first, and behind it what is new."""
    first, second = getattr(one, field), getattr(other, field)
    if first is None or second is None:
        if field == "node_labels" and (first is None) != (second is None):
            said = ("no node labels", "node labels")
            raise DatasetError(
                f"{other.name}: graphs with {said[second is not None]}; the kernel was fitted to "
                f"graphs with {said[first is not None]}"
            )
        return None, ()
    alphabets: tuple[Names, Names] = getattr(one, NAMES[field]), getattr(other, NAMES[field])
    if alphabets[0] == alphabets[1]:
        return np.concatenate([first, second]), alphabets[0]
    names = tuple(dict.fromkeys([*alphabets[0], *alphabets[1]]))
    number = {name: k for k, name in enumerate(names)}
    parts = [
        np.array([number[name] for name in alphabet], dtype=np.int32)[labels]
        for alphabet, labels in zip(alphabets, (first, second), strict=True)
    ]
    return np.concatenate(parts), names


def _rows(one: NDArray[Any] | None, other: NDArray[Any] | None) -> NDArray[Any] | None:
    if one is None or other is None or one.shape[1:] != other.shape[1:]:
        return None
    return np.concatenate([one, other])
