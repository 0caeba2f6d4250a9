"""The columns of a graph table that a fit has seen, found again in other graphs."""

from __future__ import annotations

import warnings
from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.distances.graph_table import (
    DEGREE,
    LABEL,
    LABEL_AND_DEGREE,
    NODES,
    GraphTable,
    Key,
    column_name,
    graph_table,
    table_arrays,
)
from graphrings.errors import DatasetError, UnseenLabelWarning
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.selection import Selection
from graphrings.limits import Work, begin

LEAST_GRAPHS = 2  # that have something to count; what one graph has says nothing of others
LEAST_SHARE = 1e-3  # the same in large sets, where columns are many
BYTES_A_NUMBER = 4
AUTO = "auto"
MOST_COUNTED = 10  # columns for every training graph that ``auto`` takes


@dataclass(frozen=True)
class TableColumns:
    """What is taken from the table of a graph: some counts, each with its share, and values.

    ``nodes`` says what the nodes of a pair are told apart by, and ``labels`` are those that
    training saw; None where degrees stand in for them.
    """

    radius: int
    nodes: str
    labels: tuple[Hashable, ...] | None
    counted: tuple[Key, ...]
    valued: tuple[Key, ...]
    n_attributes: int
    has_edge_labels: bool
    n_edge_attributes: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """Every column in words."""
        counted = [column_name(key) for key in self.counted]
        shares = [f"share of {name}" for name in counted]
        return (*counted, *shares, *(column_name(key) for key in self.valued))

    def check(self) -> None:
        """Refuse columns that no table has; ValueError says why."""
        if self.nodes not in NODES or (self.labels is None) != (self.nodes == DEGREE):
            raise ValueError(f"its columns tell nodes apart by {self.nodes!r}")
        for key in (*self.counted, *self.valued):
            if not (isinstance(key, tuple) and key and isinstance(key[0], str)):
                raise ValueError("a column of its table is no key")
            column_name(key)

    def rows(self, selection: Selection) -> NDArray[np.float32]:
        """A row of numbers for every graph; a label that training never saw is not counted."""
        self._check(selection.dataset)
        table = shared_table(selection, self.nodes, self.radius)
        self._warn(selection)
        return dense_rows(table, selection.graphs, self.counted, self.valued)

    def _check(self, dataset: Dataset) -> None:
        """Refuse graphs that lack what training had."""
        if self.labels is not None and dataset.node_labels is None:
            raise DatasetError(f"{dataset.name}: nodes without labels; training had labels")
        if self.has_edge_labels and dataset.edge_labels is None:
            raise DatasetError(f"{dataset.name}: edges without labels; training had labels")
        counted = (
            ("node", self.n_attributes, n_columns(dataset.node_attributes)),
            ("edge", self.n_edge_attributes, n_columns(dataset.edge_attributes)),
        )
        for part, trained, given in counted:
            if trained and given != trained:
                raise DatasetError(
                    f"{dataset.name}: {given} {part} attributes; training had {trained}"
                )

    def _warn(self, selection: Selection) -> None:
        if self.labels is None:
            return
        seen = set(self.labels)
        counts = label_counts(selection)
        strangers = [k for k, name in enumerate(selection.dataset.label_names) if name not in seen]
        if n_unseen := int(counts[strangers].sum()):
            warnings.warn(
                UnseenLabelWarning.counted(
                    selection.dataset.name,
                    n_unseen,
                    "nodes have a label that training never saw; they are not counted",
                ),
                stacklevel=4,
            )


def learn_columns(selection: Selection, nodes: str, radius: int) -> TableColumns:
    """The columns that some training graphs have; without labels nodes are known by degrees.

    ``auto`` knows them by label and degree, or by labels alone where the former makes so many
    columns that trees would hardly ever look at the right ones.
    """
    if nodes == AUTO:
        fine = learn_columns(selection, LABEL_AND_DEGREE, radius)
        too_many = len(fine.counted) > MOST_COUNTED * len(selection)
        return learn_columns(selection, LABEL, radius) if too_many and fine.labels else fine
    dataset = selection.dataset
    labelled = dataset.node_labels is not None and nodes != DEGREE
    nodes = nodes if labelled else DEGREE
    table = shared_table(selection, nodes, radius)
    n_graphs = np.bincount(table.counts[selection.graphs].indices, minlength=len(table.counted))
    least = max(min(LEAST_GRAPHS, len(selection)), LEAST_SHARE * len(selection))
    varying = np.flatnonzero(np.ptp(table.values[selection.graphs], axis=0) > 0)
    seen = np.flatnonzero(label_counts(selection)) if labelled else ()
    return TableColumns(
        radius,
        nodes,
        tuple(dataset.label_names[k] for k in seen) if labelled else None,
        tuple(table.counted[k] for k in np.flatnonzero(n_graphs >= least)),
        tuple(table.valued[k] for k in varying),
        n_columns(dataset.node_attributes),
        dataset.edge_labels is not None,
        n_columns(dataset.edge_attributes),
    )


