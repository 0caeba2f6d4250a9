"""Exact counts of the graphlets of three nodes: empty, edge, path and triangle."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.errors import SettingError
from graphrings.graphs.dataset import Dataset
from graphrings.kernels.tables import Occurrences
from graphrings.limits import Work, begin
from graphrings.loops import first_from, twice_as_wide

EMPTY, EDGE, PATH, TRIANGLE = 0, 1, 2, 3
MOST_LABELS = 128  # in one graph: four tables of 128^3 numbers take 64 MB


def count_graphlets(dataset: Dataset, connected: bool) -> Occurrences:
    """The graphlets of every graph, from its degrees and triangles.

    Two edges at a node make a path unless a third closes them; an edge and any third node make a
    graphlet, which is met once for each edge that it has; all other sets of three are empty.
    """
    begin(wedges(dataset))
    n, degrees = dataset.sizes.astype(np.int64), dataset.degrees.astype(np.float64)
    m = np.diff(dataset.indptr[dataset.graph_ptr]).astype(np.int64) // 2
    forks = np.bincount(dataset.owner, degrees * (degrees - 1) / 2, len(dataset)).astype(np.int64)
    triangles = count_triangles(dataset.graph_ptr, dataset.indptr, dataset.indices)
    paths = forks - 3 * triangles
    edges = m * (n - 2) - 2 * paths - 3 * triangles
    empty = n * (n - 1) * (n - 2) // 6 - edges - paths - triangles
    counts = np.stack([empty, edges, paths, triangles], axis=1)
    counts[:, :PATH] *= not connected
    graphs, shapes = np.nonzero(counts)
    return Occurrences(graphs, shapes, counts[graphs, shapes].astype(np.float64))


def count_labelled_graphlets(
    dataset: Dataset, labels: NDArray[np.int32], connected: bool
) -> Occurrences:
    """The graphlets of every graph, told apart by the labels of their nodes as well."""
    n_labels = max(dataset.n_labels, 1)
    kinds = np.unique(dataset.owner * np.int64(n_labels) + labels) // n_labels
    most = np.bincount(kinds, minlength=1)
    if most.max() > MOST_LABELS:
        raise SettingError(
            f"labelled = True; expected at most {MOST_LABELS} labels in a graph, "
            f"graph {most.argmax()} has {most.max()}"
        )
    begin(wedges(dataset))
    arrays = dataset.graph_ptr, dataset.indptr, dataset.indices, labels
    graphs, shapes, a, b, c, counts = tally(*arrays, n_labels, connected)
    codes = ((shapes * n_labels + a) * n_labels + b) * n_labels + c
    return Occurrences(graphs, codes, counts.astype(np.float64))


def wedges(dataset: Dataset) -> Work:
    """What it takes to look at all pairs of edges that meet."""
    n_steps = float(np.square(dataset.degrees, dtype=np.float64).sum())
    what = f"counting the triangles of {dataset.n_nodes:,} nodes"
    instead = "take size = 4, which is sampled, or smaller graphs"
    return Work(what, instead, kind="wedges", n_steps=n_steps)


@compiled
def count_triangles(
    graph_ptr: NDArray[np.int32], indptr: NDArray[np.int32], indices: NDArray[np.int32]
) -> NDArray[np.int64]:
    """The number of triangles u < v < w of every graph."""
    triangles = np.zeros(len(graph_ptr) - 1, dtype=np.int64)
    neighbour_of = np.full(len(indptr) - 1, -1, dtype=np.int32)
    for graph in range(len(triangles)):
        for u in range(graph_ptr[graph], graph_ptr[graph + 1]):
            triangles[graph] += triangles_at(u, indptr, indices, neighbour_of)
    return triangles


@compiled
def triangles_at(
    u: int,
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    neighbour_of: NDArray[np.int32],
) -> int:
    """The number of triangles u < v < w; ``neighbour_of`` marks the neighbours of u."""
    for e in range(indptr[u], indptr[u + 1]):
        neighbour_of[indices[e]] = u
    total = 0
    for e in range(indptr[u], indptr[u + 1]):
        v = indices[e]
        if v < u:
            continue
        for f in range(first_from(indices, indptr[v], indptr[v + 1], v), indptr[v + 1]):
            total += neighbour_of[indices[f]] == u
    return total


@compiled
def tally(
    graph_ptr: NDArray[np.int32],
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    labels: NDArray[np.int32],
    n_labels: int,
    connected: bool,
) -> NDArray[np.int64]:
    """Columns (graph, shape, a, b, c, number), lexicographic.

    Labels are in order where nodes may be exchanged: a <= b <= c in triangles and empty graphlets,
    a <= b at the ends of a path with c inside, and at those of an edge beside which c is alone.
    """
    columns = np.empty((6, 1024), dtype=np.int64)
    local = np.full(n_labels, -1, dtype=np.int32)
    kinds = np.empty(len(labels), dtype=np.int32)
    neighbour_of = np.full(len(labels), -1, dtype=np.int32)
    size = 0
    for graph in range(len(graph_ptr) - 1):
        first, last = graph_ptr[graph], graph_ptr[graph + 1]
        names = np.unique(labels[first:last])
        for k in range(len(names)):
            local[names[k]] = k
        for u in range(first, last):
            kinds[u] = local[labels[u]]
        table = np.zeros((4, len(names), len(names), len(names)), dtype=np.int64)
        add_paths(first, last, indptr, indices, kinds, table)
        add_triangles(first, last, indptr, indices, kinds, neighbour_of, table)
        if not connected:
            add_edges(first, last, indptr, indices, kinds, table)
            add_empty(first, last, kinds, table)
        for shape, a, b, c in np.argwhere(table):
            if size == columns.shape[1]:
                columns = twice_as_wide(columns)
            columns[0, size], columns[1, size] = graph, shape
            columns[2, size], columns[3, size], columns[4, size] = names[a], names[b], names[c]
            columns[5, size] = table[shape, a, b, c]
            size += 1
    return columns[:, :size]


@compiled
def add_paths(
    first: int,
    last: int,
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    kinds: NDArray[np.int32],
    table: NDArray[np.int64],
) -> None:
    """Count the pairs of neighbours of every node, closed or not."""
    counts = np.zeros(table.shape[1], dtype=np.int64)
    for u in range(first, last):
        counts[:] = 0
        for e in range(indptr[u], indptr[u + 1]):
            counts[kinds[indices[e]]] += 1
        for a in range(len(counts)):
            if counts[a] > 0:
                table[PATH, a, a, kinds[u]] += counts[a] * (counts[a] - 1) // 2
                for b in range(a + 1, len(counts)):
                    table[PATH, a, b, kinds[u]] += counts[a] * counts[b]


@compiled
def add_triangles(
    first: int,
    last: int,
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    kinds: NDArray[np.int32],
    neighbour_of: NDArray[np.int32],
    table: NDArray[np.int64],
) -> None:
    """Count the triangles u < v < w; the three pairs of neighbours in each are no paths."""
    for u in range(first, last):
        for e in range(indptr[u], indptr[u + 1]):
            neighbour_of[indices[e]] = u
        for e in range(indptr[u], indptr[u + 1]):
            v = indices[e]
            if v < u:
                continue
            for f in range(first_from(indices, indptr[v], indptr[v + 1], v), indptr[v + 1]):
                if neighbour_of[indices[f]] == u:
                    a, b, c = in_order(kinds[u], kinds[v], kinds[indices[f]])
                    table[TRIANGLE, a, b, c] += 1
                    table[PATH, a, b, c] -= 1
                    table[PATH, a, c, b] -= 1
                    table[PATH, b, c, a] -= 1


@compiled
def add_edges(
    first: int,
    last: int,
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    kinds: NDArray[np.int32],
    table: NDArray[np.int64],
) -> None:
    """Count every edge with every third node, without those in paths and triangles."""
    n_kinds = table.shape[1]
    sizes = np.zeros(n_kinds, dtype=np.int64)
    for u in range(first, last):
        sizes[kinds[u]] += 1
    for u in range(first, last):
        for e in range(first_from(indices, indptr[u], indptr[u + 1], u), indptr[u + 1]):
            one, other = kinds[u], kinds[indices[e]]
            a, b = min(one, other), max(one, other)
            for c in range(n_kinds):
                table[EDGE, a, b, c] += sizes[c] - (c == a) - (c == b)
    for a in range(n_kinds):
        for b in range(a, n_kinds):
            for c in range(n_kinds):
                table[EDGE, min(a, c), max(a, c), b] -= table[PATH, a, b, c]
                table[EDGE, min(b, c), max(b, c), a] -= table[PATH, a, b, c]
            for c in range(b, n_kinds):
                table[EDGE, a, b, c] -= table[TRIANGLE, a, b, c]
                table[EDGE, a, c, b] -= table[TRIANGLE, a, b, c]
                table[EDGE, b, c, a] -= table[TRIANGLE, a, b, c]


@compiled
def add_empty(first: int, last: int, kinds: NDArray[np.int32], table: NDArray[np.int64]) -> None:
    """Count all sets of three nodes, without those that have an edge."""
    n_kinds = table.shape[1]
    sizes = np.zeros(n_kinds, dtype=np.int64)
    for u in range(first, last):
        sizes[kinds[u]] += 1
    for a in range(n_kinds):
        for b in range(a, n_kinds):
            for c in range(n_kinds):
                x, y, z = in_order(a, b, c)
                table[EMPTY, x, y, z] -= table[EDGE, a, b, c] + table[PATH, a, b, c]
            for c in range(b, n_kinds):
                left_b = sizes[b] - (b == a)
                left_c = sizes[c] - (c == a) - (c == b)
                orders = 6 if a == c else 2 if a == b or b == c else 1
                table[EMPTY, a, b, c] += sizes[a] * left_b * left_c // orders
                table[EMPTY, a, b, c] -= table[TRIANGLE, a, b, c]


@compiled
def in_order(a: int, b: int, c: int) -> tuple[int, int, int]:
    """Three numbers, ascending."""
    low, high = min(a, b, c), max(a, b, c)
    return low, a + b + c - low - high, high
