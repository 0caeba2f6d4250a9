"""Graphs in whatever form a user has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse

from graphrings.errors import DatasetError
from graphrings.graphs.adapters.adjacency import from_scipy
from graphrings.graphs.adapters.igraph import from_igraph, is_igraph
from graphrings.graphs.adapters.networkx import from_networkx, is_networkx
from graphrings.graphs.adapters.pyg import any_pyg, is_pyg
from graphrings.graphs.adapters.smiles import from_mols, is_mol
from graphrings.graphs.array_cache import ArrayCache
from graphrings.graphs.collect import from_graphs
from graphrings.graphs.dataset import Dataset, Graph
from graphrings.graphs.selection import Selection


class Form(NamedTuple):
    """What a graph may be: how it is known, and how a list of such graphs becomes a dataset."""

    name: str
    is_one: Callable[[Any], bool]
    join: Callable[[list[Any], Any], Dataset]


def _is_matrix(graph: Any) -> bool:
    return bool(issparse(graph)) or (isinstance(graph, np.ndarray) and graph.ndim == 2)


FORMS = (
    Form("Graph", lambda graph: isinstance(graph, Graph), from_graphs),
    Form("adjacency matrices", _is_matrix, from_scipy),
    Form("Data of PyTorch Geometric", is_pyg, any_pyg),
    Form("igraph graphs", is_igraph, from_igraph),
    Form("networkx graphs", is_networkx, from_networkx),
    Form("molecules of rdkit", is_mol, from_mols),
)


def as_dataset(graphs: Any, targets: Any = None) -> Dataset:
    """A dataset of a Dataset or a Selection, of a list of graphs, or of a single graph.

    Graphs are of the class Graph, of networkx, igraph or PyTorch Geometric, molecules of rdkit, or
    adjacency matrices, sparse or dense; matrices are always listed.
    """
    if isinstance(graphs, Selection):
        graphs = graphs.cut_out()
    if isinstance(graphs, Dataset):
        if len(graphs) == 0:
            raise DatasetError("no graphs; expected at least one")
        if targets is not None:
            raise DatasetError("a dataset has targets of its own")
        return graphs
    listed = _listed(graphs)
    if len(listed) == 0:
        raise DatasetError("no graphs; expected at least one")
    for form in FORMS:
        if all(map(form.is_one, listed)):
            return form.join(listed, targets)
    if all(isinstance(graph, str) for graph in listed):
        raise DatasetError(
            f"text such as {listed[0]!r}; SMILES become graphs by gr.from_smiles, files by gr.read"
        )
    raise DatasetError(
        f"graphs of type {type(listed[0]).__name__}; expected a Dataset, or a list of "
        f"{', '.join(form.name for form in FORMS)}, all of one kind"
    )


def _listed(graphs: Any) -> list[Any]:
    """The single graphs; one graph is a list of one, a batch of PyTorch Geometric what it joins."""
    if hasattr(graphs, "to_data_list"):
        return list(graphs.to_data_list())
    if any(form.is_one(graphs) for form in FORMS if form.join is not from_scipy):
        return [graphs]
    if not isinstance(graphs, Iterable):
        raise DatasetError(f"one {type(graphs).__name__}; expected a Dataset or a list of graphs")
    return list(graphs)


def is_empty(graphs: Any) -> bool:
    """Whether a user has given a list of no graphs."""
    return hasattr(graphs, "__len__") and not hasattr(graphs, "nodes") and len(graphs) == 0


def as_selection(graphs: Any) -> Selection:
    """All graphs of whatever a user has, selected; a Selection stays what it is."""
    if isinstance(graphs, Selection):
        return graphs
    dataset = as_dataset(graphs)
    return Selection(dataset, np.arange(len(dataset)), ArrayCache())
