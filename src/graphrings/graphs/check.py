"""Whether arrays fit together, which compiled code takes for granted: the rules, as data.

Every rule reads some fields and says in a few words what is wrong. They stand in an order: a rule
may rely on those before it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import DatasetError

INTEGERS, REALS = np.dtype(np.int32), np.dtype(np.float64)
SHAPES: dict[str, tuple[np.dtype[Any], int]] = {
    "graph_ptr": (INTEGERS, 1),
    "indptr": (INTEGERS, 1),
    "indices": (INTEGERS, 1),
    "targets": (INTEGERS, 1),  # of classes; values are real numbers
    "node_labels": (INTEGERS, 1),
    "node_attributes": (REALS, 2),
    "edge_labels": (INTEGERS, 1),
    "edge_attributes": (REALS, 2),
}
FEW_ENTRIES = 100_000
NEEDED = ("graph_ptr", "indptr", "indices")
NAMES = ("class_names", "label_names", "edge_label_names")
GOOD, OUTSIDE, ASTRAY, UNSORTED, ONE_WAY = range(5)  # what may be wrong with an edge


class Rule(NamedTuple):
    """What must hold: ``fault`` says what is wrong, or None, from the fields that it reads."""

    reads: tuple[str, ...]
    fault: Callable[[Any], str | None]


Rules = tuple[Rule, ...]


def check_packed(packed: Any, rules: Rules, place: str, changed: Collection[str] = ()) -> None:
    """Refuse what breaks a rule, naming the first; with ``changed``, of these fields alone."""
    for rule in rules:
        if not changed or any(field in changed for field in rule.reads):
            fault = rule.fault(packed)
            if fault is not None:
                raise DatasetError(f"{place}: {fault}")


def check_dataset(dataset: Any, place: str) -> None:
    """Refuse a dataset whose arrays do not fit together, naming the first that does not."""
    check_packed(dataset, DATASET_RULES, place)


def as_array(values: Any, field: str) -> NDArray[Any]:
    """What a user gives for a field as the array that it must be, or a DatasetError."""
    dtype, n_dimensions = SHAPES[field]
    try:
        array = np.asarray(values)
    except (TypeError, ValueError) as error:
        raise DatasetError(f"{field}: no array ({error})") from error
    if array.ndim != n_dimensions:
        raise DatasetError(f"{field}: {array.ndim} dimensions; expected {n_dimensions}")
    if field == "targets" and array.dtype.kind == "f":
        dtype = REALS
    if array.size and array.dtype.kind not in ("iu" if dtype == INTEGERS else "iuf"):
        wanted = "whole numbers" if dtype == INTEGERS else "numbers"
        raise DatasetError(f"{field}: an array of {array.dtype}; expected {wanted}")
    if dtype == INTEGERS and array.dtype != dtype and array.size:
        least, most = int(array.min()), int(array.max())
        if least < np.iinfo(dtype).min or most > np.iinfo(dtype).max:
            raise DatasetError(f"{field}: numbers from {least} to {most}; expected 32 bits")
    return np.ascontiguousarray(array, dtype=dtype)


def bounds(ptr: NDArray[Any], last: int) -> bool:
    """Whether these rise from 0 to ``last``; differences could overflow."""
    ends = len(ptr) > 0 and ptr[0] == 0 and ptr[-1] == last
    return bool(ends and np.all(ptr[1:] >= ptr[:-1]))


def within(numbers: NDArray[Any], end: int) -> bool:
    """Whether all numbers are of 0 .. end - 1."""
    return numbers.size == 0 or bool(numbers.min() >= 0 and numbers.max() < end)


def _name(dataset: Any) -> str | None:
    name = dataset.name
    return None if isinstance(name, str) else f"name is a {type(name).__name__}; expected text"


def _types(packed: Any) -> str | None:
    for field, (dtype, n_dimensions) in SHAPES.items():
        values = getattr(packed, field, None)
        if field == "targets" and not packed.class_names and values is not None and len(values):
            dtype = REALS
        if values is None and (field not in NEEDED or not hasattr(packed, field)):
            continue
        if not isinstance(values, np.ndarray):
            return f"{field} is a {type(values).__name__}; expected an array"
        if (values.dtype, values.ndim) != (dtype, n_dimensions):
            return (
                f"{field} is {values.dtype} of {values.ndim} dimensions; "
                f"expected {dtype} of {n_dimensions}"
            )
    return None


def _names(packed: Any) -> str | None:
    for field in NAMES:
        names = getattr(packed, field)
        if not isinstance(names, tuple):
            return f"{field} is a {type(names).__name__}; expected a tuple"
        try:
            twice = len(set(names)) < len(names)
        except TypeError as error:
            return f"{field} has a name that cannot be looked up ({error})"
        if twice:
            return f"{field} has a name twice"
    return None


def _graph_bounds(packed: Any) -> str | None:
    graph_ptr, n_nodes = packed.graph_ptr, len(packed.indptr) - 1
    if n_nodes == 0 and len(graph_ptr) == 2:
        return "a graph without nodes; expected at least one"
    if n_nodes < 0 or not (bounds(graph_ptr, n_nodes) and np.all(graph_ptr[1:] > graph_ptr[:-1])):
        return f"graph_ptr does not rise from 0 to {n_nodes:,}, the number of nodes"
    return None


def _node_bounds(packed: Any) -> str | None:
    n_entries = len(packed.indices)
    if not bounds(packed.indptr, n_entries):
        return f"indptr does not rise from 0 to {n_entries:,}, the number of edge entries"
    return None


def _edges(packed: Any) -> str | None:
    wrong = edge_fault(packed.graph_ptr, packed.indptr, packed.indices)
    return {
        GOOD: None,
        OUTSIDE: f"indices has nodes that are not of 0 to {len(packed.indptr) - 2}",
        ASTRAY: "indices has an edge that leaves its graph",
        UNSORTED: "indices has a self-loop, or neighbours that do not ascend",
        ONE_WAY: "indices has an edge in one direction only",
    }[wrong]


def edge_fault(
    graph_ptr: NDArray[np.int32], indptr: NDArray[np.int32], indices: NDArray[np.int32]
) -> int:
    """What is wrong first with the edges, between bounds that are right.

    Few good edges are looked at before the compiler is imported, which takes longer.
    """
    few = len(indices) <= FEW_ENTRIES and "numba" not in sys.modules
    if few and edges_are_good(graph_ptr, indptr, indices):
        return GOOD
    from graphrings.graphs.edge_faults import first_edge_fault
    from graphrings.loops import read_only

    return first_edge_fault(*read_only(graph_ptr, indptr, indices))


def edges_are_good(
    graph_ptr: NDArray[np.int32], indptr: NDArray[np.int32], indices: NDArray[np.int32]
) -> bool:
    """Whether neighbours ascend inside their graph, none of them the node, in both directions."""
    nodes = len(indptr) - 1
    if not within(indices, nodes):
        return False
    tails = np.repeat(np.arange(nodes), np.diff(indptr))
    owner = np.repeat(np.arange(len(graph_ptr) - 1), np.diff(graph_ptr))
    descends = (tails[1:] == tails[:-1]) & (indices[1:] <= indices[:-1])
    mirror = np.argsort(indices, kind="stable")
    return bool(
        np.all(owner[tails] == owner[indices])
        and not np.any(tails == indices)
        and not np.any(descends)
        and np.array_equal(indices[mirror], tails)
        and np.array_equal(tails[mirror], indices)
    )


def _targets(dataset: Any) -> str | None:
    targets, n_graphs = dataset.targets, len(dataset.graph_ptr) - 1
    if targets is None:
        return None
    if len(targets) != n_graphs:
        return f"targets are {len(targets):,} for {n_graphs:,} graphs"
    if targets.dtype.kind == "f" and not np.isfinite(targets).all():
        return "targets are not finite numbers"
    if targets.dtype.kind != "f" and not within(targets, len(dataset.class_names)):
        return f"targets are not classes from 0 to {len(dataset.class_names) - 1}"
    return None


def _target(graph: Any) -> str | None:
    target, n_classes = graph.target, len(graph.class_names)
    if target is None:
        return None
    if isinstance(target, bool) or not isinstance(target, int | float):
        return f"target is a {type(target).__name__}; expected a number"
    if n_classes and not (isinstance(target, int) and 0 <= target < n_classes):
        return f"target {target} is no class from 0 to {n_classes - 1}"
    return None if np.isfinite(target) else "target is not a finite number"


def _labels(field: str, names: str, beside: str) -> Rule:
    def fault(packed: Any) -> str | None:
        labels, n_names = getattr(packed, field), len(getattr(packed, names))
        count = _count(packed, beside)
        if labels is None or (len(labels) == count and within(labels, n_names)):
            return None
        return f"{field} are not {count:,} numbers from 0 to {n_names - 1}"

    return Rule((field, names, beside), fault)


def _attributes(field: str, beside: str) -> Rule:
    def fault(packed: Any) -> str | None:
        rows, count = getattr(packed, field), _count(packed, beside)
        if rows is None or (len(rows) == count and np.isfinite(rows).all()):
            return None
        return f"{field} are not {count:,} rows of finite numbers"

    return Rule((field, beside), fault)


def _count(packed: Any, beside: str) -> int:
    """How many nodes there are, or edge entries."""
    return len(packed.indptr) - 1 if beside == "indptr" else len(packed.indices)


def _smiles(dataset: Any) -> str | None:
    smiles, n_graphs = dataset.smiles, len(dataset.graph_ptr) - 1
    if not isinstance(smiles, tuple) or not all(isinstance(text, str) for text in smiles):
        return "smiles are not a tuple of text"
    if smiles and len(smiles) != n_graphs:
        return f"smiles are {len(smiles):,} for {n_graphs:,} graphs"
    return None


def _folds(dataset: Any) -> str | None:
    n_graphs = len(dataset.graph_ptr) - 1
    for k, fold in enumerate(dataset.folds, start=1):
        if not isinstance(fold, tuple) or len(fold) != 2:
            return f"fold {k} is not a pair of training and test graphs"
        train, test = (np.asarray(side) for side in fold)
        for side in (train, test):
            if side.size and (side.ndim != 1 or side.dtype.kind not in "iu"):
                return f"fold {k} is not two lists of whole numbers"
            if not within(side, n_graphs):
                return f"fold {k} has graphs that are not of 0 to {n_graphs - 1}"
        if len(both := np.intersect1d(train, test)):
            return f"fold {k} has graph {both[0]} in train and in test"
    return None


_SHARED = (
    Rule(("indptr", "indices"), _node_bounds),
    Rule(("graph_ptr", "indptr", "indices"), _edges),
    _labels("node_labels", "label_names", "indptr"),
    _labels("edge_labels", "edge_label_names", "indices"),
    _attributes("node_attributes", "indptr"),
    _attributes("edge_attributes", "indices"),
)
GRAPH_RULES = (
    Rule((*SHAPES, "class_names"), _types),
    Rule(NAMES, _names),
    Rule(("indptr",), _graph_bounds),
    *_SHARED,
    Rule(("target", "class_names"), _target),
)
DATASET_RULES = (
    Rule(("name",), _name),
    Rule((*SHAPES, "class_names"), _types),
    Rule(NAMES, _names),
    Rule(("graph_ptr", "indptr"), _graph_bounds),
    *_SHARED,
    Rule(("targets", "class_names", "graph_ptr"), _targets),
    Rule(("smiles", "graph_ptr"), _smiles),
    Rule(("folds", "graph_ptr"), _folds),
)
