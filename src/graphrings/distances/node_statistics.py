"""Numbers of nodes, such as their degree, summed up graph by graph."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.distances.triangles import triangles
from graphrings.graphs.dataset import Dataset
from graphrings.loops import read_only

Reals = NDArray[np.float64]
FEW = 128  # nodes, whose values are sorted where they stand
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
    result = dict[str, Reals]()
    shares = np.array(list(QUANTILES.values()))
    for name, values in of_members.items():
        numbers = np.zeros((2 + len(shares), len(bounds) - 1))
        members = read_only(bounds, sorted_if_many(bounds, values))
        summarise(*members, shares, np.empty(FEW), numbers)
        words = ("mean", "deviation", *QUANTILES)
        result |= {f"{word} of {name}": row for word, row in zip(words, numbers, strict=True)}
    return result


def sorted_if_many(bounds: NDArray[np.int32], values: Reals) -> Reals:
    """The values of the members of every graph, ascending if a graph has more than a few."""
    sizes = np.diff(bounds)
    if sizes.max(initial=0) <= FEW:
        return np.ascontiguousarray(values)
    return values[np.lexsort((values, np.repeat(np.arange(len(sizes)), sizes)))]


@compiled
def summarise(
    bounds: NDArray[np.int32], values: Reals, shares: Reals, few: Reals, out: Reals
) -> None:
    """Write mean, deviation and quantiles of the values between bounds, which come in any order.

    Where more than ``few`` has room for stand between two bounds, all values are in order already.
    """
    for k in range(len(bounds) - 1):
        first, n = bounds[k], bounds[k + 1] - bounds[k]
        if n == 0:
            continue
        ordered = values[first : first + n]
        if n <= len(few):
            ordered = few[:n]
            insert(values, first, ordered)
        total = 0.0
        for i in range(n):
            total += ordered[i]
        mean, spread = total / n, 0.0
        for i in range(n):
            spread += (ordered[i] - mean) * (ordered[i] - mean)
        out[0, k], out[1, k] = mean, np.sqrt(spread / n)
        for q in range(len(shares)):
            out[2 + q, k] = ordered[int(shares[q] * (n - 1))]


@compiled
def insert(values: Reals, first: int, ordered: Reals) -> None:
    """Fill ``ordered`` with the values from ``first`` on, sorted: few are sorted fastest so."""
    for i in range(len(ordered)):
        value, at = values[first + i], i
        while at > 0 and ordered[at - 1] > value:
            ordered[at] = ordered[at - 1]
            at -= 1
        ordered[at] = value


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
