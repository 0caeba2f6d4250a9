"""Graphs from networkx."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphrings.errors import DatasetError
from graphrings.graphs.adapters.edges import from_edges
from graphrings.graphs.dataset import Dataset


def from_networkx(
    graphs: Sequence[Any],
    targets: Any = None,
    node_label: str | None = None,
    node_attributes: str | Sequence[str] | None = None,
    *,
    edge_label: str | None = None,
    name: str = "graphs",
) -> Dataset:
    """Make a dataset of networkx graphs; nodes are numbered in the order of the graph.

    ``node_label`` and ``edge_label`` name the data that holds a label of any type, and
    ``node_attributes`` the data with numbers or vectors of numbers. Directions are dropped.
    """
    keys = [node_attributes] if isinstance(node_attributes, str) else node_attributes
    edge_lists, sizes, labels, attributes, edge_labels = [], [], [], [], []
    for i, graph in enumerate(graphs):
        number = {node: k for k, node in enumerate(graph.nodes)}
        edges = list(graph.edges(data=True))
        if not graph.is_directed():
            edges += [(v, u, data) for u, v, data in edges if u != v]
        sizes.append(len(number))
        edge_lists.append(np.array([(number[u], number[v]) for u, v, _ in edges], dtype=np.int64))
        if node_label is not None:
            labels.append([_get(graph.nodes[v], node_label, i, f"node {v!r}") for v in graph])
        if keys:
            attributes.append(
                [
                    np.hstack([_get(graph.nodes[v], key, i, f"node {v!r}") for key in keys])
                    for v in graph
                ]
            )
        if edge_label is not None:
            edge_labels.append(
                [_get(data, edge_label, i, f"edge ({u!r}, {v!r})") for u, v, data in edges]
            )
    return from_edges(
        edge_lists,
        targets,
        n_nodes=sizes,
        node_labels=labels if node_label is not None else None,
        node_attributes=attributes if keys else None,
        edge_labels=edge_labels if edge_label is not None else None,
        directed=True,
        name=name,
    )


def _get(data: dict[str, Any], key: str, graph: int, where: str) -> Any:
    if key not in data:
        has = f"it has {', '.join(map(repr, data))}" if data else "it has no data"
        raise DatasetError(f"graph {graph}, {where}: no {key!r}; {has}")
    return data[key]
