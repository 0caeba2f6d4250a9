"""Numbers of nodes, such as their degree, summed up graph by graph."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from graphrings.compiled import compiled
from graphrings.distances.triangles import triangles
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.small_numbers import first_of_each

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
    degrees, busy = dataset.degrees, dataset.degrees > 0
    near, starts = degrees[dataset.indices].astype(np.int64), dataset.indptr[:-1][busy]

    def over_neighbours(ufunc: np.ufunc, values: NDArray[np.int64]) -> Reals:
        result = np.zeros(dataset.n_nodes)
        if len(starts):
            result[busy] = ufunc.reduceat(values, starts)
        return result

    count = np.maximum(1, degrees)
    mean = over_neighbours(np.add, near) / count
    variance = over_neighbours(np.add, near**2) / count - mean**2
    return {
        "mean neighbour degree": mean,
        "deviation of neighbour degrees": np.sqrt(np.maximum(0, variance)),
        "smallest neighbour degree": over_neighbours(np.minimum, near),
        "largest neighbour degree": over_neighbours(np.maximum, near),
    }


def summaries(bounds: NDArray[np.int32], of_members: Mapping[str, Reals]) -> dict[str, Reals]:
    """Mean, deviation and quartiles over the members of every graph; 0 for a graph without any.

    Graph i has the members ``bounds[i] .. bounds[i + 1] - 1``, such as its nodes. Sums run in the
    order of the values, so that they do not depend on the names of nodes.
    """
    sizes, result = np.diff(bounds), {}
    owner = np.repeat(np.arange(len(sizes)), sizes)
    for name, values in of_members.items():
        ordered = sorted_within(bounds, values)
        mean = means(bounds, ordered)
        spread = means(bounds, np.square(ordered - mean[owner]))
        result[f"mean of {name}"], result[f"deviation of {name}"] = mean, np.sqrt(spread)
        for word, share in QUANTILES.items():
            places = bounds[:-1] + np.floor(share * (sizes - 1)).astype(int)
            result[f"{word} of {name}"] = np.where(sizes > 0, np.append(ordered, 0.0)[places], 0.0)
    return result


def sorted_within(bounds: NDArray[np.int32], values: Reals) -> Reals:
    """The values of the members of every graph in ascending order, graph after graph."""
    sizes = np.diff(bounds)
    if sizes.max(initial=0) > FEW:
        return values[np.lexsort((values, np.repeat(np.arange(len(sizes)), sizes)))]
    ordered = values.copy()
    insert_sorted(bounds, ordered)
    return ordered


@compiled
def insert_sorted(bounds: NDArray[np.int32], values: Reals) -> None:
    """Sort values between bounds, where these are close together."""
    for k in range(len(bounds) - 1):
        for i in range(bounds[k] + 1, bounds[k + 1]):
            value, at = values[i], i
            while at > bounds[k] and values[at - 1] > value:
                values[at] = values[at - 1]
                at -= 1
            values[at] = value


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
    ones = np.ones(len(dataset.indices), dtype=np.int8)
    matrix = csr_array((ones, dataset.indices, dataset.indptr), shape=(dataset.n_nodes,) * 2)
    _, part = connected_components(matrix, directed=False)
    first = first_of_each(part)
    return np.bincount(dataset.owner[first], minlength=len(dataset)).astype(np.float64)
