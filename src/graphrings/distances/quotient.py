"""The exact quotient: nodes that no layer can tell apart, merged into one.

Nodes of a graph with the same stable colour have equal rows in every layer, for any weights. The
quotient keeps one node per class; its rings count how many members of each class they hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from graphrings.compiled import compiled
from graphrings.distances.colours import checked_start, refine
from graphrings.distances.rings import Rings, rings
from graphrings.graphs.dataset import Dataset


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
    if start is not None and dataset.n_nodes:
        numbers = np.unique(checked_start(start, dataset.n_nodes), return_inverse=True)[1]
        apart = apart * (int(numbers.max()) + 1) + numbers
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
        return Rings.trusted(full.radius, indptr, full.indices, full.indices, multiplicity)
    arrays = full.indptr, full.indices, width, class_of, representatives
    counted = np.ones(len(full.indices), dtype=np.int32) if full.counts is None else full.counts
    nothing, unseen = np.empty(0, dtype=np.int32), np.full(class_of.max() + 1, -1)
    _merge(*arrays, counted, unseen.copy(), unseen.copy(), indptr, nothing, counted[:0].copy())
    np.cumsum(indptr, out=indptr)
    indices = np.empty(indptr[-1], dtype=np.int32)
    counts = np.zeros(indptr[-1], dtype=counted.dtype)
    _merge(*arrays, counted, unseen.copy(), unseen, indptr, indices, counts)
    sort_rows(indptr, indices, counts)
    return Rings.trusted(full.radius, indptr, indices, counts, multiplicity)


def sort_rows(indptr: NDArray[np.int64], indices: NDArray[np.int32], counts: NDArray[Any]) -> None:
    """Sort the members of every row in place: equal means are then equal to the last bit."""
    shape = len(indptr) - 1, int(indices.max(initial=0)) + 1
    rows = csr_array((counts, indices, indptr), shape=shape)  # of copies, if numbers are large
    rows.sort_indices()
    indices[:], counts[:] = rows.indices, rows.data


@compiled
def _merge(
    full_indptr: NDArray[np.int64],
    full_indices: NDArray[np.int32],
    width: int,
    class_of: NDArray[np.int32],
    representatives: NDArray[np.int32],
    full_counts: NDArray[Any],
    seen: NDArray[np.int64],
    slot: NDArray[np.int64],
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    counts: NDArray[Any],
) -> None:
    """Write the classes that every row meets, and how often its members of each count.

    Without room for them it only writes how many there are one place behind the row. ``seen``
    begins with -1 for every class.
    """
    fill = len(indices) > 0
    for p in range(len(representatives)):
        for j in range(width):
            row, source = p * width + j, representatives[p] * width + j
            size = indptr[row] if fill else 0
            for e in range(full_indptr[source], full_indptr[source + 1]):
                q = class_of[full_indices[e]]
                if seen[q] != row:
                    seen[q], slot[q] = row, size
                    if fill:
                        indices[size] = q
                    size += 1
                if fill:
                    counts[slot[q]] += full_counts[e]
            if not fill:
                indptr[row + 1] = size
