"""A graph as a row of numbers: its ring profile, and statistics of what rings and edges show.

Columns are known by keys, so that the same column is found again in other graphs. Some count (pairs
of labels, bonds, nodes in a bin) and are sparse; the others are values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, hstack

from graphrings.compiled import compiled
from graphrings.distances.node_statistics import graph_numbers, means, quantities, summaries
from graphrings.distances.ring_profile import (
    binned,
    label_degree_words,
    node_words,
    pair_counts,
    pair_keys,
    pair_name,
)
from graphrings.distances.rings import rings
from graphrings.graphs.array_cache import Arrays
from graphrings.graphs.dataset import Dataset

Key = tuple[Any, ...]  # what kind of column, and what tells it from others of its kind
BY_TENTHS = ("clustering",)  # it is a share
DENSE = 4  # places for every entry that may stay empty
NOT_BINNED = ("deviation of neighbour degrees",)

LABEL, DEGREE, LABEL_AND_DEGREE = NODES = ("label", "degree", "label+degree")
WORDS: dict[str, Callable[[Dataset], tuple[Sequence[Any], NDArray[np.int32]]]] = {
    LABEL: node_words,
    DEGREE: partial(node_words, labelled=False),
    LABEL_AND_DEGREE: label_degree_words,
}
PAIRS = {LABEL: "pair", DEGREE: "pair", LABEL_AND_DEGREE: "pair with degrees"}
NAMES: dict[str, Callable[..., str]] = {
    "pair": pair_name,
    "pair with degrees": lambda j, one, other: pair_name(j, with_degree(one), with_degree(other)),
    "bond": lambda one, other, bond: f"{one}-{other} joined by {bond}",
    "nodes": lambda quantity, word: f"nodes with {quantity} {word}",
    "value": str,
}


@dataclass(frozen=True)
class GraphTable:
    """How often every graph has what is ``counted``, and its values of what is ``valued``.

    Counts come in groups that make up a whole, such as all pairs at one distance: a count divided
    by the total of its group is a share.
    """

    counts: csr_array
    counted: tuple[Key, ...]
    values: NDArray[np.float64]
    valued: tuple[Key, ...]

    @property
    def groups(self) -> NDArray[np.int64]:
        """The number of every counted column's group."""
        of_column = [key[:2] if key[0] != "bond" else key[:1] for key in self.counted]
        number = {group: k for k, group in enumerate(dict.fromkeys(of_column))}
        return np.array([number[group] for group in of_column], dtype=np.int64)


def column_name(key: Key) -> str:
    """A column in words."""
    kind, *parts = key
    return NAMES[kind](*parts)


def with_degree(word: tuple[Any, str]) -> str:
    """A label and a degree in words."""
    label, degree = word
    return f"{label} of degree {degree}"


def graph_table(dataset: Dataset, nodes: str, arrays: Arrays) -> GraphTable:
    """The table that ``table_arrays`` has made of a dataset."""
    words, _ = WORDS[nodes](dataset)
    labels, _ = node_words(dataset)
    counts = csr_array(
        (arrays["data"], arrays["indices"], arrays["indptr"]),
        shape=(len(dataset), len(arrays["pairs"]) + len(arrays["bonds"]) + len(arrays["bins"])),
    )
    pairs, bonds = pair_keys(arrays["pairs"], words), arrays["bonds"].tolist()
    counted = [
        *((PAIRS[nodes], *key) for key in pairs),
        *(("bond", labels[a], labels[b], dataset.edge_label_names[e]) for a, b, e in bonds),
        *(("nodes", quantity, word) for quantity, word in arrays["bins"].tolist()),
    ]
    valued = tuple(("value", name) for name in arrays["valued"].tolist())
    return GraphTable(counts, tuple(counted), arrays["values"], valued)


def table_arrays(dataset: Dataset, nodes: str, radius: int) -> Arrays:
    """Everything that a table is made from, as arrays that processes can share.

    ``nodes`` says what the nodes of a pair are told apart by, one of ``NODES``.
    """
    words, numbers = WORDS[nodes](dataset)
    pairs = pair_counts(dataset, radius, numbers, len(words))
    of_nodes = quantities(dataset, pairs.sizes)
    left_out = NOT_BINNED if nodes != DEGREE else ("degree", *NOT_BINNED)  # C^0 counts them then
    bins, bin_counts = histograms(dataset, {k: of_nodes[k] for k in of_nodes if k not in left_out})
    bonds, bond_counts = count_bonds(dataset, node_words(dataset)[1])
    values = {
        **graph_numbers(dataset, of_nodes),
        **summaries(dataset.graph_ptr, {**of_nodes, **attributes(dataset)}),
        **autocorrelations(dataset, radius),
        **summaries(dataset.indptr[dataset.graph_ptr], edge_attributes(dataset)),
    }
    counts = hstack([pairs.matrix, bond_counts, bin_counts], format="csr")
    return {
        "data": counts.data,
        "indices": counts.indices.astype(np.int32),
        "indptr": counts.indptr.astype(np.int64),
        "pairs": pairs.codes,
        "bonds": bonds,
        "bins": bins,
        "values": np.column_stack(list(values.values())),
        "valued": np.array(list(values)),
    }


