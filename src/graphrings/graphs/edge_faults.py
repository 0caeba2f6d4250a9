"""The compiled loop that finds out what is wrong with edges."""

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.graphs.check import ASTRAY, GOOD, ONE_WAY, OUTSIDE, UNSORTED


@compiled
def first_edge_fault(
    graph_ptr: NDArray[np.int32], indptr: NDArray[np.int32], indices: NDArray[np.int32]
) -> int:
    """What is wrong first with the edges, between bounds that are right.

    Neighbours ascend, so that whoever comes next to a node v is the next one that v has listed: an
    edge that is there in both directions is found without a search.
    """
    nodes = len(indptr) - 1
    met = indptr[:-1].copy()  # the next neighbour of every node that has not come by
    for graph in range(len(graph_ptr) - 1):
        first, last = graph_ptr[graph], graph_ptr[graph + 1]
        for v in range(first, last):
            before = -1
            for e in range(indptr[v], indptr[v + 1]):
                u = indices[e]
                if u < 0 or u >= nodes:
                    return OUTSIDE
                if u < first or u >= last:
                    return ASTRAY
                if u == v or u <= before:
                    return UNSORTED
                before = u
        for v in range(first, last):
            for e in range(indptr[v], indptr[v + 1]):
                u = indices[e]
                if met[u] == indptr[u + 1] or indices[met[u]] != v:
                    return ONE_WAY
                met[u] += 1
    return GOOD
