"""The geometric random walk kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from graphrings.compiled import compiled
from graphrings.errors import SettingError
from graphrings.graphs.dataset import Dataset, spans
from graphrings.kernels.kernel import Kernel, Numbers, product
from graphrings.limits import Work, begin
from graphrings.settings import Setting, Settings, switch

ROOM = 0.8  # of the decay at which a sum may diverge: other graphs may be a little denser
PRECISION = 1e-16  # of a sum over walks, relative
N_STEPS = 32  # walks of this length bound the spectral radius


class RandomWalk(Kernel):
    r"""Geometric random walk kernel (Gaertner et al., 2003; Vishwanathan et al., 2010).

    .. math:: k(G, G') = \sum_{i, j} \left[ (I - \lambda A_\times)^{-1} \right]_{ij}
              = \sum_{k \ge 0} \lambda^k \, 1^T A_\times^k 1

    where :math:`A_\times` is the adjacency matrix of the direct product graph: its nodes are the
    pairs of nodes with equal labels, two of them joined where both parts are. So it counts the
    pairs of walks with equal labels, a longer one for less. Nodes without labels, or with
    ``labelled=False``, are all alike.

    ``decay`` is :math:`\lambda`. ``"auto"`` is the paper's rule, the largest power of 10 that is
    smaller than the reciprocal of the squared maximum node degree, here of all fitted graphs;
    ``"largest"`` has a bound of their eigenvalues in the place of the degree, which is smaller,
    takes the largest of 0.1, 0.03, 0.01, ... and leaves some room for other graphs. The fitted
    value is ``decay_`` and holds in ``transform``. A decay with which the sum may not converge is
    refused.

    GraKeL's exact method adds 1 for each pair of nodes with different labels; its fast labelled one
    lets a pair of nodes go on to labels that differ.
    """

    settings: ClassVar[Settings] = {
        "decay": Setting(
            "the weight of a pair of walks is this to the power of their length",
            "'auto', 'largest', or a number above 0",
            lambda value: (
                value in RULES or (not isinstance(value, bool | str) and 0 < value < np.inf)
            ),
        ),
        "labelled": switch("whether to tell nodes apart by their labels"),
    }
    learns = True

    def __init__(
        self,
        decay: float | Literal["auto", "largest"] = "auto",
        labelled: bool = True,
        normalize: bool = False,
    ) -> None:
        self.decay = decay
        self.labelled = labelled
        self.normalize = normalize

    def fit(self, graphs: Any, y: Any = None) -> Self:
        """Remember the graphs to compare with, and find their decay."""
        super().fit(graphs, y)
        self.decay_ = self._decay_for(self.graphs_)
        return self

    def settled(self, graphs: Dataset) -> RandomWalk:
        """The kernel with the decay that these graphs give."""
        return RandomWalk(self._decay_for(graphs), self.labelled, self.normalize)

    def _decay_for(self, graphs: Dataset) -> float:
        return RULES[self.decay](graphs) if self.decay in RULES else float(self.decay)

    def _compare(self, dataset: Dataset, rows: Numbers, columns: Numbers) -> NDArray[np.float64]:
        ratio, mirrored = self._ratio(dataset), np.array_equal(rows, columns)
        if not self.labelled or dataset.node_labels is None:
            counts = walk_counts(dataset, self.decay_, ratio)
            one = csr_array(counts[rows])
            return product(one, one if mirrored else csr_array(counts[columns]))
        begin(products(dataset, rows, columns, ratio))
        arrays = by_label(dataset)
        gram = np.empty((len(rows), len(columns)))
        for i, row in enumerate(rows):
            first = i if mirrored else 0
            gram[i, first:] = sum_walks(*arrays, row, columns[first:], self.decay_, ratio)
            if mirrored:
                gram[first:, i] = gram[i, first:]
        return gram

    def _selves(self, dataset: Dataset) -> NDArray[np.float64]:
        ratio, everyone = self._ratio(dataset), np.arange(len(dataset))
        if not self.labelled or dataset.node_labels is None:
            return np.asarray((walk_counts(dataset, self.decay_, ratio) ** 2).sum(axis=1))
        arrays = by_label(dataset)
        own = [
            sum_walks(*arrays, g, everyone[[g]], self.decay_, ratio)[0] for g in range(len(dataset))
        ]
        return np.array(own)

    def _ratio(self, dataset: Dataset) -> float:
        """A bound below 1 of the factor by which the terms of the sum shrink."""
        largest = spectral_bound(dataset.indptr, dataset.indices)
        if self.decay_ * largest**2 >= 1:
            raise SettingError(
                f"decay = {self.decay_:g}; expected less than {1 / largest**2:.4g}, so that the "
                "sum over the walks of these graphs converges"
            )
        return self.decay_ * largest**2


def products(dataset: Dataset, rows: Numbers, columns: Numbers, ratio: float) -> Work:
    """What it takes to walk on the product graphs of some graphs with others."""
    assert dataset.node_labels is not None
    labels = dataset.node_labels.astype(np.int64)
    joined = np.repeat(labels, dataset.degrees) * dataset.n_labels + labels[dataset.indices]
    owner = np.repeat(dataset.owner, dataset.degrees)
    kinds, kind = np.unique(joined, return_inverse=True)
    one, other = (
        np.bincount(kind[np.isin(owner, part)], minlength=len(kinds)) for part in (rows, columns)
    )
    n_terms = np.log(PRECISION) / np.log(max(ratio, PRECISION))
    n_steps = float(one.astype(np.float64) @ other) / 2 * n_terms
    what = f"walks on the products of {len(rows):,} graphs with {len(columns):,}"
    instead = "take labelled = False, the kernel wl, or fewer graphs"
    return Work(what, instead, kind="edges of product graphs", n_steps=n_steps)


def by_degree(graphs: Dataset) -> float:
    """The largest power of 10 below 1 / d^2 with the highest degree d; 0.1 if there is no edge."""
    highest = int(graphs.degrees.max(initial=0))
    digits = len(str(max(highest, 1) ** 2))  # 10^digits is the first power above the square
    return float(f"1e-{digits}")


def by_eigenvalue(graphs: Dataset) -> float:
    """The largest of 0.1, 0.03, 0.01, ... that lets the sum converge, with room for others."""
    limit = ROOM / max(1.0, spectral_bound(graphs.indptr, graphs.indices) ** 2)
    return next(decay for decay in DECAYS if decay <= limit)


DECAYS = [float(f"{digit}e-{n}") for n in range(1, 100) for digit in (3, 1)][1:]
RULES: dict[Any, Callable[[Dataset], float]] = {"auto": by_degree, "largest": by_eigenvalue}


def walk_counts(dataset: Dataset, decay: float, ratio: float) -> NDArray[np.float64]:
    r"""The features of graphs without labels, whose product has :math:`a_k a'_k` walks of k steps.

    Entry [i, k] is :math:`\lambda^{k/2} a_k` with the number of walks :math:`a_k` of graph i. The
    terms behind an even k add at most ratio / (1 - ratio) times the term k.
    """
    x = np.ones(dataset.n_nodes)
    sizes = np.maximum(dataset.sizes, 1)
    counts = [np.bincount(dataset.owner, x, len(dataset))]
    enough = np.sqrt(PRECISION * (1 - ratio))
    while len(counts) % 2 == 0 or (counts[-1] / sizes).max(initial=0) > enough:
        x = np.sqrt(decay) * sum_neighbours(dataset.indptr, dataset.indices, x)
        counts.append(np.bincount(dataset.owner, x, len(dataset)))
    return np.stack(counts, axis=1)


@compiled
def sum_neighbours(
    indptr: NDArray[np.int32], indices: NDArray[np.int32], x: NDArray[np.float64]
) -> NDArray[np.float64]:
    """A x."""
    y = np.zeros(len(x))
    for v in range(len(x)):
        for e in range(indptr[v], indptr[v + 1]):
            y[v] += x[indices[e]]
    return y


@compiled
def spectral_bound(indptr: NDArray[np.int32], indices: NDArray[np.int32]) -> float:
    """A bound of all eigenvalues of A: the k-th root of the most walks of k steps from a node.

    It is never larger than the maximum degree.
    """
    x, logarithm = np.ones(len(indptr) - 1), 0.0
    for _ in range(N_STEPS):
        x = sum_neighbours(indptr, indices, x)
        most = 0.0
        for value in x:
            most = max(most, value)
        if most == 0:
            return 0.0
        logarithm += np.log(most)
        x /= most
    return float(np.exp(logarithm / N_STEPS))


class ByLabel(NamedTuple):
    """The graphs of a dataset with the nodes of every graph in the order of their labels.

    ``starts[g, l] .. starts[g, l + 1] - 1`` are the nodes of graph g with label l.
    """

    starts: NDArray[np.int32]
    labels: NDArray[np.int32]
    indptr: NDArray[np.int32]
    indices: NDArray[np.int32]


def by_label(dataset: Dataset) -> ByLabel:
    """Sort the nodes of every graph by label."""
    labels, owner = dataset.node_labels, dataset.owner
    assert labels is not None
    order = np.lexsort((labels, owner))
    place = np.empty(len(order), dtype=np.int32)
    place[order] = np.arange(len(order))
    entries, indptr = spans(dataset.indptr, order)
    n_labels = int(labels.max(initial=0)) + 1
    counts = np.bincount(owner * np.int64(n_labels) + labels, minlength=len(dataset) * n_labels)
    ends = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    starts = ends[np.arange(len(dataset))[:, None] * n_labels + np.arange(n_labels + 1)]
    return ByLabel(starts, labels[order], indptr, place[dataset.indices[entries]])


@compiled
def sum_walks(
    starts: NDArray[np.int32],
    labels: NDArray[np.int32],
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    graph: int,
    others: NDArray[np.int64],
    decay: float,
    ratio: float,
) -> NDArray[np.float64]:
    """The kernel of a graph with others, by conjugate gradients for (I - decay A_x) x = 1.

    A vector has a row for each node of the graph, with an entry for each node of the other graph
    that has its label: other pairs are not in the product. From x = 0 on, 1^T x grows by
    alpha |r|^2 in every step, and what it lacks is at most |r|^2 / (1 - ratio).
    """
    first, last = starts[graph, 0], starts[graph, -1]
    row_ptr = np.zeros(last - first + 1, dtype=np.int64)
    seen_sums = np.zeros(most_nodes(starts, others))
    room = np.empty((3, 0))
    sums = np.zeros(len(others))
    for k, other in enumerate(others):
        ends = starts[other]
        for u in range(first, last):
            n_alike = ends[labels[u] + 1] - ends[labels[u]]
            row_ptr[u - first + 1] = row_ptr[u - first] + n_alike
        size = row_ptr[-1]
        if room.shape[1] < size:
            room = np.empty((3, 2 * size))
        r, p, image = room[0, :size], room[1, :size], room[2, :size]
        r[:] = 1.0
        p[:] = 1.0
        square, total = float(size), 0.0
        while square > PRECISION * (1 - ratio) * total:
            multiply(first, ends, labels, indptr, indices, decay, row_ptr, seen_sums, p, image)
            alpha = square / dot(p, image)
            total += alpha * square
            for i in range(size):
                r[i] -= alpha * image[i]
            before, square = square, dot(r, r)
            for i in range(size):
                p[i] = r[i] + square / before * p[i]
        sums[k] = total
    return sums


@compiled
def multiply(
    first: int,
    ends: NDArray[np.int32],
    labels: NDArray[np.int32],
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    decay: float,
    row_ptr: NDArray[np.int64],
    seen_sums: NDArray[np.float64],
    x: NDArray[np.float64],
    y: NDArray[np.float64],
) -> None:
    """Write (I - decay A_x) x to ``y``; ``seen_sums``, room for the other graph's nodes, stays 0.

    For a node u the rows of its neighbours are added first, then their entries at the neighbours of
    every node v with the label of u: d + d' additions for a pair instead of d d'.
    """
    for u in range(first, first + len(row_ptr) - 1):
        if row_ptr[u - first] == row_ptr[u - first + 1]:
            continue
        for e in range(indptr[u], indptr[u + 1]):
            row = row_ptr[indices[e] - first]
            start = ends[labels[indices[e]]] - ends[0]
            for i in range(row_ptr[indices[e] - first + 1] - row):
                seen_sums[start + i] += x[row + i]
        row = row_ptr[u - first] - ends[labels[u]]
        for v in range(ends[labels[u]], ends[labels[u] + 1]):
            total = 0.0
            for e in range(indptr[v], indptr[v + 1]):
                total += seen_sums[indices[e] - ends[0]]
            y[row + v] = x[row + v] - decay * total
        for e in range(indptr[u], indptr[u + 1]):
            label = labels[indices[e]]
            for i in range(ends[label] - ends[0], ends[label + 1] - ends[0]):
                seen_sums[i] = 0.0


@compiled
def dot(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    """The scalar product, in four sums that do not wait for each other."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    whole = len(x) // 4 * 4
    for i in range(0, whole, 4):
        a += x[i] * y[i]
        b += x[i + 1] * y[i + 1]
        c += x[i + 2] * y[i + 2]
        d += x[i + 3] * y[i + 3]
    for i in range(whole, len(x)):
        a += x[i] * y[i]
    return (a + b) + (c + d)


@compiled
def most_nodes(starts: NDArray[np.int32], graphs: NDArray[np.int64]) -> int:
    """The number of nodes of the largest of some graphs."""
    most = 0
    for g in graphs:
        most = max(most, starts[g, -1] - starts[g, 0])
    return most
