"""What both peers are given: node features, averaging patterns, the k of SortPooling, batches."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

import graphrings as gr
from graphrings import Dataset

CHANNELS = (32, 32, 32, 1)
DEGREE_CAP = 100


def one_hot_features(dataset: Dataset) -> NDArray[np.float32]:
    """One-hot node labels, or one-hot degrees (capped) where nodes carry no labels."""
    if dataset.node_labels is not None:
        numbers, width = dataset.node_labels, dataset.n_labels
    else:
        numbers = np.minimum(dataset.degrees, DEGREE_CAP)
        width = int(numbers.max()) + 1
    features = np.zeros((dataset.n_nodes, width), dtype=np.float32)
    features[np.arange(dataset.n_nodes), numbers] = 1
    return features


def n_features(dataset: Dataset) -> int:
    """The width of the one-hot features."""
    return dataset.n_labels or int(dataset.degrees.clip(max=DEGREE_CAP).max()) + 1


def n_blocks(radius: int | None) -> int:
    """How many blocks a layer lays side by side: one per ring, or the one of Eq. (7)."""
    return 1 if radius is None else radius + 1


def patterns(dataset: Dataset, radius: int | None) -> list[csr_array]:
    """The symmetric 0/1 matrices whose rows are averaged over: SP^0, SP^1, ..., or A + I."""
    rings = gr.rings(dataset, 1 if radius is None else radius)
    matrices = [rings.matrix(j) for j in range(rings.radius + 1)]
    return matrices if radius is not None else [csr_array(matrices[0] + matrices[1])]


def sort_size(dataset: Dataset, quantile: float | None = None) -> int:
    """The k of SortPooling: the ceil(q * N)-th size, q = 0.6 with node labels and 0.9 without."""
    if quantile is None:
        quantile = 0.6 if dataset.n_labels else 0.9
    rank = math.ceil(quantile * len(dataset) - 1e-9)  # 0.9 * 10 must not round up to 10
    return max(10, int(np.sort(dataset.sizes)[rank - 1]))


def index_arrays(dataset: Dataset, seed: int, size: int = 50) -> Iterator[NDArray[np.intp]]:
    """Full batches of shuffled graph numbers, epoch after epoch, without end."""
    random = np.random.default_rng(seed)
    while True:
        order = random.permutation(len(dataset))
        last = max(size, len(order) - len(order) % size)
        yield from (order[i : i + size] for i in range(0, last, size))
