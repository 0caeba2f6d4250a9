"""Deep graph kernels: substructures are similar if they occur in the same company."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array
from scipy.sparse.linalg import eigsh
from sklearn.utils.validation import check_is_fitted

from graphrings.graphs.adapters.anything import as_dataset
from graphrings.graphs.dataset import Dataset
from graphrings.kernels.graphlet import SIZE, Graphlet
from graphrings.kernels.kernel import Kernel, Numbers, check_gram
from graphrings.kernels.products import cosine
from graphrings.kernels.shortest_path import ShortestPath
from graphrings.kernels.tables import Occurrences, by_appearance, tabulate
from graphrings.kernels.weisfeiler_lehman import colours_by_round
from graphrings.limits import Work, begin
from graphrings.settings import FAR, Settings, one_of, whole
from graphrings.threads import one_thread

BASES = ("wl", "graphlet", "shortest-path")
SMALL = 500  # substructures, whose matrix is decomposed as a whole
BYTES_A_MEETING = 48  # a count with its row and column, and again as its logarithm
TIED = 1e-9  # singular values so near to each other are the same


class DeepGraph(Kernel):
    r"""Deep graph kernel (Yanardag and Vishwanathan, 2015).

    .. math:: k(G, G') = \phi(G) \, M \, \phi(G')^T, \quad M = E E^T

    where :math:`\phi` counts the substructures of a base kernel and E embeds each in a space where
    those that keep the same company are near. The authors learn E by word2vec with the
    substructures of a graph as words; skip-gram with k negative samples factorises the matrix
    :math:`S_{ab} = \max(0, \log \frac{\#(a, b) \, \#}{\#(a) \, \#(b) \, k})` (Levy and Goldberg,
    2014), and so do we, without chance: :math:`S \approx U \Sigma V^T`, :math:`E = U \sqrt\Sigma`
    with ``dimension`` columns (or fewer, where the last would be an arbitrary choice among equal
    singular values).

    #(a, b) counts the pairs of occurrences of a and b in the same context: a graph for graphlets
    (of ``size`` nodes) and shortest paths, and a graph's subtrees of rounds at most ``window``
    apart for ``wl`` (of ``height`` rounds). Unlike a word of word2vec, an occurrence keeps itself
    company, so that substructures with the same counts everywhere have the same row in S: one of
    them is decomposed for all. E is learned from the fitted graphs; a substructure that they lack
    has no embedding and matches nothing, and so do those that are nowhere more frequent than by
    chance. ``random_state`` draws the vector that the iteration for E begins with, and the samples
    of large graphlets.
    """

    learns = True
    settings: ClassVar[Settings] = {
        "base": one_of("the kernel whose substructures are embedded", BASES),
        "height": whole("rounds of refinement, where the base is wl", 0, FAR),
        "size": SIZE,
        "dimension": whole("the most numbers that embed a substructure"),
        "window": whole("how many rounds of wl apart substructures may be in company", 0, FAR),
        "negative": whole("negative samples for every pair, the k of skip-gram", most=FAR),
        "random_state": whole("the seed of what is drawn", 0),
    }

    def __init__(
        self,
        base: str = "wl",
        height: int = 5,
        size: int = 3,
        dimension: int = 50,
        window: int = 0,
        negative: int = 1,
        normalize: bool = False,
        random_state: int = 0,
    ) -> None:
        self.base = base
        self.height = height
        self.size = size
        self.dimension = dimension
        self.window = window
        self.negative = negative
        self.normalize = normalize
        self.random_state = random_state

    def fit(self, graphs: Any, y: Any = None) -> Self:
        """Remember the graphs to compare with, and learn the embeddings from them."""
        super().fit(graphs, y)
        return self.learn(self.counted(self.graphs_), np.arange(len(self.graphs_)))

    def counted(self, dataset: Dataset) -> list[Occurrences]:
        """The substructures of every graph: those of a round of ``wl`` each, else of all in one.

        They depend on the graph alone, so that folds of a dataset can share them.
        """
        if self.base == "wl":
            owner, ones = dataset.owner.astype(np.int64), np.ones(dataset.n_nodes)
            rounds = colours_by_round(dataset, 1, self.height)
            return [Occurrences(owner, colours, ones) for colours in rounds]
        counting = ShortestPath() if self.base == "shortest-path" else self._graphlet()
        return [counting.fit(dataset).occurrences()]

    def learn(self, counted: list[Occurrences], graphs: Numbers) -> Self:
        """Learn the embeddings from some graphs of a dataset, by what is counted in all of it."""
        tables = tabulated(counted, graphs)
        alike = [one_of_each(table) for table in tables]
        distinct = [table[:, first] for table, (first, _) in zip(tables, alike, strict=True)]
        multiplicity = np.concatenate([np.bincount(numbers) for _, numbers in alike]).astype(float)
        pairs = co_occurrences(distinct, self.window)
        company = shifted_positive_pmi(pairs, multiplicity, self.negative)
        embedding = factorised(company, multiplicity, self.dimension, self.random_state)
        parts = np.split(embedding, np.cumsum([table.shape[1] for table in distinct])[:-1])
        self.embeddings_ = [part[numbers] for part, (_, numbers) in zip(parts, alike, strict=True)]
        return self

    def embedded(self, counted: list[Occurrences], graphs: Numbers) -> NDArray[np.float64]:
        """The sum of the embeddings of every graph's substructures.

        The first of the graphs are those that the embeddings were learned from.
        """
        total = np.zeros((len(graphs), self.embeddings_[0].shape[1]))
        for table, embedding in zip(tabulated(counted, graphs), self.embeddings_, strict=True):
            total += table[:, : len(embedding)] @ embedding
        return total

    def features(self, graphs: Any = None) -> NDArray[np.float64]:
        """The embeddings of graphs (by default of the fitted ones): their products are the kernel.

        Those of a normalised kernel are divided by their norm.
        """
        check_is_fitted(self, "embeddings_")
        both, n_fitted = (self.graphs_, 0) if graphs is None else self._joined(graphs)
        embedded = self._embedded(both)[n_fitted:]
        if not self.normalize:
            return embedded
        norms = np.linalg.norm(embedded, axis=1, keepdims=True)
        return embedded / np.where(norms > 0, norms, 1)

    def gram(
        self, counted: list[Occurrences], learned: Numbers, others: Numbers | None = None
    ) -> NDArray[np.float64]:
        """The kernel of others (by default of themselves) with the graphs that it learned from."""
        if others is None:
            own = self.embedded(counted, learned)
            gram = scalar_products(own, own)
            return cosine(gram, np.diag(gram), np.diag(gram)) if self.normalize else gram
        embedded = self.embedded(counted, np.concatenate([learned, others]))
        own, rows = np.split(embedded, [len(learned)])
        gram = scalar_products(rows, own)
        if not self.normalize:
            return gram
        return cosine(gram, (rows**2).sum(axis=1), (own**2).sum(axis=1))

    def fit_transform(self, graphs: Any, y: Any = None) -> NDArray[np.float64]:
        """The Gram matrix of the graphs, whose substructures are counted once."""
        dataset = as_dataset(graphs)
        check_gram(len(dataset), explicit=True)
        Kernel.fit(self, dataset, y)
        counted, everyone = self.counted(dataset), np.arange(len(dataset))
        return self.learn(counted, everyone).gram(counted, everyone)

    def _compare(self, dataset: Dataset, rows: Numbers, columns: Numbers) -> NDArray[np.float64]:
        embedded = self._embedded(dataset)
        one = embedded[rows]
        return scalar_products(one, one if np.array_equal(rows, columns) else embedded[columns])

    def _selves(self, dataset: Dataset) -> NDArray[np.float64]:
        return np.asarray((self._embedded(dataset) ** 2).sum(axis=1))

    def _embedded(self, dataset: Dataset) -> NDArray[np.float64]:
        return self.embedded(self.counted(dataset), np.arange(len(dataset)))

    def _graphlet(self) -> Graphlet:
        return Graphlet(self.size, random_state=self.random_state)


def tabulated(counted: list[Occurrences], graphs: Numbers) -> list[csr_array]:
    """The substructures of some graphs as tables, columns in the order of their appearance."""
    return [tabulate(found.of(graphs), len(graphs)) for found in counted]


def scalar_products(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of the rows of one with those of the other, in one thread, so that bits are the same."""
    with one_thread():
        products: NDArray[np.float64] = one @ other.T
    return products


