"""What all graph kernels share: fit, compare, normalise."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from graphrings.adapters.anything import as_dataset
from graphrings.graphs.collect import from_graphs
from graphrings.graphs.dataset import Dataset

Numbers = NDArray[np.int64]


class Kernel(BaseEstimator):  # type: ignore[misc]
    """A similarity of graphs, as a scikit-learn transformer from graphs to a Gram matrix.

    ``fit_transform`` compares graphs with each other, ``transform`` others with those. Both sides
    are laid into one dataset first, so that what is equal has one number there, and what only the
    new graphs have matches nothing.
    """

    normalize: bool

    def fit(self, graphs: Any, y: Any = None) -> Self:
        """Remember the graphs to compare with."""
        del y
        self.graphs_ = as_dataset(graphs)
        return self

    def fit_transform(self, graphs: Any, y: Any = None) -> NDArray[np.float64]:
        """The Gram matrix of the graphs."""
        self.fit(graphs, y)
        everyone = np.arange(len(self.graphs_))
        gram = self._compare(self.graphs_, everyone, everyone)
        return cosine(gram, np.diag(gram), np.diag(gram)) if self.normalize else gram

    def transform(self, graphs: Any) -> NDArray[np.float64]:
        """The kernel of graphs, a row each, with the fitted graphs, a column each."""
        check_is_fitted(self, "graphs_")
        both, n_fitted = self._joined(graphs)
        rows, columns = np.arange(n_fitted, len(both)), np.arange(n_fitted)
        gram = self._compare(both, rows, columns)
        if not self.normalize:
            return gram
        selves = self._selves(both)
        return cosine(gram, selves[rows], selves[columns])

    def _joined(self, graphs: Any) -> tuple[Dataset, int]:
        """The fitted graphs and others behind them, in one dataset."""
        others = as_dataset(graphs)
        return from_graphs([*self.graphs_, *others]), len(self.graphs_)

    @abstractmethod
    def _compare(self, dataset: Dataset, rows: Numbers, columns: Numbers) -> NDArray[np.float64]:
        """The kernel of some graphs of a dataset with others."""

    @abstractmethod
    def _selves(self, dataset: Dataset) -> NDArray[np.float64]:
        """The kernel of every graph with itself."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        return tags


class Occurrences(NamedTuple):
    """How often a graph has a feature: parallel arrays, graph after graph.

    Codes are equal where features are, within one dataset. In which order a graph lists its own
    depends on that graph alone.
    """

    graphs: Numbers
    codes: Numbers
    counts: NDArray[np.float64]


class FeatureKernel(Kernel):
    """A kernel that is a scalar product of counted features."""

    def features(self, graphs: Any = None) -> csr_array:
        """The features of graphs (by default of the fitted ones), a column for each fitted one."""
        check_is_fitted(self, "graphs_")
        if graphs is None:
            return self._table(self.graphs_)
        both, n_fitted = self._joined(graphs)
        table = self._table(both)
        known = int(table[:n_fitted].indices.max(initial=-1)) + 1
        return table[n_fitted:, :known]

    def _compare(self, dataset: Dataset, rows: Numbers, columns: Numbers) -> NDArray[np.float64]:
        table = self._table(dataset)
        return product(table[rows], table[columns])

    def _selves(self, dataset: Dataset) -> NDArray[np.float64]:
        table = self._table(dataset)
        return np.asarray(table.multiply(table).sum(axis=1), dtype=np.float64)

    def _table(self, dataset: Dataset) -> csr_array:
        """A row a graph, a column a feature, in the order in which features appear."""
        graphs, codes, counts = self._occurrences(dataset)
        _, first, numbers = np.unique(codes, return_index=True, return_inverse=True)
        place = np.empty(len(first), dtype=np.int64)
        place[np.argsort(first)] = np.arange(len(first))
        shape = len(dataset), len(first)
        return csr_array((counts, (graphs, place[numbers.reshape(-1)])), shape=shape)

    @abstractmethod
    def _occurrences(self, dataset: Dataset) -> Occurrences:
        """What the graphs have, counted."""


def product(one: csr_array, other: csr_array) -> NDArray[np.float64]:
    """The scalar products of all rows of two tables."""
    found: NDArray[np.float64] = (one @ other.T).toarray().astype(np.float64, copy=False)
    return found


def cosine(
    gram: NDArray[np.float64], rows: NDArray[np.float64], columns: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Divide by both norms; graphs without any feature are like each other and like no others."""
    norms = np.sqrt(np.outer(rows, columns))
    nothing = np.outer(rows == 0, columns == 0)
    return np.where(norms > 0, gram / np.where(norms > 0, norms, 1), nothing)
