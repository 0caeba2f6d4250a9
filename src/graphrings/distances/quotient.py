"""The exact quotient: nodes that no layer can tell apart, merged into one.

Nodes of a graph with the same stable colour have equal rows in every layer, for any weights. The
quotient keeps one node per class; its rings count how many members of each class they hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.distances.colours import refine
from graphrings.distances.rings import Rings, rings
from graphrings.graphs.dataset import Dataset

FEW = 32  # classes in a ring that are sorted where they stand


@dataclass(frozen=True, eq=False, repr=False)
class Quotient:
    """Classes of nodes, numbered graph by graph, with weighted rings over them.

    ``class_of`` maps nodes to classes, ``graph_ptr`` bounds the classes of every graph,
    ``representatives`` are one node each, ``multiplicity`` the number of nodes of every class.
    """

    rings: Rings
    class_of: NDArray[np.int32]
    graph_ptr: NDArray[np.int32]
    representatives: NDArray[np.int32]
    multiplicity: NDArray[np.int32]

    @property
    def n_classes(self) -> int:
        """The number of classes of all graphs together."""
        return len(self.representatives)

    def expand(self, values: NDArray[Any]) -> NDArray[Any]:
        """From one row per class to one row per node."""
        return values[self.class_of]

    def __repr__(self) -> str:
        return (
            f"Quotient(radius {self.rings.radius}, {len(self.class_of):,} nodes "
            f"in {self.n_classes:,} classes, {len(self.rings.indices):,} entries)"
        )


def quotient(
    dataset: Dataset,
    radius: SupportsIndex,
    *,
    start: NDArray[np.int32] | None = None,
    max_bytes: int | None = None,
) -> Quotient:
    """Merge the nodes of every graph by its stable distance colouring of the given radius.

    ``start`` numbers what tells nodes apart from the beginning: by default their labels. Whoever
    feeds node attributes to a network starts from those.
    """
    full = rings(dataset, radius, max_bytes=max_bytes)
    if start is None:
        start = dataset.node_labels
    apart = dataset.owner.astype(np.int64)  # classes never cross graphs
    if start is not None and len(start):
        apart = apart * (int(start.max()) + 1) + start
    colours = refine(full, apart)
    _, first, inverse = np.unique(colours, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    class_of, representatives = rank[inverse], first[order].astype(np.int32)
    multiplicity = np.bincount(class_of, minlength=len(order)).astype(np.int32)
    bounds = np.searchsorted(representatives, dataset.graph_ptr).astype(np.int32)
    merged = merged_rings(full, class_of, representatives, multiplicity)
    return Quotient(merged, class_of, bounds, representatives, multiplicity)


def merged_rings(
    full: Rings,
    class_of: NDArray[np.int32],
    representatives: NDArray[np.int32],
    multiplicity: NDArray[np.int32] | None = None,
) -> Rings:
    """The rings of the representatives with their members counted by class."""
    width = full.radius + 1
    indptr = np.zeros(len(representatives) * width + 1, dtype=np.int64)
    if len(representatives) == 0:
        return Rings(full.radius, indptr, full.indices, full.indices, multiplicity)
    arrays = full.indptr, full.indices, width, class_of, representatives
    _count_classes(*arrays, indptr)
    np.cumsum(indptr, out=indptr)
    indices = np.empty(indptr[-1], dtype=np.int32)
    counted = np.ones(len(full.indices), dtype=np.int32) if full.counts is None else full.counts
    counts = np.zeros(indptr[-1], dtype=counted.dtype)
    _fill_classes(*arrays, counted, indptr, indices, counts)
    return Rings(full.radius, indptr, indices, counts, multiplicity)


@compiled
def _count_classes(
    full_indptr: NDArray[np.int64],
    full_indices: NDArray[np.int32],
    width: int,
    class_of: NDArray[np.int32],
    representatives: NDArray[np.int32],
    sizes: NDArray[np.int64],
) -> None:
    """Write how many classes every row meets one place behind the row."""
    seen = np.full(class_of.max() + 1, -1, dtype=np.int64)
    for p in range(len(representatives)):
        for j in range(width):
            row, source = p * width + j, representatives[p] * width + j
            for e in range(full_indptr[source], full_indptr[source + 1]):
                q = class_of[full_indices[e]]
                if seen[q] != row:
                    seen[q] = row
                    sizes[row + 1] += 1


@compiled
def _fill_classes(
    full_indptr: NDArray[np.int64],
    full_indices: NDArray[np.int32],
    width: int,
    class_of: NDArray[np.int32],
    representatives: NDArray[np.int32],
    full_counts: NDArray[Any],
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    counts: NDArray[Any],
) -> None:
    """Write the classes that every row meets, and how often its members of each count."""
    seen = np.full(class_of.max() + 1, -1, dtype=np.int64)
    slot = np.empty(len(seen), dtype=np.int64)
    for p in range(len(representatives)):
        for j in range(width):
            row, source = p * width + j, representatives[p] * width + j
            size = indptr[row]
            for e in range(full_indptr[source], full_indptr[source + 1]):
                q = class_of[full_indices[e]]
                if seen[q] != row:
                    seen[q], slot[q] = row, size
                    indices[size] = q
                    size += 1
                counts[slot[q]] += full_counts[e]
            # In one order, so that equal means are equal to the last bit.
            start = indptr[row]
            if size - start > FEW:
                order = np.argsort(indices[start:size])
                indices[start:size] = indices[start:size][order]
                counts[start:size] = counts[start:size][order]
            else:
                insert_sorted(indices, counts, start, size)


@compiled
def insert_sorted(indices: NDArray[np.int32], counts: NDArray[Any], start: int, stop: int) -> None:
    """Sort a few classes, and what each counts with it, without taking memory for it."""
    for i in range(start + 1, stop):
        index, count, at = indices[i], counts[i], i
        while at > start and indices[at - 1] > index:
            indices[at], counts[at] = indices[at - 1], counts[at - 1]
            at -= 1
        indices[at], counts[at] = index, count
