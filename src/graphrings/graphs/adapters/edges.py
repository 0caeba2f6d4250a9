"""Graphs from plain lists of edges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from graphrings.errors import DatasetError
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.numbering import NOTHING, Numbered, renumber
from graphrings.graphs.pack import pack
from graphrings.graphs.targets import numbered_targets


def from_edges(
    edge_lists: Sequence[ArrayLike],
    targets: Any = None,
    *,
    n_nodes: Sequence[int] | None = None,
    node_labels: Sequence[Any] | None = None,
    node_attributes: Sequence[ArrayLike] | None = None,
    edge_labels: Sequence[Any] | None = None,
    edge_attributes: Sequence[ArrayLike] | None = None,
    directed: bool = False,
    name: str = "graphs",
) -> Dataset:
    """Make a dataset of graphs that are given as edges (u, v), nodes counted from 0 in each graph.

    The number of nodes is ``n_nodes``, or that of the labels or attributes, or else the highest
    node of an edge. Edges may be listed once or in both directions; ``directed`` says that both
    are expected, so that the note about repairs counts those with one only. ``targets`` are one
    per graph: numbers that are not whole are values, everything else names a class.
    """
    pairs = [_pairs(edges, i) for i, edges in enumerate(edge_lists)]
    numbers = numbered_targets(targets, len(pairs))
    _check_lengths(
        len(pairs),
        n_nodes=n_nodes,
        node_labels=node_labels,
        node_attributes=node_attributes,
        edge_labels=edge_labels,
        edge_attributes=edge_attributes,
    )
    _check_lists(node_labels=node_labels, edge_labels=edge_labels)
    attributes = _all_rows(node_attributes, "node")
    of_edges = _all_rows(edge_attributes, "edge")
    graph_ptr = _bounds(pairs, n_nodes, node_labels, attributes)
    shifted = [edges + first for edges, first in zip(pairs, graph_ptr[:-1], strict=True)]
    entries = np.concatenate([np.empty((0, 2), np.int64), *shifted])
    for what, values in (("labels", edge_labels), ("attributes", of_edges)):
        for i, own in enumerate(values if values is not None else ()):
            if len(own) != len(pairs[i]):
                raise DatasetError(f"graph {i}: {len(own)} edge {what} for {len(pairs[i])} edges")
    return pack(
        name,
        graph_ptr,
        entries[:, 0],
        entries[:, 1],
        directed=directed,
        targets=numbers,
        node_labels=_numbered("node labels", node_labels),
        node_attributes=_stacked(attributes, "node"),
        edge_labels=_numbered("edge labels", edge_labels),
        edge_attributes=_stacked(of_edges, "edge"),
    )


def _check_lengths(n_graphs: int, **given: Sequence[Any] | None) -> None:
    for what, values in given.items():
        if values is not None and len(values) != n_graphs:
            raise DatasetError(f"{len(values)} {what} for {n_graphs} graphs")


def _check_lists(**given: Sequence[Any] | None) -> None:
    for what, values in given.items():
        for i, own in enumerate(values if values is not None else ()):
            if not isinstance(own, Sized):
                raise DatasetError(
                    f"graph {i}: {what} are {own!r}; expected a list for every graph"
                )


def _bounds(
    pairs: list[NDArray[np.int64]],
    n_nodes: Sequence[int] | None,
    node_labels: Sequence[Any] | None,
    attributes: list[NDArray[np.float64]] | None,
) -> NDArray[np.int64]:
    """Where every graph's nodes begin and end, from whatever says how many there are."""
    counts = {
        "nodes": n_nodes,
        "node labels": None if node_labels is None else list(map(len, node_labels)),
        "node attributes": None if attributes is None else list(map(len, attributes)),
    }
    known = {what: count for what, count in counts.items() if count is not None}
    sizes = [
        _size(i, edges, {what: count[i] for what, count in known.items()})
        for i, edges in enumerate(pairs)
    ]
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64)


def _pairs(edges: ArrayLike, graph: int) -> NDArray[np.int64]:
    try:
        table = np.asarray(edges)
    except ValueError as error:  # rows of several lengths
        raise DatasetError(f"graph {graph}: expected rows of two node numbers") from error
    if table.size == 0:
        return np.empty((0, 2), dtype=np.int64)
    if table.ndim != 2 or table.shape[1] != 2 or not np.issubdtype(table.dtype, np.integer):
        raise DatasetError(
            f"graph {graph}: edges of shape {table.shape} and type {table.dtype}; "
            "expected rows of two node numbers"
        )
    return table.astype(np.int64)


def _size(graph: int, pairs: NDArray[np.int64], given: Mapping[str, int]) -> int:
    """The number of nodes, on which everything that is given must agree."""
    highest = int(pairs.max(initial=-1)) + 1
    size = next(iter(given.values()), highest)
    for what, other in given.items():
        if other != size:
            raise DatasetError(f"graph {graph}: {other} {what} for {size} nodes")
    if pairs.min(initial=0) < 0 or highest > size:
        node = int(pairs.min()) if pairs.min(initial=0) < 0 else highest - 1
        raise DatasetError(
            f"graph {graph}: an edge names node {node}; expected numbers from 0 to {size - 1}"
        )
    if size < 1:
        raise DatasetError(f"graph {graph}: no nodes; expected at least one")
    return size


def _numbered(what: str, labels: Sequence[Any] | None) -> Numbered:
    """The labels of all graphs, end to end, as numbers."""
    if labels is None:
        return NOTHING
    try:
        return renumber([label for of_graph in labels for label in of_graph])
    except TypeError as error:
        raise DatasetError(
            f"{what} must be hashable: numbers, strings or tuples ({error})"
        ) from error


def _all_rows(values: Sequence[ArrayLike] | None, of: str) -> list[NDArray[np.float64]] | None:
    return None if values is None else [_rows(rows, i, of) for i, rows in enumerate(values)]


def _rows(values: ArrayLike, graph: int, of: str) -> NDArray[np.float64]:
    """Attributes of nodes or edges: a row for each; no rows at all have no width yet."""
    try:
        rows = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise DatasetError(
            f"graph {graph}: {of} attributes that are not numbers, or not as many at every {of}"
        ) from error
    rows = rows[:, None] if rows.ndim == 1 else rows
    if rows.ndim != 2:
        raise DatasetError(
            f"graph {graph}: {of} attributes of shape {rows.shape}; expected a row for every {of}"
        )
    bad = np.argwhere(~np.isfinite(rows))
    if len(bad):
        raise DatasetError(
            f"graph {graph}, {of} {bad[0][0]}: attribute {rows[tuple(bad[0])]}; "
            "expected finite numbers"
        )
    return rows


def _stacked(rows: list[NDArray[np.float64]] | None, of: str) -> NDArray[np.float64] | None:
    """The rows of all graphs, which have one width; a graph without edges has any."""
    if not rows:
        return None
    filled = [part for part in rows if len(part)]
    if not filled:
        return None
    for graph, part in enumerate(rows):
        if len(part) and part.shape[1] != filled[0].shape[1]:
            raise DatasetError(
                f"graph {graph}: {part.shape[1]} {of} attributes; "
                f"the graphs before it have {filled[0].shape[1]}"
            )
    return np.concatenate(filled)
