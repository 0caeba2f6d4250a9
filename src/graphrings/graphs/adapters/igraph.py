"""Graphs from igraph and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from graphrings.graphs.adapters.data_keys import AUTO, MISSING
from graphrings.graphs.adapters.graph_data import data_of
from graphrings.graphs.adapters.listed import Listed, Wanted, from_listed
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.libraries import library


def is_igraph(graph: Any) -> bool:
    """Whether this is a graph of igraph."""
    return hasattr(graph, "vs") and hasattr(graph, "es")


def from_igraph(
    graphs: Sequence[Any],
    targets: Any = None,
    node_label: str | None = AUTO,
    node_attributes: str | Sequence[str] | None = AUTO,
    *,
    edge_label: str | None = AUTO,
    edge_attributes: str | Sequence[str] | None = AUTO,
    name: str = "graphs",
) -> Dataset:
    """Make a dataset of igraph graphs, whose attributes are labels or attributes here.

    All arguments are those of ``from_networkx``. What igraph calls an attribute is missing where
    it is None.
    """
    graphs = [graphs] if is_igraph(graphs) else graphs
    wanted = Wanted(node_label, node_attributes, edge_label, edge_attributes)
    return from_listed([listed(graph) for graph in graphs], targets, wanted, name)


def listed(graph: Any) -> Listed:
    """An igraph graph as columns."""
    return Listed(
        graph.vcount(),
        np.array(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2),
        _columns(graph.vs),
        _columns(graph.es),
        {key: graph[key] for key in graph.attributes()},
        graph.is_directed(),
    )


def _columns(sequence: Any) -> dict[str, list[Any]]:
    return {
        key: [MISSING if value is None else value for value in sequence[key]]
        for key in sequence.attributes()
    }


def to_igraph(dataset: Dataset) -> list[Any]:
    """The graphs as igraph has them, with the data that ``to_networkx`` gives them."""
    igraph = library("igraph", "igraph", "making graphs of igraph")
    made = []
    for graph in data_of(dataset):
        own = igraph.Graph(graph.n_nodes, graph.pairs.tolist(), directed=graph.directed)
        _set(own.vs, graph.nodes)
        _set(own.es, graph.edges)
        _set(own, graph.graph)
        made.append(own)
    return made


def _set(place: Any, data: Mapping[str, Any]) -> None:
    for key, values in data.items():
        place[key] = values
