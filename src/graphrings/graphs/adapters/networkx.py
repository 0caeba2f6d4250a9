"""Graphs from networkx and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from graphrings.graphs.adapters.data_keys import AUTO, MISSING
from graphrings.graphs.adapters.graph_data import data_of
from graphrings.graphs.adapters.listed import Listed, Wanted, from_listed
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.libraries import library


def is_networkx(graph: Any) -> bool:
    """Whether this is a networkx graph, which may have been made without importing networkx."""
    return hasattr(graph, "adj") and hasattr(graph, "nodes")


def from_networkx(
    graphs: Sequence[Any],
    targets: Any = None,
    node_label: str | None = AUTO,
    node_attributes: str | Sequence[str] | None = AUTO,
    *,
    edge_label: str | None = AUTO,
    edge_attributes: str | Sequence[str] | None = AUTO,
    name: str = "graphs",
) -> Dataset:
    """Make a dataset of networkx graphs; nodes are numbered in the order of the graph.

    ``node_label`` and ``edge_label`` name the data that holds a label of any type, the attributes
    data with numbers or vectors of numbers; None ignores them. ``auto`` takes what all nodes (or
    edges) have: the label is called ``label``, or is the only data that are not numbers, or the
    only whole numbers from 0 to 255; all other numbers are attributes. A note says what was taken.
    ``targets`` are one per graph, or the name of the graphs' data that holds them. Directions are
    dropped.
    """
    graphs = [graphs] if is_networkx(graphs) else graphs
    wanted = Wanted(node_label, node_attributes, edge_label, edge_attributes)
    return from_listed([listed(graph) for graph in graphs], targets, wanted, name)


def listed(graph: Any) -> Listed:
    """A networkx graph as columns."""
    number = {node: k for k, node in enumerate(graph.nodes)}
    edges = list(graph.edges(data=True))
    pairs = np.array([(number[u], number[v]) for u, v, _ in edges], dtype=np.int64)
    return Listed(
        len(number),
        pairs.reshape(-1, 2),
        columns([data for _, data in graph.nodes(data=True)]),
        columns([data for *_, data in edges]),
        graph.graph,
        graph.is_directed(),
        list(graph.nodes),
    )


def columns(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Data that stand node by node (or edge by edge) as one list per name."""
    keys = dict.fromkeys(key for row in rows for key in row)
    return {key: [row.get(key, MISSING) for row in rows] for key in keys}


def to_networkx(dataset: Dataset) -> list[Any]:
    """The graphs as networkx has them, with labels by name.

    Nodes and edges carry ``label`` and ``attributes`` (a tuple), graphs ``target``, as far as the
    dataset has them; ``from_networkx(graphs, "target")`` leads back. Graphs are directed only where
    edges have other data in their other direction.
    """
    networkx = library("networkx", "networkx", "making graphs of networkx")
    made = []
    for graph in data_of(dataset):
        network = (networkx.DiGraph if graph.directed else networkx.Graph)(**graph.graph)
        nodes, edges = range(graph.n_nodes), graph.pairs.tolist()
        network.add_nodes_from(zip(nodes, _rows(graph.nodes, graph.n_nodes), strict=True))
        data = _rows(graph.edges, len(edges))
        network.add_edges_from((u, v, own) for (u, v), own in zip(edges, data, strict=True))
        made.append(network)
    return made


def _rows(data: Mapping[str, Sequence[Any]], count: int) -> Iterable[dict[str, Any]]:
    return ({key: values[i] for key, values in data.items()} for i in range(count))