def one_of_each(table: csr_array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first of the columns that are equal, and for every column the number of its like.

    Columns are compared by 128 bits, sums over the rows of random numbers times values.
    """
    values = by_appearance(table.data.astype(np.float64).view(np.int64))[0].astype(np.int64) + 1
    factors = np.random.default_rng(0).integers(0, 2**63, size=(2, table.shape[0]))
    columns = csr_array((values, table.indices, table.indptr), shape=table.shape).T
    one, other = (by_appearance(columns @ factor) for factor in factors)
    numbers, n_numbers = by_appearance(one[0] * np.int64(other[1]) + other[0])
    first = np.zeros(n_numbers, dtype=np.int64)
    first[numbers[::-1]] = np.arange(len(numbers))[::-1]
    return first, numbers.astype(np.int64)


def co_occurrences(tables: list[csr_array], window: int) -> coo_array:
    """How often two substructures occur in the same context, in all graphs together."""
    starts = np.cumsum([0, *(table.shape[1] for table in tables)])
    begin(companions(tables, window))
    blocks = []
    for i, one in enumerate(tables):
        for j in range(max(0, i - window), min(len(tables), i + window + 1)):
            pairs = (one.T @ tables[j]).tocoo()
            blocks.append((pairs.data, pairs.row + starts[i], pairs.col + starts[j]))
    counts, rows, columns = (np.concatenate(part) for part in zip(*blocks, strict=True))
    return coo_array((counts, (rows, columns)), shape=(starts[-1], starts[-1]))


def companions(tables: list[csr_array], window: int) -> Work:
    """What it takes to count them: in a graph any two may meet, and no two meet but once."""
    n_met = [np.diff(table.indptr).astype(np.float64) for table in tables]
    most = sum(
        min(float(one @ other), float(tables[i].shape[1]) * tables[j].shape[1])
        for i, one in enumerate(n_met)
        for j, other in enumerate(n_met)
        if abs(i - j) <= window
    )
    what = f"the company of {sum(table.shape[1] for table in tables):,} substructures"
    return Work(what, "take a smaller height or window, or fewer graphs", most * BYTES_A_MEETING)


def shifted_positive_pmi(
    pairs: coo_array, multiplicity: NDArray[np.float64], negative: int
) -> coo_array:
    """How much more often than by chance, as a logarithm, two substructures meet.

    Each stands for as many as its multiplicity says, which all meet the same others.
    """
    met = pairs.data > 0
    counts, rows, columns = pairs.data[met], pairs.row[met], pairs.col[met]
    single = np.bincount(rows, counts * multiplicity[columns], minlength=len(multiplicity))
    chance = single[rows] * (single[columns] / (single @ multiplicity))
    values = np.log(counts / chance / negative)
    kept = values > 0
    return coo_array((values[kept], (rows[kept], columns[kept])), shape=pairs.shape)


def factorised(
    company: coo_array, multiplicity: NDArray[np.float64], dimension: int, seed: int
) -> NDArray[np.float64]:
    """The left factor of a symmetric matrix: its strongest vectors by the roots of their weights.

    The entries of a row that stands for m equal ones are divided by the root of m.
    """
    roots = np.sqrt(multiplicity)
    n, weighted = len(roots), company.data * roots[company.row] * roots[company.col]
    matrix = csr_array((weighted, (company.row, company.col)), shape=company.shape)
    with one_thread():  # more threads may add in another order
        if n <= max(SMALL, 2 * dimension):
            values, vectors = np.linalg.eigh(matrix.toarray())
        else:
            start = np.random.default_rng(seed).standard_normal(n)
            values, vectors = eigsh(matrix, k=dimension + 1, which="LM", v0=start)
    order = np.argsort(-np.abs(values), kind="stable")
    strength, vectors = np.abs(values[order]), vectors[:, order]
    kept = strength > TIED * strength.max(initial=0)
    if len(strength) > dimension:
        kept[dimension:] = False
        kept &= strength > strength[dimension] * (1 + TIED)
    return np.asarray(turned(vectors[:, kept]) * np.sqrt(strength[kept]) / roots[:, None])


def turned(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same columns, each with its largest entry positive."""
    if not vectors.size:
        return vectors
    largest = np.argmax(np.abs(vectors), axis=0)
    return np.asarray(vectors * np.sign(vectors[largest, np.arange(vectors.shape[1])]))
