"""Where random walks end: the weights of nodes after every number of steps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphrings.graphs.dataset import Dataset


def diffused(dataset: Dataset, hops: int) -> NDArray[np.float64]:
    r"""How much every node weighs in the mean of :math:`P^j X` over the nodes of its graph.

    .. math:: \frac{1}{N} \mathbf 1^\top P^j, \quad P = D^{-1} A

    Shape (hops + 1, n). Every hop is one product of a sparse matrix and a vector. A node without
    neighbours has a row of zeros in P: nothing walks on from it.
    """
    degrees = dataset.degrees
    weights = np.empty((hops + 1, dataset.n_nodes))
    weights[0] = 1 / np.repeat(dataset.sizes, dataset.sizes)
    for j in range(hops):
        sent = np.repeat(weights[j] / np.maximum(degrees, 1), degrees)
        weights[j + 1] = np.bincount(dataset.indices, sent, minlength=dataset.n_nodes)
    return weights
