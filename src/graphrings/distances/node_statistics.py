"""Numbers of nodes, such as their degree, summed up graph by graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.distances.triangles import triangles
from graphrings.graphs.dataset import Dataset
from graphrings.loops import read_only

Reals = NDArray[np.float64]
FEW = 128  # nodes, whose values are sorted here; those of many are sorted before
QUANTILES = {"minimum": 0.0, "quartile 1": 0.25, "median": 0.5, "quartile 3": 0.75, "maximum": 1.0}


def quantities(dataset: Dataset, sizes: NDArray[np.int32]) -> dict[str, Reals]:
    """What is known of every node, by name; ``sizes`` are those of its rings."""
    degrees = dataset.degrees.astype(np.float64)
    pairs = degrees * (degrees - 1) / 2
    closed = triangles(dataset.graph_ptr, dataset.indptr, dataset.indices)
    known = {
        "degree": degrees,
        **neighbour_degrees(dataset),
        "triangles": closed.astype(np.float64),
        "clustering": closed / np.maximum(1, pairs),
    }
    for j in range(2, sizes.shape[1]):
        known[f"size of ring {j}"] = sizes[:, j].astype(np.float64)
    return known


def neighbour_degrees(dataset: Dataset) -> dict[str, Reals]:
    """Mean, deviation, smallest and largest degree of every node's neighbours; 0 without any."""
    known = np.zeros((4, dataset.n_nodes))
    look_around(dataset.indptr, dataset.indices, known)
    names = (
        "mean neighbour degree",
        "deviation of neighbour degrees",
        "smallest neighbour degree",
        "largest neighbour degree",
    )
    return dict(zip(names, known, strict=True))


@compiled
def look_around(indptr: NDArray[np.int32], indices: NDArray[np.int32], out: Reals) -> None:
    """Write mean, deviation, minimum and maximum of the degrees of a node's neighbours."""
    for v in range(len(indptr) - 1):
        first, last = indptr[v], indptr[v + 1]
        if first == last:
            continue
        total, squares, most = 0, 0, 0
        least = len(indptr)
        for e in range(first, last):
            degree = np.int64(indptr[indices[e] + 1]) - indptr[indices[e]]
            total += degree
            squares += degree * degree
            least, most = min(least, degree), max(most, degree)
        mean = total / (last - first)
        variance = squares / (last - first) - mean * mean
        out[0, v], out[1, v] = mean, np.sqrt(max(0.0, variance))
        out[2, v], out[3, v] = least, most


def summaries(bounds: NDArray[np.int32], of_members: Mapping[str, Reals]) -> dict[str, Reals]:
    """Mean, deviation and quartiles over the members of every graph; 0 for a graph without any.

    Graph i has the members ``bounds[i] .. bounds[i + 1] - 1``, such as its nodes. Sums run in the
    order of the values, so that they do not depend on the names of nodes.
    """
    words, shares = ("mean", "deviation", *QUANTILES), np.array(list(QUANTILES.values()))
    most = int(np.diff(bounds).max(initial=0))
    numbers = np.zeros((len(of_members), len(words), len(bounds) - 1))
    if of_members:
        columns: Iterable[Reals] = of_members.values()
        if most > FEW:
            columns = (sorted_inside(bounds, values) for values in columns)
        room = np.empty((most, len(of_members)))
        members = read_only(bounds, np.stack(list(columns)))
        summarise(*members, shares, room, numbers)
    return {
        f"{word} of {name}": row
        for name, rows in zip(of_members, numbers, strict=True)
        for word, row in zip(words, rows, strict=True)
    }


def sorted_inside(bounds: NDArray[np.int32], values: Reals) -> Reals:
    """The values of the members of every graph, ascending."""
    sizes = np.diff(bounds)
    return values[np.lexsort((values, np.repeat(np.arange(len(sizes)), sizes)))]


