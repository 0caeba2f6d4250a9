"""Graphs in whatever form a user has them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from scipy.sparse import issparse

from graphrings.errors import DatasetError
from graphrings.graphs.adapters.adjacency import from_scipy
from graphrings.graphs.adapters.networkx import from_networkx
from graphrings.graphs.adapters.smiles import from_mols, is_mol
from graphrings.graphs.array_cache import ArrayCache
from graphrings.graphs.collect import from_graphs
from graphrings.graphs.dataset import Dataset, Graph
from graphrings.graphs.selection import Selection

NODE_LABEL = "label"


def as_dataset(graphs: Any, targets: Any = None) -> Dataset:
    """A dataset of a Dataset, a Selection or a Graph, or of a list of graphs or adjacency matrices.

    Listed graphs are of the class Graph, of networkx or of rdkit, matrices sparse or dense.
    Nodes of networkx graphs have labels if all of them carry data called ``label``.
    """
    if isinstance(graphs, Selection):
        graphs = graphs.cut_out()
    if isinstance(graphs, Graph):
        graphs = [graphs]
    if not isinstance(graphs, Iterable):
        raise DatasetError(f"one {type(graphs).__name__}; expected a Dataset or a list of graphs")
    listed = graphs if isinstance(graphs, Dataset) else list(graphs)
    if len(listed) == 0:
        raise DatasetError("no graphs; expected at least one")
    if isinstance(listed, Dataset):
        if targets is not None:
            raise DatasetError("a dataset has targets of its own")
        return listed
    if all(isinstance(graph, Graph) for graph in listed):
        return from_graphs(listed, targets)
    if all(
        issparse(graph) or (isinstance(graph, np.ndarray) and graph.ndim == 2) for graph in listed
    ):
        return from_scipy(listed, targets)
    if all(hasattr(graph, "adj") and hasattr(graph, "nodes") for graph in listed):
        labelled = all(NODE_LABEL in data for graph in listed for _, data in graph.nodes(data=True))
        return from_networkx(listed, targets, NODE_LABEL if labelled else None)
    if all(map(is_mol, listed)):
        return from_mols(listed, targets)
    if all(isinstance(graph, str) for graph in listed):
        raise DatasetError(
            f"text such as {listed[0]!r}; SMILES become graphs by gr.from_smiles, files by gr.read"
        )
    raise DatasetError(
        f"graphs of type {type(listed[0]).__name__}; expected a Dataset, or a list of Graph, "
        "networkx graphs, adjacency matrices or molecules of rdkit"
    )


def is_empty(graphs: Any) -> bool:
    """Whether a user has given a list of no graphs."""
    return hasattr(graphs, "__len__") and not hasattr(graphs, "nodes") and len(graphs) == 0


def as_selection(graphs: Any) -> Selection:
    """All graphs of whatever a user has, selected; a Selection stays what it is."""
    if isinstance(graphs, Selection):
        return graphs
    dataset = as_dataset(graphs)
    return Selection(dataset, np.arange(len(dataset)), ArrayCache())