def count_bonds(
    dataset: Dataset, numbers: NDArray[np.int32]
) -> tuple[NDArray[np.int64], csr_array]:
    """The triples (label, label, edge label) that edges have, and how often every graph has them.

    The smaller label comes first; without edge labels there are none.
    """
    if dataset.edge_labels is None:
        return np.empty((0, 3), dtype=np.int64), csr_array((len(dataset), 0))
    tails = np.repeat(np.arange(dataset.n_nodes), dataset.degrees)
    once = tails < dataset.indices
    ends = numbers[np.stack([tails[once], dataset.indices[once]])]
    triples = np.stack([ends.min(axis=0), ends.max(axis=0), dataset.edge_labels[once]], axis=1)
    distinct, columns = np.unique(triples, axis=0, return_inverse=True)
    return distinct.astype(np.int64), counted(dataset, tails[once], columns, len(distinct))


def histograms(dataset: Dataset, of_nodes: dict[str, Any]) -> tuple[NDArray[Any], csr_array]:
    """Pairs (quantity, bin) in words, and how many nodes of every graph are in that bin."""
    bins, columns = list[tuple[str, str]](), np.empty((len(of_nodes), dataset.n_nodes), np.int32)
    for column, (name, values) in zip(columns, of_nodes.items(), strict=True):
        scale = 10 if name in BY_TENTHS else 1
        numbers, words = binned(np.floor(scale * values).astype(np.int64))
        if scale > 1:
            words = [f"{int(word) / scale} or more" for word in words[: scale + 1]]
        np.add(numbers, len(bins), out=column)
        bins += [(name, word) for word in words]
    room = min(columns.size, len(dataset) * len(bins))
    indices, data = np.empty(room, dtype=np.int32), np.empty(room)
    indptr = np.zeros(len(dataset) + 1, dtype=np.int64)
    tally(dataset.graph_ptr, columns, np.zeros(len(bins)), indptr, indices, data)
    entries = data[: indptr[-1]], indices[: indptr[-1]], indptr
    return np.array(bins), csr_array(entries, shape=(len(dataset), len(bins)))


@compiled
def tally(
    graph_ptr: NDArray[np.int32],
    columns: NDArray[np.int32],
    counts: NDArray[np.float64],
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    data: NDArray[np.float64],
) -> None:
    """Write which columns the nodes of every graph have, ascending, and how often.

    Node v has ``columns[:, v]``; ``counts`` has a zero for every column.
    """
    size = 0
    for graph in range(len(graph_ptr) - 1):
        for k in range(len(columns)):
            for v in range(graph_ptr[graph], graph_ptr[graph + 1]):
                counts[columns[k, v]] += 1
        for column in range(len(counts)):
            if counts[column] > 0:
                indices[size], data[size] = column, counts[column]
                size += 1
                counts[column] = 0
        indptr[graph + 1] = size


def counted(
    dataset: Dataset, nodes: NDArray[Any], columns: NDArray[Any], n_columns: int
) -> csr_array:
    """How often every graph's nodes come with a column."""
    places = dataset.owner[nodes].astype(np.int64) * n_columns + columns.reshape(-1)
    n_places = len(dataset) * n_columns
    if n_places <= DENSE * len(places):  # counting is quicker than sorting
        counts = np.bincount(places, minlength=n_places)
        distinct = np.flatnonzero(counts)
        counts = counts[distinct]
    else:
        distinct, counts = np.unique(places, return_counts=True)
    rows, columns = np.divmod(distinct, max(1, n_columns))
    entries = counts.astype(np.float64), (rows, columns)
    return csr_array(entries, shape=(len(dataset), n_columns))


def attributes(dataset: Dataset) -> dict[str, NDArray[np.float64]]:
    """The attributes of all nodes, counted from 1."""
    if dataset.node_attributes is None:
        return {}
    return {f"attribute {k + 1}": column for k, column in enumerate(dataset.node_attributes.T)}


def edge_attributes(dataset: Dataset) -> dict[str, NDArray[np.float64]]:
    """The attributes of all edges, counted from 1; an edge has them in both directions."""
    if dataset.edge_attributes is None:
        return {}
    return {f"edge attribute {k + 1}": column for k, column in enumerate(dataset.edge_attributes.T)}


def autocorrelations(dataset: Dataset, radius: int) -> dict[str, NDArray[np.float64]]:
    """C^j with attributes for X, centred in every graph: the mean product over pairs at j.

    Of the products of two attributes only those of one with itself are taken.
    """
    result = dict[str, NDArray[np.float64]]()
    if dataset.node_attributes is None:
        return result
    near = rings(dataset, radius)
    for j in range(1, radius + 1):
        matrix = near.matrix(j)
        pairs = np.bincount(dataset.owner, np.diff(matrix.indptr), minlength=len(dataset))
        for name, column in attributes(dataset).items():
            centred = column - means(dataset.graph_ptr, column)[dataset.owner]
            products = np.bincount(
                dataset.owner, centred * (matrix @ centred), minlength=len(dataset)
            )
            result[f"{name} with itself at distance {j}"] = products / np.maximum(1, pairs)
    return result
