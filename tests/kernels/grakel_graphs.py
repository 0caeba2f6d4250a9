"""Graphs as GraKeL takes them."""

from typing import Any

import graphrings as gr


def as_grakel(dataset: gr.Dataset) -> list[Any]:
    """Every graph as its edges, in both directions, and the labels of its nodes."""
    graphs = []
    for graph in dataset:
        edges = {(u, int(v)) for u in range(graph.n_nodes) for v in graph.neighbours(u)}
        labels = dict(enumerate(graph.node_labels.tolist()))
        graphs.append([edges, labels])
    return graphs
