"""From a list of edges to packed simple undirected graphs."""

import warnings
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.errors import DatasetError, DatasetNote
from graphrings.graphs.dataset import Dataset, Fold, Names, Repairs

MOST_ENTRIES = np.iinfo(np.int32).max


def pack(
    name: str,
    graph_ptr: NDArray[Any],
    tails: NDArray[Any],
    heads: NDArray[Any],
    *,
    directed: bool = True,
    targets: tuple[NDArray[np.int32] | None, Names] = (None, ()),
    node_labels: tuple[NDArray[np.int32] | None, Names] = (None, ()),
    node_attributes: NDArray[np.float64] | None = None,
    edge_labels: tuple[NDArray[np.int32] | None, Names] = (None, ()),
    edge_attributes: NDArray[np.float64] | None = None,
    folds: tuple[Fold, ...] = (),
) -> Dataset:
    """Build a dataset from edge entries (tail, head) over all nodes; say what had to be repaired.

    ``directed`` entries are expected in both directions, so that a missing one is a repair. Of
    repeated entries the first keeps its label and attributes; a missing direction takes them over.
    """
    n_nodes = int(graph_ptr[-1])
    if max(n_nodes, 2 * len(tails)) > MOST_ENTRIES:
        raise DatasetError(
            f"{name}: {n_nodes:,} nodes and {len(tails):,} edge entries; "
            f"one dataset holds at most {MOST_ENTRIES:,} of either"
        )
    tails, heads = tails.astype(np.int32, copy=False), heads.astype(np.int32, copy=False)
    kept, indptr, indices, repairs = simple(tails, heads, n_nodes)
    if not directed:
        repairs = repairs._replace(one_way=0)
    if any(repairs):
        warnings.warn(f"{name}: {repairs}", DatasetNote, stacklevel=2)
    return Dataset(
        name=name,
        graph_ptr=graph_ptr.astype(np.int32),
        indptr=indptr,
        indices=indices,
        targets=targets[0],
        class_names=targets[1],
        node_labels=node_labels[0],
        label_names=node_labels[1],
        node_attributes=node_attributes,
        edge_labels=None if edge_labels[0] is None else edge_labels[0][kept],
        edge_label_names=edge_labels[1],
        edge_attributes=None if edge_attributes is None else edge_attributes[kept],
        folds=folds,
        repairs=repairs,
    )


def simple(
    tails: NDArray[np.int32], heads: NDArray[np.int32], n_nodes: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], Repairs]:
    """Sort entries into CSR form without loops and repeats, and in both directions.

    Returns the number of the entry that each kept one came from, the CSR arrays, and the repairs.
    """
    kept = np.flatnonzero(tails != heads).astype(np.int32)
    self_loops = len(tails) - len(kept)
    tails, heads = tails[kept], heads[kept]
    first = distinct(tails, heads, n_nodes)
    repeated = len(kept) - len(first)
    kept, tails, heads = kept[first], tails[first], heads[first]
    one_way = 0
    mirror = stable_order(heads, n_nodes)
    if not (np.array_equal(heads[mirror], tails) and np.array_equal(tails[mirror], heads)):
        n_entries = len(kept)
        kept = np.concatenate([kept, kept])
        tails, heads = np.concatenate([tails, heads]), np.concatenate([heads, tails])
        first = distinct(tails, heads, n_nodes)
        one_way = len(first) - n_entries
        kept, tails, heads = kept[first], tails[first], heads[first]
    indptr = np.zeros(n_nodes + 1, dtype=np.int32)
    np.cumsum(np.bincount(tails, minlength=n_nodes), out=indptr[1:])
    return kept, indptr, heads, Repairs(self_loops, repeated, one_way)


def distinct(tails: NDArray[np.int32], heads: NDArray[np.int32], n_nodes: int) -> NDArray[np.int32]:
    """The entries sorted by (tail, head), of equal ones only the first."""
    order = stable_order(heads, n_nodes)
    order = order[stable_order(tails[order], n_nodes)]
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = (np.diff(tails[order]) != 0) | (np.diff(heads[order]) != 0)
    return order[new]


@compiled
def stable_order(keys: NDArray[np.int32], n_keys: int) -> NDArray[np.int32]:
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
    distinct_values, numbers = np.unique(table, axis=0, return_inverse=True)
    found = distinct_values.tolist()
    names = tuple(tuple(row) for row in found) if table.ndim == 2 else tuple(found)
    return numbers.astype(np.int32).reshape(-1), names


def sorted_names(names: set[Any]) -> Names:
    """Names of any types in an order that depends on nothing else: numbers, then by type."""
    return tuple(sorted(names, key=_sorting_key))


def _sorting_key(value: Hashable) -> tuple[str, Any]:
    if isinstance(value, int | float):
        return "", value
    return type(value).__name__, value if isinstance(value, str) else repr(value)
