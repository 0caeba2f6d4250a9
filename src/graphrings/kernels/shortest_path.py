"""The shortest-path kernel."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.distances.costs import search_steps
from graphrings.distances.pair_counts import number_labels
from graphrings.graphs.dataset import Dataset
from graphrings.kernels.kernel import FeatureKernel, Occurrences
from graphrings.limits import Work, begin
from graphrings.loops import read_only, twice_as_wide
from graphrings.settings import Settings, switch


class ShortestPath(FeatureKernel):
    r"""Shortest-path kernel (Borgwardt and Kriegel, 2005) with delta kernels for all three parts.

    .. math:: k(G, G') = \sum_{(u, v)} \sum_{(u', v')}
              [l(u) = l(u')] \, [l(v) = l(v')] \, [d(u, v) = d(u', v')]

    over the ordered pairs of different nodes that a path joins: pairs in different components and
    a node with itself count nothing. So every pair counts in both directions, as in GraKeL. Nodes
    without labels, or with ``labelled=False``, are all alike.
    """

    settings: ClassVar[Settings] = {
        "labelled": switch("whether to tell nodes apart by their labels")
    }

    def __init__(self, labelled: bool = True, normalize: bool = False) -> None:
        self.labelled = labelled
        self.normalize = normalize

    def _occurrences(self, dataset: Dataset) -> Occurrences:
        """Graph after graph its triples (label, label, distance), ascending."""
        labels = dataset.node_labels if self.labelled else None
        if labels is None:
            labels = np.zeros(dataset.n_nodes, dtype=np.int32)
        order = np.lexsort((labels, dataset.owner)).astype(np.int32)
        what = f"shortest paths between all nodes of {len(dataset):,} graphs"
        instead = "take smaller graphs, or a kernel that looks less far (wl, ring-wl)"
        begin(Work(what, instead, kind="edges of searches", n_steps=search_steps(dataset)))
        arrays = dataset.graph_ptr, dataset.indptr, dataset.indices, labels, order
        triples = count_triples(*read_only(*arrays))
        graphs, one, other, distance, counts = triples
        longest = int(distance.max(initial=0)) + 1
        codes = (one * (int(labels.max(initial=0)) + 1) + other) * longest + distance
        return Occurrences(graphs, codes, counts.astype(np.float64))


@compiled
def count_triples(
    graph_ptr: NDArray[np.int32],
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    labels: NDArray[np.int32],
    order: NDArray[np.int32],
) -> NDArray[np.int64]:
    """Columns (graph, label, label, distance, number of ordered pairs), lexicographic.

    ``order`` lists every graph's nodes by label. Of a graph only one label's row of the table,
    its own labels by distances, is held at a time.
    """
    n_nodes = len(labels)
    triples = np.empty((5, max(64, n_nodes)), dtype=np.int64)
    seen = np.full(n_nodes, -1, dtype=np.int32)
    queue = np.empty(n_nodes, dtype=np.int32)
    local = np.empty(n_nodes, dtype=np.int32)
    size = 0
    for graph in range(len(graph_ptr) - 1):
        nodes = order[graph_ptr[graph] : graph_ptr[graph + 1]]
        names = number_labels(nodes, labels, local)
        counts = np.zeros((len(nodes), len(names)), dtype=np.int64)  # [distance, local label]
        farthest = 0
        for k, source in enumerate(nodes):
            reached = count_from(source, indptr, indices, local, len(nodes), seen, queue, counts)
            farthest = max(farthest, reached)
            if k + 1 < len(nodes) and local[nodes[k + 1]] == local[source]:
                continue
            for other in range(len(names)):
                for distance in range(1, farthest + 1):
                    if counts[distance, other] > 0:
                        if size == triples.shape[1]:
                            triples = twice_as_wide(triples)
                        triples[0, size], triples[1, size] = graph, labels[source]
                        triples[2, size], triples[3, size] = names[other], distance
                        triples[4, size] = counts[distance, other]
                        counts[distance, other] = 0
                        size += 1
            farthest = 0
    return triples[:, :size]


@compiled
def count_from(
    source: int,
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    local: NDArray[np.int32],
    n_nodes: int,
    seen: NDArray[np.int32],
    queue: NDArray[np.int32],
    counts: NDArray[np.int64],
) -> int:
    """Count the nodes by distance from ``source`` and label; return the largest distance.

    ``seen[u] == source`` marks the nodes met already. Once all ``n_nodes`` of the graph are met
    there is nothing left to look for.
    """
    queue[0], seen[source] = source, source
    start, size, distance = 0, 1, 0
    while start < size < n_nodes:
        distance += 1
        stop = size
        for k in range(start, stop):
            if size == n_nodes:
                break
            u = queue[k]
            for e in range(indptr[u], indptr[u + 1]):
                w = indices[e]
                if seen[w] != source:
                    seen[w] = source
                    queue[size] = w
                    size += 1
                    counts[distance, local[w]] += 1
        start = stop
    return distance
