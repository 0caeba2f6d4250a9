"""Counted features as a sparse table."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from graphrings.compiled import compiled
from graphrings.graphs.dataset import spans
from graphrings.loops import mixed

Numbers = NDArray[np.int64]


class Occurrences(NamedTuple):
    """How often a graph has a feature: parallel arrays, graph after graph.

    Codes are equal where features are, within one dataset. In which order a graph lists its own
    depends on that graph alone. A feature may be listed several times: counts add up.
    """

    graphs: Numbers
    codes: Numbers
    counts: NDArray[np.float64]

    def of(self, graphs: Numbers) -> Occurrences:
        """Those of some graphs, which are numbered from 0 in the order given."""
        bounds = np.searchsorted(self.graphs, np.arange(graphs.max(initial=-1) + 2))
        places, ends = spans(bounds.astype(np.int32), graphs)
        numbers = np.repeat(np.arange(len(graphs)), np.diff(ends))
        return Occurrences(numbers, self.codes[places], self.counts[places])


def tabulate(occurrences: Occurrences, n_graphs: int) -> csr_array:
    """One row per graph, one column per feature, in the order in which features appear."""
    graphs, codes, counts = occurrences
    assert np.all(graphs[1:] >= graphs[:-1]), "occurrences come graph after graph"
    bounds = np.searchsorted(graphs, np.arange(n_graphs + 1))
    columns, n_columns = by_appearance(codes.astype(np.int64, copy=False))
    data, indices, indptr = add_up(
        bounds, columns, counts.astype(np.float64, copy=False), n_columns
    )
    # scikit-learn takes 32-bit indices only.
    table = csr_array((data, indices, indptr.astype(np.int32)), shape=(n_graphs, n_columns))
    # Not in compiled code: cached machine code with a sort of its own breaks that of others.
    table.sort_indices()
    return table


@compiled
def by_appearance(codes: Numbers) -> tuple[NDArray[np.int32], int]:
    """Number codes 0, 1, ... in the order in which they first appear; also how many there are."""
    bits = 2
    while (1 << bits) < 2 * len(codes):
        bits += 1
    slots = np.full(1 << bits, -1, dtype=np.int32)  # a hash table with the numbers
    known = np.empty(len(codes), dtype=np.int64)
    numbers = np.empty(len(codes), dtype=np.int32)
    n_known = 0
    for i in range(len(codes)):
        at = np.int64(mixed(np.uint64(codes[i])) >> np.uint64(64 - bits))
        while slots[at] >= 0 and known[slots[at]] != codes[i]:
            at = (at + 1) & (len(slots) - 1)
        if slots[at] < 0:
            slots[at], known[n_known] = n_known, codes[i]
            n_known += 1
        numbers[i] = slots[at]
    return numbers, n_known


@compiled
def add_up(
    bounds: Numbers, columns: NDArray[np.int32], counts: NDArray[np.float64], n_columns: int
) -> tuple[NDArray[np.float64], NDArray[np.int32], Numbers]:
    """Add the counts of equal columns within each row: data, columns and their bounds."""
    totals = np.zeros(n_columns)
    seen_in = np.full(n_columns, -1, dtype=np.int32)
    data = np.empty(len(columns))
    indices = np.empty(len(columns), dtype=np.int32)
    indptr = np.zeros(len(bounds), dtype=np.int64)
    n = 0
    for row in range(len(bounds) - 1):
        start = n
        for e in range(bounds[row], bounds[row + 1]):
            column = columns[e]
            if seen_in[column] != row:
                seen_in[column], totals[column] = row, 0
                indices[n] = column
                n += 1
            totals[column] += counts[e]
        for e in range(start, n):
            data[e] = totals[indices[e]]
        indptr[row + 1] = n
    return data[:n].copy(), indices[:n].copy(), indptr
