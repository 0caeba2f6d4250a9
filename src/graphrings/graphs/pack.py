"""From a list of edges to packed simple undirected graphs."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import DatasetError, DatasetNote
from graphrings.graphs.dataset import Dataset, Fold, Repairs
from graphrings.graphs.numbering import NOTHING, Numbered

MOST_ENTRIES = np.iinfo(np.int32).max
FEW_ENTRIES = 100_000  # are sorted before the compiler is imported


def pack(
    name: str,
    graph_ptr: NDArray[Any],
    tails: NDArray[Any],
    heads: NDArray[Any],
    *,
    directed: bool = True,
    targets: Numbered = NOTHING,
    node_labels: Numbered = NOTHING,
    node_attributes: NDArray[np.float64] | None = None,
    edge_labels: Numbered = NOTHING,
    edge_attributes: NDArray[np.float64] | None = None,
    folds: tuple[Fold, ...] = (),
) -> Dataset:
    """Build a dataset from edge entries (tail, head) over all nodes; say what had to be repaired.

    ``directed`` entries are expected in both directions, so that a missing one is a repair. Of
    repeated entries the first keeps its label and attributes; a missing direction takes them over.
    """
    n_nodes = int(graph_ptr[-1])
    check_counts(name, n_nodes, len(tails))
    tails, heads = tails.astype(np.int32, copy=False), heads.astype(np.int32, copy=False)
    origin, indptr, indices, repairs = simple(tails, heads, n_nodes)
    if not directed:
        repairs = repairs._replace(one_way=0)
    if any(repairs):
        warnings.warn(f"{name}: {repairs}", DatasetNote, stacklevel=2)
    return Dataset.trusted(
        name=name,
        graph_ptr=graph_ptr.astype(np.int32),
        indptr=indptr,
        indices=indices,
        targets=targets[0],
        class_names=targets[1],
        node_labels=node_labels[0],
        label_names=node_labels[1],
        node_attributes=node_attributes,
        edge_labels=None if edge_labels[0] is None else edge_labels[0][origin],
        edge_label_names=edge_labels[1],
        edge_attributes=None if edge_attributes is None else edge_attributes[origin],
        folds=folds,
        repairs=repairs,
    )


def check_counts(name: str, n_nodes: int, n_entries: int) -> None:
    """Refuse what the 32 bits of a dataset cannot count; every entry may be made two-way."""
    if max(n_nodes, 2 * n_entries) > MOST_ENTRIES:
        raise DatasetError(
            f"{name}: {n_nodes:,} nodes and {n_entries:,} edge entries; "
            f"one dataset holds at most {MOST_ENTRIES:,} of either"
        )


def simple(
    tails: NDArray[np.int32], heads: NDArray[np.int32], n_nodes: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], Repairs]:
    """Sort entries into CSR form without loops and repeats, and in both directions.

    Returns the number of the entry that each kept one came from, the CSR arrays, and the repairs.
    """
    origin = np.flatnonzero(tails != heads).astype(np.int32)
    self_loops = len(tails) - len(origin)
    tails, heads = tails[origin], heads[origin]
    first = distinct(tails, heads, n_nodes)
    repeated = len(origin) - len(first)
    origin, tails, heads = origin[first], tails[first], heads[first]
    one_way = 0
    if not is_symmetric(tails, heads, n_nodes):
        origin = np.concatenate([origin, origin])
        tails, heads = np.concatenate([tails, heads]), np.concatenate([heads, tails])
        first = distinct(tails, heads, n_nodes)
        one_way = len(first) - len(origin) // 2
        origin, tails, heads = origin[first], tails[first], heads[first]
    indptr = np.zeros(n_nodes + 1, dtype=np.int32)
    np.cumsum(np.bincount(tails, minlength=n_nodes), out=indptr[1:])
    return origin, indptr, heads, Repairs(self_loops, repeated, one_way)


def distinct(tails: NDArray[np.int32], heads: NDArray[np.int32], n_nodes: int) -> NDArray[np.int32]:
    """The entries sorted by (tail, head), of equal ones only the first."""
    order = stable_order(heads, n_nodes)
    order = order[stable_order(tails[order], n_nodes)]
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = (np.diff(tails[order]) != 0) | (np.diff(heads[order]) != 0)
    return order[new]


def is_symmetric(tails: NDArray[np.int32], heads: NDArray[np.int32], n_nodes: int) -> bool:
    """Whether entries that are sorted by (tail, head) are there in both directions."""
    mirror = stable_order(heads, n_nodes)
    return np.array_equal(heads[mirror], tails) and np.array_equal(tails[mirror], heads)


def stable_order(keys: NDArray[np.int32], n_keys: int) -> NDArray[np.int32]:
    """The stable sorting order of keys in 0 .. n_keys - 1."""
    if len(keys) <= FEW_ENTRIES:
        return np.argsort(keys, kind="stable").astype(np.int32)
    from graphrings.graphs.counting import counted_order

    return counted_order(keys, n_keys)
