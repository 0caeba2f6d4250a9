"""Graphs as libraries and files list them: edges by number, and data of any name beside them."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import DatasetError, DatasetNote
from graphrings.graphs.adapters.data_keys import AUTO, MISSING, Choice, choose, is_usual
from graphrings.graphs.adapters.edges import from_edges
from graphrings.graphs.adapters.graph_data import SMILES
from graphrings.graphs.dataset import Dataset

Of = Literal["node", "edge"]
Columns = Mapping[str, Sequence[Any]]


@dataclass(frozen=True)
class Listed:
    """One graph: ``edges`` are rows of node numbers, and a column of data has a value for each.

    Where a node or an edge lacks data, MISSING stands for them. ``nodes`` are what a message calls
    the nodes, if not by their numbers. Edges of a graph that is not directed are listed once.
    """

    n_nodes: int
    edges: NDArray[np.int64]
    node_data: Columns = field(default_factory=dict)
    edge_data: Columns = field(default_factory=dict)
    graph_data: Mapping[str, Any] = field(default_factory=dict)
    directed: bool = False
    nodes: Sequence[Any] = ()

    def data(self, of: Of) -> Columns:
        """The columns of nodes, or of edges."""
        return self.node_data if of == "node" else self.edge_data

    def count(self, of: Of) -> int:
        """The number of nodes, or of edges as they are listed."""
        return self.n_nodes if of == "node" else len(self.edges)

    def called(self, of: Of, i: int) -> str:
        """What a message calls a node or an edge."""
        names = self.nodes if len(self.nodes) else range(self.n_nodes)
        if of == "node":
            return f"node {names[i]!r}"
        u, v = self.edges[i]
        return f"edge ({names[u]!r}, {names[v]!r})"


@dataclass(frozen=True)
class Wanted:
    """The data that a user names; ``auto`` finds them, None ignores them."""

    node_label: str | None = AUTO
    node_attributes: str | Sequence[str] | None = AUTO
    edge_label: str | None = AUTO
    edge_attributes: str | Sequence[str] | None = AUTO

    def of(self, of: Of) -> tuple[str | None, str | Sequence[str] | None]:
        """Label and attributes of nodes, or of edges."""
        if of == "node":
            return self.node_label, self.node_attributes
        return self.edge_label, self.edge_attributes


def from_listed(
    graphs: Sequence[Listed],
    targets: Any = None,
    wanted: Wanted | None = None,
    name: str = "graphs",
    *,
    one_way: bool = False,
) -> Dataset:
    """Make a dataset; what was found by itself is said in one note, but for data of usual names.

    ``targets`` are one per graph, or the name of the graphs' data that holds them. Edges of
    directed graphs that stand there in one direction only are repaired, with a note unless
    ``one_way`` says that this is their form.
    """
    wanted = Wanted() if wanted is None else wanted
    if isinstance(targets, str):
        targets = graph_values(graphs, targets)
    nodes, edges = (_chosen(graphs, of, wanted) for of in ("node", "edge"))
    _say(name, nodes, edges, wanted)
    dataset = from_edges(
        [_entries(graph) for graph in graphs],
        targets,
        n_nodes=[graph.n_nodes for graph in graphs],
        node_labels=_labels(graphs, "node", nodes.label),
        node_attributes=_attributes(graphs, "node", nodes.attributes),
        edge_labels=_labels(graphs, "edge", edges.label),
        edge_attributes=_attributes(graphs, "edge", edges.attributes),
        directed=not one_way,
        name=name,
    )
    molecules = [graph.graph_data.get(SMILES) for graph in graphs]
    if all(isinstance(smiles, str) for smiles in molecules):
        dataset = dataset.changed(smiles=tuple(map(str, molecules)))
    return dataset


def graph_values(graphs: Sequence[Listed], key: str) -> list[Any]:
    """The data of a name of all graphs."""
    for i, graph in enumerate(graphs):
        if key not in graph.graph_data:
            raise DatasetError(f"graph {i}: no {key!r}; {_has(graph.graph_data)}")
    return [graph.graph_data[key] for graph in graphs]


def _chosen(graphs: Sequence[Listed], of: Of, wanted: Wanted) -> Choice:
    label, attributes = wanted.of(of)
    if AUTO not in (label, attributes):
        named = (attributes,) if isinstance(attributes, str) else tuple(attributes or ())
        return Choice(label, named)
    filled = [graph for graph in graphs if graph.count(of)]
    keys = dict.fromkeys(key for graph in filled for key in graph.data(of))
    columns = {
        key: list(chain.from_iterable(_column(graph, of, key) for graph in filled)) for key in keys
    }
    return choose(of, columns, label, attributes)


def _column(graph: Listed, of: Of, key: str) -> Sequence[Any]:
    column = graph.data(of).get(key)
    return [MISSING] * graph.count(of) if column is None else column


def _say(name: str, nodes: Choice, edges: Choice, wanted: Wanted) -> None:
    """One note on what was found under names of its own, and on what was left."""
    taken, named = list[str](), list[str]()
    for of, choice in (("node", nodes), ("edge", edges)):
        label, attributes = wanted.of("node" if of == "node" else "edge")
        if label == AUTO and choice.label is not None:
            taken.append(f"{choice.label!r} as {of} label")
            named.append(choice.label)
        if attributes == AUTO and choice.attributes:
            taken.append(f"{', '.join(map(repr, choice.attributes))} as {of} attributes")
            named += choice.attributes
    left = [*nodes.left, *edges.left]
    if left or not all(map(is_usual, named)):
        parts = [f"took {' and '.join(taken)}"] if taken else []
        parts += [f"left {' and '.join(left)}"] if left else []
        warnings.warn(f"{name}: {'; '.join(parts)}", DatasetNote, stacklevel=4)


def _two_way(graph: Listed) -> NDArray[np.int64]:
    """The numbers of listed edges in the order of their entries: all, then those to mirror."""
    listed = np.arange(len(graph.edges))
    if graph.directed:
        return listed
    return np.concatenate([listed, listed[graph.edges[:, 0] != graph.edges[:, 1]]])


def _entries(graph: Listed) -> NDArray[np.int64]:
    """The edges in both directions, unless the graph is directed."""
    entries = graph.edges[_two_way(graph)]
    entries[len(graph.edges) :] = entries[len(graph.edges) :, ::-1]
    return entries


def _spread(graph: Listed, of: Of, values: Sequence[Any]) -> Sequence[Any]:
    """A value per listed node or edge as one per node or entry."""
    return values if of == "node" else [values[i] for i in _two_way(graph).tolist()]


def _labels(graphs: Sequence[Listed], of: Of, key: str | None) -> list[Any] | None:
    if key is None:
        return None
    return [_spread(graph, of, _needed(graph, i, of, key)) for i, graph in enumerate(graphs)]


def _attributes(graphs: Sequence[Listed], of: Of, keys: Sequence[str]) -> list[Any] | None:
    """Numbers and vectors of all keys side by side."""
    if not keys:
        return None
    tables = []
    for i, graph in enumerate(graphs):
        columns = [_needed(graph, i, of, key) for key in keys]
        try:
            rows: Any = [np.hstack(row) for row in zip(*columns, strict=True)]
        except ValueError:  # of several dimensions, which from_edges refuses with the place
            rows = columns[0]
        tables.append(_spread(graph, of, rows))
    return tables


def _needed(graph: Listed, number: int, of: Of, key: str) -> Sequence[Any]:
    """A column in which nothing is missing."""
    column = _column(graph, of, key)
    for i, value in enumerate(column):
        if value is MISSING:
            own = {k: v[i] for k, v in graph.data(of).items() if v[i] is not MISSING}
            raise DatasetError(f"graph {number}, {graph.called(of, i)}: no {key!r}; {_has(own)}")
    return column


def _has(data: Mapping[str, Any]) -> str:
    return f"it has {', '.join(map(repr, data))}" if data else "it has no data"
