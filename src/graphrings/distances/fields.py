"""Receptive fields: the nodes nearest to every node, in an order that a labelling decides."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.distances.costs import search_steps
from graphrings.graphs.dataset import Dataset
from graphrings.limits import Work, begin

BYTES_A_PLACE = 4


def fields(dataset: Dataset, labels: NDArray[np.int32], size: int) -> NDArray[np.int32]:
    """The first ``size`` nodes around every node, by distance and then by label; (n, size).

    The node itself stands first. Places that its part of the graph has no nodes for are -1.
    """
    what = f"receptive fields of {size} nodes around {dataset.n_nodes:,}"
    n_steps, n_bytes = search_steps(dataset, size), dataset.n_nodes * size * BYTES_A_PLACE
    begin(Work(what, "take smaller fields or graphs", n_bytes, "edges of searches", n_steps))
    nodes = np.full((dataset.n_nodes, size), -1, dtype=np.int32)
    assemble(dataset.indptr, dataset.indices, labels, nodes)
    return nodes


@compiled
def assemble(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    labels: NDArray[np.int32],
    nodes: NDArray[np.int32],
) -> None:
    """A breadth-first search from every node, whole layers, until there are enough nodes."""
    size = nodes.shape[1]
    seen = np.full(len(nodes), -1, dtype=np.int32)
    queue = np.empty(len(nodes), dtype=np.int32)
    for root in range(len(nodes)):
        field = nodes[root]
        field[0] = queue[0] = seen[root] = root
        begin, end, filled = 0, 1, 1
        while begin < end and filled < size:
            n_queued, layer = end, filled  # where the places of the next layer begin
            for i in range(begin, end):
                for e in range(indptr[queue[i]], indptr[queue[i] + 1]):
                    u = indices[e]
                    if seen[u] == root:
                        continue
                    seen[u] = root
                    queue[n_queued] = u
                    n_queued += 1
                    at = filled
                    if filled < size:
                        filled += 1
                    elif labels[u] < labels[field[size - 1]]:
                        at = size - 1
                    else:
                        continue
                    while at > layer and labels[u] < labels[field[at - 1]]:
                        field[at] = field[at - 1]
                        at -= 1
                    field[at] = u
            begin, end = end, n_queued