@compiled
def summarise(
    bounds: NDArray[np.int32], values: Reals, shares: Reals, room: Reals, out: Reals
) -> None:
    """Write mean, deviation and quantiles of the rows of ``values`` between bounds.

    Where more than a few stand between two bounds, they are in order already. ``room`` has a row
    for every member of the largest graph, and its columns are all looked at together.
    """
    n_columns = len(values)
    totals, means, spreads = np.empty(n_columns), np.empty(n_columns), np.empty(n_columns)
    for k in range(len(bounds) - 1):
        first, n = bounds[k], bounds[k + 1] - bounds[k]
        if n == 0:
            continue
        for c in range(n_columns):
            for i in range(n):
                room[i, c] = values[c, first + i]
        if n <= FEW:
            sort_columns(n, room)
        for c in range(n_columns):
            totals[c], spreads[c] = 0, 0
        for i in range(n):
            for c in range(n_columns):
                totals[c] += room[i, c]
        for c in range(n_columns):
            means[c] = totals[c] / n
        for i in range(n):
            for c in range(n_columns):
                spreads[c] += (room[i, c] - means[c]) * (room[i, c] - means[c])
        for c in range(n_columns):
            out[c, 0, k], out[c, 1, k] = means[c], np.sqrt(spreads[c] / n)
            for q in range(len(shares)):
                out[c, 2 + q, k] = room[int(shares[q] * (n - 1)), c]


@compiled
def sort_columns(n: int, table: Reals) -> None:
    """Sort the first n numbers of every column by Batcher's odd-even merge sort (1968).

    Which two rows are compared does not depend on what they hold, so that a column more costs
    nothing, and there is nothing to guess.
    """
    p = 1
    while p < n:
        k = p
        while k > 0:
            for start in range(k % p, n - k, 2 * k):
                for i in range(start, start + min(k, n - k - start)):
                    if (i ^ (i + k)) < 2 * p:
                        for c in range(table.shape[1]):
                            low, high = table[i, c], table[i + k, c]
                            table[i, c] = high if high < low else low
                            table[i + k, c] = low if high < low else high
            k //= 2
        p *= 2


def means(bounds: NDArray[np.int32], values: Reals) -> Reals:
    """The mean over the members of every graph."""
    sizes = np.diff(bounds)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    return np.bincount(owner, values, minlength=len(sizes)) / np.maximum(1, sizes)


def graph_numbers(dataset: Dataset, of_nodes: Mapping[str, Reals]) -> dict[str, Reals]:
    """What is known of every graph as a whole."""
    nodes = dataset.sizes.astype(np.float64)
    edges = np.bincount(dataset.owner, dataset.degrees, minlength=len(dataset)) / 2
    closed = np.bincount(dataset.owner, of_nodes["triangles"], minlength=len(dataset)) / 3
    wedges = of_nodes["degree"] * (of_nodes["degree"] - 1) / 2
    open_or_closed = np.bincount(dataset.owner, wedges, minlength=len(dataset))
    parts = n_components(dataset)
    return {
        "nodes": nodes,
        "edges": edges,
        "density": 2 * edges / np.maximum(1, nodes * (nodes - 1)),
        "components": parts,
        "independent cycles": edges - nodes + parts,
        "triangles": closed,
        "transitivity": 3 * closed / np.maximum(1, open_or_closed),
    }


def n_components(dataset: Dataset) -> Reals:
    """How many connected parts every graph has."""
    counts, met = np.zeros(len(dataset)), np.zeros(dataset.n_nodes, dtype=np.bool_)
    queue = np.empty(int(dataset.sizes.max(initial=0)), dtype=np.int32)
    count_parts(dataset.graph_ptr, dataset.indptr, dataset.indices, met, queue, counts)
    return counts


@compiled
def count_parts(
    graph_ptr: NDArray[np.int32],
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    met: NDArray[np.bool_],
    queue: NDArray[np.int32],
    counts: Reals,
) -> None:
    """Count the searches that it takes to meet all nodes of every graph."""
    for graph in range(len(counts)):
        for source in range(graph_ptr[graph], graph_ptr[graph + 1]):
            if met[source]:
                continue
            counts[graph] += 1
            met[source], queue[0], size, at = True, source, 1, 0
            while at < size:
                v = queue[at]
                at += 1
                for e in range(indptr[v], indptr[v + 1]):
                    if not met[indices[e]]:
                        met[indices[e]] = True
                        queue[size] = indices[e]
                        size += 1
