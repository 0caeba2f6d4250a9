"""Whether arrays fit together, which compiled code takes for granted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import DatasetError
from graphrings.graphs.arrays import NAMES
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.pack import is_symmetric

SHAPES: dict[str, tuple[type, int]] = {
    "graph_ptr": (np.int32, 1),
    "indptr": (np.int32, 1),
    "indices": (np.int32, 1),
    "node_labels": (np.int32, 1),
    "node_attributes": (np.float64, 2),
    "edge_labels": (np.int32, 1),
    "edge_attributes": (np.float64, 2),
}


def check_dataset(dataset: Dataset, place: str) -> None:
    """Refuse a dataset whose arrays do not fit together, naming the first that does not."""
    fault = next(_faults(dataset), None)
    if fault is not None:
        raise DatasetError(f"{place}: {fault}")


def _faults(dataset: Dataset) -> Iterator[str]:
    """What is wrong; a later check relies on the earlier ones, so only the first counts."""
    yield from _faults_of_types(dataset)
    yield from _faults_of_edges(dataset)
    yield from _faults_of_targets(dataset)
    n_nodes, n_entries = dataset.n_nodes, len(dataset.indices)
    for field, labels, count, n_names in (
        ("node_labels", dataset.node_labels, n_nodes, dataset.n_labels),
        ("edge_labels", dataset.edge_labels, n_entries, len(dataset.edge_label_names)),
    ):
        if labels is not None and not (len(labels) == count and within(labels, n_names)):
            yield f"{field} are not {count:,} numbers from 0 to {n_names - 1}"
    for field, rows, count in (
        ("node_attributes", dataset.node_attributes, n_nodes),
        ("edge_attributes", dataset.edge_attributes, n_entries),
    ):
        if rows is not None and not (len(rows) == count and np.isfinite(rows).all()):
            yield f"{field} are not {count:,} rows of finite numbers"
    if dataset.smiles and len(dataset.smiles) != len(dataset):
        yield f"smiles are {len(dataset.smiles):,} for {len(dataset):,} graphs"
    for k, fold in enumerate(dataset.folds, start=1):
        if not all(within(side, len(dataset)) for side in fold):
            yield f"fold {k} has graphs that are not of 0 to {len(dataset) - 1}"
        if len(np.intersect1d(*fold)):
            yield f"fold {k} has graph {np.intersect1d(*fold)[0]} in train and in test"


def _faults_of_types(dataset: Dataset) -> Iterator[str]:
    shapes = {**SHAPES, "targets": (np.int32 if dataset.class_names else np.float64, 1)}
    for field, (dtype, n_dimensions) in shapes.items():
        values = getattr(dataset, field)
        if values is not None and (values.dtype, values.ndim) != (dtype, n_dimensions):
            yield (
                f"{field} is {values.dtype} of {values.ndim} dimensions; "
                f"expected {np.dtype(dtype)} of {n_dimensions}"
            )
    for field in NAMES:
        names = getattr(dataset, field)
        if len(set(names)) < len(names):
            yield f"{field} has a name twice"


def _faults_of_edges(dataset: Dataset) -> Iterator[str]:
    graph_ptr, indptr, heads = dataset.graph_ptr, dataset.indptr, dataset.indices
    if not (bounds(graph_ptr, dataset.n_nodes) and np.all(graph_ptr[1:] > graph_ptr[:-1])):
        yield f"graph_ptr does not rise from 0 to {dataset.n_nodes:,}, the number of nodes"
    if not bounds(indptr, len(heads)):
        yield f"indptr does not rise from 0 to {len(heads):,}, the number of edge entries"
    if not within(heads, dataset.n_nodes):
        yield f"indices has nodes that are not of 0 to {dataset.n_nodes - 1}"
    tails = np.repeat(np.arange(dataset.n_nodes, dtype=np.int32), dataset.degrees)
    if not np.array_equal(dataset.owner[tails], dataset.owner[heads]):
        yield "indices has an edge that leaves its graph"
    same_tail = tails[1:] == tails[:-1]
    if np.any(tails == heads) or np.any(same_tail & (heads[1:] <= heads[:-1])):
        yield "indices has a self-loop, or neighbours that do not ascend"
    if not is_symmetric(tails, heads, dataset.n_nodes):
        yield "indices has an edge in one direction only"


def _faults_of_targets(dataset: Dataset) -> Iterator[str]:
    targets = dataset.targets
    if targets is None:
        return
    if len(targets) != len(dataset):
        yield f"targets are {len(targets):,} for {len(dataset):,} graphs"
    if dataset.has_values and not np.isfinite(targets).all():
        yield "targets are not finite numbers"
    if not dataset.has_values and not within(targets, dataset.n_classes):
        yield f"targets are not classes from 0 to {dataset.n_classes - 1}"


def bounds(ptr: NDArray[Any], last: int) -> bool:
    """Whether these rise from 0 to ``last``; differences could overflow."""
    ends = len(ptr) > 0 and ptr[0] == 0 and ptr[-1] == last
    return bool(ends and np.all(ptr[1:] >= ptr[:-1]))


def within(numbers: NDArray[Any], end: int) -> bool:
    """Whether all numbers are of 0 .. end - 1."""
    return bool(np.all((numbers >= 0) & (numbers < end)))
