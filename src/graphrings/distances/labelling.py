"""A canonical order of the nodes of every graph: 1-WL colours that know which comes first.

Nodes that refinement cannot tell apart share a label; the first ones of a graph have 0. Labels are
compared and nothing else is done with them, so that they depend neither on how nodes are numbered
nor on the other graphs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.small_numbers import numbered
from graphrings.loops import merge_sort


def labelling(dataset: Dataset, start: NDArray[np.integer[Any]]) -> NDArray[np.int32]:
    """The labels of all nodes: 0 is the first of its graph.

    Nodes with more neighbours come first, then those with smaller ``start``; among equals, who has
    the neighbours with smaller labels, compared from the smallest on, until nothing splits.
    """
    few = int(dataset.degrees.max(initial=0)) - dataset.degrees.astype(np.int64)
    labels = numbered(few * (int(start.max(initial=0)) + 1) + start)
    order = np.lexsort((labels, dataset.owner))
    refine_labels(dataset.graph_ptr, dataset.indptr, dataset.indices, order, labels)
    return labels


@compiled
def refine_labels(
    graph_ptr: NDArray[np.int32],
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    sorted_nodes: NDArray[np.int64],
    labels: NDArray[np.int32],
) -> None:
    """Refine the labels of every graph in place, until their number does not grow.

    ``sorted_nodes`` are the nodes of graph after graph in the order of their labels. A row has the
    label of a node and those of its neighbours, sorted: each is told to the neighbours in turn.
    """
    for graph in range(len(graph_ptr) - 1):
        first, last = graph_ptr[graph], graph_ptr[graph + 1]
        bounds = np.zeros(last - first + 1, dtype=np.int64)
        for v in range(first, last):
            bounds[v - first + 1] = bounds[v - first] + 1 + indptr[v + 1] - indptr[v]
        values = np.empty(bounds[-1], dtype=np.int32)
        order = sorted_nodes[first:last] - first
        n_labels, grown = 0, True
        while grown:
            filled = bounds[:-1] + 1
            for v in order:
                label = labels[first + v]
                values[bounds[v]] = label
                for e in range(indptr[first + v], indptr[first + v + 1]):
                    u = indices[e] - first
                    values[filled[u]] = label
                    filled[u] += 1
            order = sort_rows(np.arange(last - first), order, values, bounds)
            label = 0
            for i in range(len(order)):
                if i > 0 and comes_before(order[i - 1], order[i], values, bounds):
                    label += 1
                labels[first + order[i]] = label
            grown = label + 1 > n_labels and len(order) > 0
            n_labels = label + 1


@compiled
def comes_before(a: int, b: int, values: NDArray[np.int32], bounds: NDArray[np.int64]) -> bool:
    """Whether row a is smaller than row b at the first place where they differ."""
    length = min(bounds[a + 1] - bounds[a], bounds[b + 1] - bounds[b])
    for i in range(length):
        one, other = values[bounds[a] + i], values[bounds[b] + i]
        if one != other:
            return bool(one < other)
    return bool(length < bounds[b + 1] - bounds[b])


sort_rows = merge_sort(comes_before)
