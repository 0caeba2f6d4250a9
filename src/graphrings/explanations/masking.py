"""Take a node out and ask again: what any model can be explained by, and a check on the others."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import UnseenLabelWarning
from graphrings.explanations.parts import Parts, Reals, collected
from graphrings.graphs.dataset import Dataset
from graphrings.limits import Work, begin

MOST_NODES = 200_000  # of the graphs that a model is asked about at once


class Masked(NamedTuple):
    """For each of some nodes the graph that it is part of, without that node."""

    dataset: Dataset
    nodes: NDArray[np.int64]


def explain_by_masking(
    model: Any, dataset: Dataset, score: Callable[[Any, Dataset], Reals]
) -> Parts:
    """The contribution of a node is how much the score falls when it is taken out.

    Effects of several nodes together are not shared, and a graph of one node would be empty: the
    rest of the score, from a base of 0, is left over. Nothing is said about distances.
    """
    sizes = dataset.sizes.astype(np.float64)
    what = f"asking again without each of {dataset.n_nodes:,} nodes"
    instead = "take fewer or smaller graphs"
    begin(Work(what, instead, kind="nodes of masked graphs", n_steps=float(sizes @ sizes)))
    whole = score(model, dataset)
    nodes = np.zeros((dataset.n_nodes, whole.shape[1]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenLabelWarning)  # the graphs themselves have warned
        for masked in some_at_a_time(dataset):
            less = score(model, masked.dataset)
            nodes[masked.nodes] = whole[dataset.owner[masked.nodes]] - less
    sums = [np.bincount(dataset.owner, column, len(dataset)) for column in nodes.T]
    rest = whole - np.stack(sums, axis=1)
    return collected(dataset, whole, np.zeros_like(whole), nodes=nodes, rest=rest)


def some_at_a_time(dataset: Dataset) -> Iterator[Masked]:
    """All graphs less one node, in parts that fit into memory."""
    sizes = dataset.sizes.astype(np.int64)
    part = np.cumsum(sizes**2) // MOST_NODES
    for number in np.unique(part):
        graphs = np.flatnonzero(part == number)
        masked = without_each_node(dataset[graphs])
        if len(masked.nodes):
            first = dataset.graph_ptr[graphs[0]]
            yield masked._replace(nodes=masked.nodes + first)


def without_each_node(dataset: Dataset) -> Masked:
    """Every graph once for each of its nodes, without that node; those of one node are left out."""
    nodes = np.flatnonzero(dataset.sizes[dataset.owner] > 1)
    copies = dataset[dataset.owner[nodes]] if len(nodes) else dataset[[]]
    place = nodes - dataset.graph_ptr[dataset.owner[nodes]]
    kept = np.ones(copies.n_nodes, dtype=bool)
    kept[copies.graph_ptr[:-1] + place] = False
    return Masked(induced(copies, kept), nodes)


def induced(dataset: Dataset, kept: NDArray[np.bool_]) -> Dataset:
    """The same graphs with some nodes only, and the edges between those."""
    tails = np.repeat(np.arange(dataset.n_nodes), dataset.degrees)
    stay = kept[tails] & kept[dataset.indices]
    number = np.cumsum(kept) - 1
    degrees = np.bincount(tails[stay], minlength=dataset.n_nodes)[kept]
    sizes = np.bincount(dataset.owner[kept], minlength=len(dataset))

    def of_nodes(values: Any) -> Any:
        return None if values is None else values[kept]

    def of_edges(values: Any) -> Any:
        return None if values is None else values[stay]

    return Dataset(
        name=dataset.name,
        graph_ptr=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32),
        indptr=np.concatenate([[0], np.cumsum(degrees)]).astype(np.int32),
        indices=number[dataset.indices[stay]].astype(np.int32),
        node_labels=of_nodes(dataset.node_labels),
        label_names=dataset.label_names,
        node_attributes=of_nodes(dataset.node_attributes),
        edge_labels=of_edges(dataset.edge_labels),
        edge_label_names=dataset.edge_label_names,
        edge_attributes=of_edges(dataset.edge_attributes),
    )