def label_counts(selection: Selection) -> NDArray[np.int64]:
    """How many nodes of the selected graphs have every label."""
    dataset = selection.dataset
    assert dataset.node_labels is not None
    chosen = np.zeros(len(dataset), dtype=np.bool_)
    chosen[selection.graphs] = True
    own = dataset.node_labels[chosen[dataset.owner]]
    return np.bincount(own, minlength=dataset.n_labels)


def shared_table(selection: Selection, nodes: str, radius: int) -> GraphTable:
    """The table of all graphs of a dataset, made once for all selections of it."""
    dataset = selection.dataset
    arrays = selection.cache.get(
        f"graph table of radius {radius} by {nodes}",
        lambda: table_arrays(dataset, nodes, radius),
    )
    return graph_table(dataset, nodes, arrays)


def dense_rows(
    table: GraphTable,
    graphs: NDArray[np.int64],
    counted: tuple[Key, ...],
    valued: tuple[Key, ...],
) -> NDArray[np.float32]:
    """Counts, shares and values of some graphs; 0 where the table has no such column."""
    n_counted, width = len(counted), 2 * len(counted) + len(valued)
    what = f"a table of {len(graphs):,} graphs and {width:,} columns"
    instead = "take a smaller radius or fewer graphs"
    begin(Work(what, instead, len(graphs) * width * BYTES_A_NUMBER))
    table_rows = np.zeros((width, len(graphs)), dtype=np.float32)  # as trees look at them
    number = {turned(key): k for k, key in enumerate(counted)}
    number |= {key: k for k, key in enumerate(counted)}
    columns = np.array([number.get(key, -1) for key in table.counted], dtype=np.int64)
    counts, groups = table.counts, table.groups
    totals = np.zeros(int(groups.max(initial=-1)) + 1)
    entries = counts.indptr.astype(np.int64), counts.indices, counts.data
    write_counts(*entries, graphs, groups, columns, totals, n_counted, table_rows)
    place = {key: k for k, key in enumerate(table.valued)}
    if lacking := [key for key in valued if key not in place]:
        raise DatasetError(f"the graphs have no {column_name(lacking[0])}, which training had")
    chosen = np.array([place[key] for key in valued], dtype=np.int64)
    table_rows[2 * n_counted :] = table.values.T[np.ix_(chosen, graphs)]
    return table_rows.T


@compiled
def write_counts(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    data: NDArray[np.float64],
    graphs: NDArray[np.int64],
    groups: NDArray[np.int64],
    columns: NDArray[np.int64],
    totals: NDArray[np.float64],
    n_counted: int,
    out: NDArray[np.float32],
) -> None:
    """Write the counts of some graphs, and ``n_counted`` columns behind each its share.

    Column k of the counts becomes ``columns[k]``, or nothing if that is -1; a share is one of all
    counts of its group. ``totals`` has a zero for every group.
    """
    for i in range(len(graphs)):
        first, last = indptr[graphs[i]], indptr[graphs[i] + 1]
        for e in range(first, last):
            totals[groups[indices[e]]] += data[e]
        for e in range(first, last):
            column = columns[indices[e]]
            if column >= 0:
                out[column, i] = data[e]
                out[n_counted + column, i] = data[e] / totals[groups[indices[e]]]
        for e in range(first, last):
            totals[groups[indices[e]]] = 0


def turned(key: Key) -> Key:
    """The same pair or bond with its two labels the other way round."""
    kind, *parts = key
    if kind.startswith("pair"):
        return (kind, parts[0], parts[2], parts[1])
    return (kind, parts[1], parts[0], *parts[2:]) if kind == "bond" else key


def n_columns(attributes: NDArray[np.float64] | None) -> int:
    """How many numbers every node or edge carries."""
    return 0 if attributes is None else attributes.shape[1]
