"""The ring profile of a graph: which labels are at which distance of each other, counted."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from graphrings.distances.costs import search_steps
from graphrings.distances.pair_counts import count_pairs
from graphrings.distances.rings import checked_limit, checked_radius
from graphrings.distances.searches import SMALL
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.small_numbers import distinct, is_small
from graphrings.limits import ALLOWED, FEWER, Work, begin
from graphrings.loops import read_only

BYTES_AN_ENTRY = 56  # code and count, sorted and numbered, and then the entry of the matrix
BYTES_A_RING = 4
EXACT = 16  # numbers, from 0, with a bin of their own; that of x is x // 4 wide


class RingProfile(NamedTuple):
    r"""The entries of C^0 .. C^radius, a row for every graph.

    .. math:: C^j = X^\top SP^j X

    with X the one-hot labels of the nodes and SP^j of Eq. (10): how many pairs of labels are at
    distance exactly j. A column is one pair of labels at one distance, in no order, and counts
    every pair of nodes once: C^j_ab for a != b, half of C^j_aa for j > 0, and for j = 0, where a
    node is alone with itself, the nodes of that label. Columns without a pair are left out; the
    others are sorted by distance and label. ``names`` says them in words and ``keys`` as
    (distance, label, label).
    """

    matrix: csr_array
    keys: tuple[tuple[int, Hashable, Hashable], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """What every column counts, such as ``C-N at distance 2``."""
        return tuple(pair_name(*key) for key in self.keys)

    def __repr__(self) -> str:
        n_graphs, n_columns = self.matrix.shape
        farthest = max((distance for distance, *_ in self.keys), default=0)
        return (
            f"RingProfile({n_graphs:,} graphs, {n_columns:,} pairs of labels "
            f"at distances up to {farthest})"
        )


class PairCounts(NamedTuple):
    """The profile as arrays: column k counts the pairs with ``codes[k]``; ``sizes`` of all rings.

    A code is (distance * n + label) * n + label with n the number of words.
    """

    matrix: csr_array
    codes: NDArray[np.int64]
    sizes: NDArray[np.int32]


def ring_profile(
    dataset: Dataset, radius: SupportsIndex, *, max_bytes: int | None = None
) -> RingProfile:
    """Count the pairs of labels at every distance from 0 to ``radius``, graph by graph.

    Where nodes have no labels their degrees take the place: exact below 16, and then in bins that
    grow by a quarter. Rings are counted as they are found and never kept. A profile that would take
    more than ``max_bytes`` (by default half of the machine's memory) is refused.
    """
    words, numbers = node_words(dataset)
    counted = pair_counts(dataset, checked_radius(radius), numbers, len(words), max_bytes)
    return RingProfile(counted.matrix, pair_keys(counted.codes, words))


def pair_counts(
    dataset: Dataset,
    radius: int,
    numbers: NDArray[np.int32],
    n_words: int,
    max_bytes: int | None = None,
) -> PairCounts:
    """The profile of nodes that have any numbers for labels, and the sizes of all rings."""
    limit = checked_limit(max_bytes)
    what = f"the ring profile up to radius {radius} of {dataset.n_nodes:,} nodes"
    needed = dataset.n_nodes * (radius + 1) * BYTES_A_RING
    n_steps = search_steps(dataset, radius - 1, SMALL)
    work = Work(what, FEWER, needed + BYTES_AN_ENTRY, "edges of searches", n_steps, ALLOWED)
    begin(work, limit)
    room = (limit - needed) // BYTES_AN_ENTRY
    places = dataset.owner.astype(np.int64) * n_words + numbers
    order = np.argsort(places, kind="stable").astype(np.int32)
    n_entries = min(room, most_entries(dataset, radius, numbers[order]))
    codes, counts = np.empty((2, n_entries), dtype=np.int64)  # taken where it is written to
    sizes = np.zeros((dataset.n_nodes, radius + 1), dtype=np.int32)
    arrays = dataset.graph_ptr, dataset.indptr, dataset.indices, numbers, order
    bounds = count_pairs(*read_only(*arrays), n_words, codes, counts, sizes)
    if bounds[-1] > n_entries:
        share_done = (len(bounds) - 1) / len(dataset)
        needed += bounds[-1] / share_done * BYTES_AN_ENTRY
        begin(Work(what, FEWER, needed, more=ALLOWED), limit)
    different, columns = distinct(codes[: bounds[-1]])
    entries = counts[: bounds[-1]].astype(np.float64), columns.astype(np.int32), bounds
    matrix = csr_array(entries, shape=(len(dataset), len(different)))
    matrix.sort_indices()
    return PairCounts(matrix, different, sizes)


def most_entries(dataset: Dataset, radius: int, ordered: NDArray[np.int32]) -> int:
    """How many entries there would be if all labels of a graph met at every distance."""
    new = np.ones(dataset.n_nodes, dtype=bool)
    new[1:] = (np.diff(ordered) != 0) | (np.diff(dataset.owner) != 0)
    n_labels = np.bincount(dataset.owner[new], minlength=len(dataset)).astype(np.int64)
    return int((n_labels + radius * n_labels * (n_labels + 1) // 2).sum())


def node_words(
    dataset: Dataset, labelled: bool = True
) -> tuple[Sequence[Hashable], NDArray[np.int32]]:
    """What nodes are told apart by, and the number of every node's: labels, else binned degrees.

    ``labelled=False`` takes degrees also where there are labels.
    """
    if labelled and dataset.node_labels is not None:
        return dataset.label_names, dataset.node_labels
    bins, words = binned(dataset.degrees)
    return [f"degree {word}" for word in words], bins


def label_degree_words(dataset: Dataset) -> tuple[list[Hashable], NDArray[np.int32]]:
    """Pairs of a label and a binned degree, of which those that occur, sorted; nodes by number."""
    assert dataset.node_labels is not None
    bins, degrees = binned(dataset.degrees)
    codes = dataset.node_labels.astype(np.int64) * len(degrees) + bins
    different, numbers = distinct(codes)
    labels, places = (part.tolist() for part in np.divmod(different, len(degrees)))
    pairs = zip(labels, places, strict=True)
    words: list[Hashable] = [(dataset.label_names[a], degrees[d]) for a, d in pairs]
    return words, numbers.astype(np.int32)


def binned(numbers: NDArray[np.integer[Any]]) -> tuple[NDArray[np.int32], list[str]]:
    """The bin of every number, and what the bins hold, such as ``16 to 19``."""
    starts = bin_starts(int(numbers.max(initial=0)))
    ends = starts[1:] - 1
    words = [
        str(start) if start == end else f"{start} to {end}"
        for start, end in zip(starts[:-1].tolist(), ends.tolist(), strict=True)
    ]
    if is_small(numbers):  # which bin every number has, looked up
        bins = np.repeat(np.arange(len(words), dtype=np.int32), np.diff(starts))[numbers]
    else:
        bins = (np.searchsorted(starts, numbers, side="right") - 1).astype(np.int32)
    return bins, words


def bin_starts(largest: int) -> NDArray[np.int64]:
    """The first number of every bin, and that of one bin more than ``largest`` needs."""
    starts = list(range(EXACT + 1))
    while starts[-1] <= largest:
        starts.append(starts[-1] + starts[-1] // 4)
    return np.array(starts)


def pair_codes(
    distances: NDArray[np.integer[Any]],
    one: NDArray[np.integer[Any]],
    other: NDArray[np.integer[Any]],
    n_words: int,
) -> NDArray[np.int64]:
    """The codes of pairs that have these numbers for labels, in any order."""
    low, high = np.minimum(one, other), np.maximum(one, other)
    codes: NDArray[np.int64] = (distances.astype(np.int64) * n_words + low) * n_words + high
    return codes


def pair_keys(
    codes: NDArray[np.int64], words: Sequence[Hashable]
) -> tuple[tuple[int, Hashable, Hashable], ...]:
    """The distance and the two labels of every code."""
    rest, others = np.divmod(codes, max(1, len(words)))
    distances, ones = np.divmod(rest, max(1, len(words)))
    columns = distances.tolist(), ones.tolist(), others.tolist()
    return tuple((j, words[a], words[b]) for j, a, b in zip(*columns, strict=True))


def pair_name(distance: int, one: Hashable, other: Hashable) -> str:
    """A column in words; at distance 0 a node is alone."""
    return f"{one}-{other} at distance {distance}" if distance else f"{one} at distance 0"
