"""The matrices of the paper, dense and in double precision, from scipy's shortest paths."""

import numpy as np
import torch
from scipy.sparse import csr_array
from scipy.sparse.csgraph import shortest_path
from torch import Tensor

import graphrings as gr


def distances(dataset: gr.Dataset) -> np.ndarray:
    """The shortest-path distance of every pair of nodes; infinite where no path leads."""
    ones = np.ones(len(dataset.indices))
    adjacency = csr_array((ones, dataset.indices, dataset.indptr), shape=(dataset.n_nodes,) * 2)
    return shortest_path(adjacency, unweighted=True)


def adjacency(dataset: gr.Dataset) -> np.ndarray:
    """A = SP^1, Eq. (8)."""
    return (distances(dataset) == 1).astype(float)


def mean_over(chosen: np.ndarray) -> Tensor:
    """D^-1 times a matrix of weights; a row without any stays zero."""
    return torch.from_numpy(chosen / np.maximum(chosen.sum(axis=1, keepdims=True), 1))


def ring_means(dataset: gr.Dataset, radius: int) -> list[Tensor]:
    """(D^j)^-1 SP^j for j = 0 .. radius."""
    distance = distances(dataset)
    return [mean_over((distance == j).astype(float)) for j in range(radius + 1)]


def random_rows(n: int, width: int, seed: int = 0) -> Tensor:
    """Node rows in double precision."""
    return torch.from_numpy(np.random.default_rng(seed).normal(size=(n, width)))
