"""What graph kernels count around a node, hashed to a fixed width: nothing is ever unseen.

Colours are hashes of what they stand for (the names of labels, and the multisets that refinement
sees), so that they mean the same in every dataset and nothing has to be learned from training
graphs. Two different colours have one 64-bit hash once in 10^19 pairs; they share a column far more
often, once in ``COLUMNS`` pairs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.distances.rings import Rings, rings
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.features import Part, Shown
from graphrings.loops import mixed

HEIGHTS = 3  # rounds of the refinement whose colours are shown
RADIUS = 3  # of the rings that are counted
COLUMNS = 64  # of every height, and of every ring
Hashes = NDArray[np.uint64]


def colours(dataset: Dataset) -> Shown:
    """The Weisfeiler-Lehman colours of heights 1 to 3, each a hashed one-hot."""
    near, hashes = rings(dataset, 1), label_hashes(dataset)
    heights = []
    for _ in range(HEIGHTS):
        hashes = seen_colours(near.indptr, near.indices, near.width, hashes)
        heights.append(hashes)
    return shown(heights[-1], lambda nodes: np.hstack([one_hot(h[nodes]) for h in heights]))


def ring_labels(dataset: Dataset) -> Shown:
    """How many nodes of every label are in rings 1 to 3: the row of a node in the ring profile."""
    return ring_counts(rings(dataset, RADIUS), label_hashes(dataset))


def neighbourhoods(dataset: Dataset) -> Shown:
    """How many neighbourhoods of every kind, of radius 1, are in rings 1 to 3.

    These are the pairs of NSPDK that a node is the root of; a neighbourhood is known by its labels,
    not by the edges among them.
    """
    near = rings(dataset, 1)
    kinds = seen_colours(near.indptr, near.indices, near.width, label_hashes(dataset))
    return ring_counts(rings(dataset, RADIUS), kinds)


PARTS: Mapping[str, Part] = {
    "colours": colours,
    "neighbourhoods": neighbourhoods,
    "ring-labels": ring_labels,
}


def label_hashes(dataset: Dataset) -> Hashes:
    """A hash for the label of every node, by name; without labels all are the same."""
    if dataset.node_labels is None:
        return np.zeros(dataset.n_nodes, dtype=np.uint64)
    digests = [hashlib.sha256(repr(name).encode()).digest() for name in dataset.label_names]
    by_label = np.array([int.from_bytes(d[:8], "big") for d in digests], dtype=np.uint64)
    hashes: Hashes = by_label[dataset.node_labels]
    return hashes


def one_hot(hashes: Hashes) -> NDArray[np.float32]:
    """A one in the column of every hash."""
    rows = np.zeros((len(hashes), COLUMNS), dtype=np.float32)
    rows[np.arange(len(hashes)), hashes % np.uint64(COLUMNS)] = 1
    return rows


def ring_counts(near: Rings, hashes: Hashes) -> Shown:
    """The logarithms of how often every column is there in rings 1, 2, ..."""
    arrays = near.indptr, near.indices, near.width, hashes

    def logarithms(nodes: NDArray[np.int64]) -> NDArray[np.float32]:
        return np.log1p(counted(*arrays, nodes, COLUMNS), dtype=np.float32)

    return shown(seen_colours(*arrays), logarithms)


def shown(hashes: Hashes, rows: Callable[[NDArray[np.int64]], NDArray[np.float32]]) -> Shown:
    """Nodes by their hashes; rows are made for the first node of each."""
    _, first, numbers = np.unique(hashes, return_index=True, return_inverse=True)
    return Shown(numbers.reshape(-1), rows(first))


@compiled
def seen_colours(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    width: int,
    hashes: Hashes,
) -> Hashes:
    """A hash of the own hash and of the multiset of hashes in every ring."""
    out = np.empty(len(hashes), dtype=np.uint64)
    for v in range(len(hashes)):
        sight = mixed(hashes[v])
        for j in range(1, width):
            total = np.uint64(j)
            for e in range(indptr[v * width + j], indptr[v * width + j + 1]):
                total += mixed(hashes[indices[e]])
            sight = mixed(sight ^ mixed(total))
        out[v] = sight
    return out


@compiled
def counted(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    width: int,
    hashes: Hashes,
    nodes: NDArray[np.int64],
    columns: int,
) -> NDArray[np.int32]:
    """How many members of every ring of some nodes, but for ring 0, have a hash of every column."""
    out = np.zeros((len(nodes), (width - 1) * columns), dtype=np.int32)
    for i in range(len(nodes)):
        v = nodes[i]
        for j in range(1, width):
            for e in range(indptr[v * width + j], indptr[v * width + j + 1]):
                column = np.int64(hashes[indices[e]] % np.uint64(columns))
                out[i, (j - 1) * columns + column] += 1
    return out
