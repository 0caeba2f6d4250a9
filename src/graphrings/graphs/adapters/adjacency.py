"""Graphs from scipy sparse (or dense numpy) adjacency matrices."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import coo_array

from graphrings.errors import DatasetError, DatasetNote
from graphrings.graphs.adapters.edges import from_edges
from graphrings.graphs.dataset import Dataset


def from_scipy(
    adjacencies: Sequence[Any],
    targets: Any = None,
    *,
    node_labels: Sequence[Any] | None = None,
    node_attributes: Sequence[ArrayLike] | None = None,
    name: str = "graphs",
) -> Dataset:
    """Make a dataset of graphs that are given as adjacency matrices.

    Every entry that is not zero is an edge. Where some are not 1, edges have them as an attribute,
    which a note says. A matrix that is not symmetric is made so, with a note.
    """
    matrices = [coo_array(adjacency) for adjacency in adjacencies]
    edge_lists, weights = [], []
    for i, matrix in enumerate(matrices):
        if matrix.shape[0] != matrix.shape[-1] or len(matrix.shape) != 2:
            raise DatasetError(
                f"graph {i}: an adjacency of shape {matrix.shape}; expected a square matrix"
            )
        row, column = matrix.coords
        edges = matrix.data != 0
        edge_lists.append(np.stack([row, column], axis=1)[edges])
        weights.append(matrix.data[edges])
    weighted = any(np.any(own != 1) for own in weights)
    if weighted:
        note = f"{name}: entries that are not 1 are edge attributes"
        warnings.warn(note, DatasetNote, stacklevel=2)
    return from_edges(
        edge_lists,
        targets,
        n_nodes=[matrix.shape[0] for matrix in matrices],
        node_labels=node_labels,
        node_attributes=node_attributes,
        edge_attributes=weights if weighted else None,
        directed=True,
        name=name,
    )
