"""What the graphs of a dataset carry, under the names that other libraries know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.graphs.dataset import Dataset, Graph

LABEL, ATTRIBUTES, TARGET, SMILES = "label", "attributes", "target", "smiles"


@dataclass(frozen=True)
class GraphData:
    """One graph: edges, and columns of data of nodes, edges and the graph.

    Edges stand here once, or in both directions if the graph is ``directed``.
    """

    n_nodes: int
    pairs: NDArray[np.int32]
    nodes: dict[str, list[Any]]
    edges: dict[str, list[Any]]
    graph: dict[str, Any]
    directed: bool


def data_of(dataset: Dataset) -> Iterator[GraphData]:
    """The graphs with labels by name, attributes as tuples, and the target.

    Where an edge has other data in its other direction, all graphs are directed.
    """
    directed = not same_both_ways(dataset)
    for graph in dataset:
        tails = np.repeat(np.arange(graph.n_nodes, dtype=np.int32), np.diff(graph.indptr))
        kept = (tails < graph.indices) | directed
        nodes, edges = dict[str, list[Any]](), dict[str, list[Any]]()
        if graph.node_labels is not None:
            nodes[LABEL] = [graph.label_names[k] for k in graph.node_labels]
        if graph.node_attributes is not None:
            nodes[ATTRIBUTES] = list(map(tuple, graph.node_attributes.tolist()))
        if graph.edge_labels is not None:
            edges[LABEL] = [graph.edge_label_names[k] for k in graph.edge_labels[kept]]
        if graph.edge_attributes is not None:
            edges[ATTRIBUTES] = list(map(tuple, graph.edge_attributes[kept].tolist()))
        pairs = np.stack([tails, graph.indices], axis=1)[kept]
        yield GraphData(graph.n_nodes, pairs, nodes, edges, _graph_data(graph), directed)


def same_both_ways(dataset: Dataset) -> bool:
    """Whether all edges have the same label and attributes in both directions."""
    tails = np.repeat(np.arange(dataset.n_nodes, dtype=np.int32), dataset.degrees)
    mirror = np.lexsort((tails, dataset.indices))
    return all(
        values is None or np.array_equal(values, values[mirror])
        for values in (dataset.edge_labels, dataset.edge_attributes)
    )


def _graph_data(graph: Graph) -> dict[str, Any]:
    data: dict[str, Any] = {}
    if graph.target is not None:
        named = graph.class_names
        data[TARGET] = named[int(graph.target)] if named else graph.target
    if graph.smiles is not None:
        data[SMILES] = graph.smiles
    return data
