"""What all graph kernels share: fit, compare, normalise."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from graphrings.graphs.adapters.anything import as_dataset
from graphrings.graphs.carried import NODE_LABELS
from graphrings.graphs.dataset import Dataset
from graphrings.kernels.joining import join
from graphrings.kernels.products import cosine as cosine
from graphrings.kernels.products import product as product
from graphrings.kernels.tables import Occurrences as Occurrences
from graphrings.kernels.tables import tabulate
from graphrings.limits import Work, begin
from graphrings.settings import Settings, check_settings, switch

Numbers = NDArray[np.int64]
BYTES_A_PAIR = 16  # of graphs: a table, and the part of it that a machine learns from
BYTES_A_FEATURE = 60  # of a graph: listed, numbered, added up and sorted
ASKED = 200  # graphs whose features are counted, to know about all


class Compared(NamedTuple):
    """The kernel of some graphs with others, and of either side with themselves."""

    gram: NDArray[np.float64]
    rows: NDArray[np.float64]
    columns: NDArray[np.float64]


class Kernel(BaseEstimator):  # type: ignore[misc]
    """A similarity of graphs, as a scikit-learn transformer from graphs to a Gram matrix.

    ``fit_transform`` compares graphs with each other, ``transform`` others with those. Both sides
    are laid into one dataset first, so that what is equal has one number there, and what only the
    new graphs have matches nothing.

    ``settings`` describes the settings that a kernel has besides those of all kernels, which stand
    here; ``learns`` says whether a fit takes more from the graphs than the graphs themselves.
    A kernel that learns no more than a setting says so in ``settled``.
    """

    settings: ClassVar[Settings] = {}
    shared_settings: ClassVar[Settings] = {
        "normalize": switch("whether to divide by the norms, so that k(G, G) = 1")
    }
    learns: ClassVar[bool] = False
    normalize: bool

    @property
    def sees(self) -> tuple[str, ...]:
        """What it sees of graphs besides their structure; no labels where ``labelled`` says so."""
        return (NODE_LABELS,) if getattr(self, "labelled", True) else ()

    def fit(self, graphs: Any, y: Any = None) -> Self:
        """Remember the graphs to compare with."""
        del y
        self._check_settings()
        self.graphs_ = as_dataset(graphs)
        return self

    def settled(self, graphs: Dataset) -> Kernel | None:
        """The same kernel with all that it learns from these graphs among its settings.

        Fitted to any others, it compares as if it had learned from these. None where what it learns
        cannot be said by settings.
        """
        del graphs
        return None if self.learns else self

    def fit_transform(self, graphs: Any, y: Any = None) -> NDArray[np.float64]:
        """The Gram matrix of the graphs."""
        dataset = as_dataset(graphs)
        check_gram(len(dataset), hasattr(self, "features"))
        self.fit(dataset, y)
        everyone = np.arange(len(self.graphs_))
        gram = self._compare(self.graphs_, everyone, everyone)
        return cosine(gram, np.diag(gram), np.diag(gram)) if self.normalize else gram

    def transform(self, graphs: Any) -> NDArray[np.float64]:
        """The kernel of graphs (one row each) with the fitted graphs (one column each)."""
        check_is_fitted(self, "graphs_")
        both, n_fitted = self._joined(graphs)
        rows, columns = np.arange(n_fitted, len(both)), np.arange(n_fitted)
        if not self.normalize:
            return self._compare(both, rows, columns)
        return cosine(*self._compare_all(both, rows, columns))

    def _joined(self, graphs: Any) -> tuple[Dataset, int]:
        """The fitted graphs and others behind them, in one dataset."""
        return join(self.graphs_, as_dataset(graphs)), len(self.graphs_)

    @abstractmethod
    def _compare(self, dataset: Dataset, rows: Numbers, columns: Numbers) -> NDArray[np.float64]:
        """The kernel of some graphs of a dataset with others."""

    @abstractmethod
    def _selves(self, dataset: Dataset) -> NDArray[np.float64]:
        """The kernel of every graph with itself."""

    def _compare_all(self, dataset: Dataset, rows: Numbers, columns: Numbers) -> Compared:
        """What a cosine is made of."""
        selves = self._selves(dataset)
        return Compared(self._compare(dataset, rows, columns), selves[rows], selves[columns])

    def _check_settings(self) -> None:
        check_settings(self.get_params(deep=False), {**self.shared_settings, **self.settings})

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        return tags


class FeatureKernel(Kernel):
    """A kernel that is a scalar product of counted features."""

    def features(self, graphs: Any = None) -> csr_array:
        """The features of graphs (by default of the fitted ones), one column per fitted feature.

        Those of a normalised kernel are divided by their norm, also over columns left out.
        """
        check_is_fitted(self, "graphs_")
        both, n_fitted = (self.graphs_, 0) if graphs is None else self._joined(graphs)
        self._check_features(both)
        table = self._table(both)
        if self.normalize:
            table = unit_rows(table)
        if graphs is None:
            return table
        known = int(table.indices[: table.indptr[n_fitted]].max(initial=-1)) + 1
        return table[n_fitted:, :known]

    def occurrences(self) -> Occurrences:
        """What the fitted graphs have, counted: the table of features before it is one."""
        check_is_fitted(self, "graphs_")
        self._check_features(self.graphs_)
        return self._occurrences(self.graphs_)

    def _compare(self, dataset: Dataset, rows: Numbers, columns: Numbers) -> NDArray[np.float64]:
        table = self._table(dataset)
        one = table[rows]
        return product(one, one if np.array_equal(rows, columns) else table[columns])

    def _selves(self, dataset: Dataset) -> NDArray[np.float64]:
        return squares(self._table(dataset))

    def _compare_all(self, dataset: Dataset, rows: Numbers, columns: Numbers) -> Compared:
        table = self._table(dataset)
        one, other = table[rows], table[columns]
        return Compared(product(one, other), squares(one), squares(other))

    def _check_features(self, dataset: Dataset) -> None:
        """Refuse features that would not fit, as some of the graphs have them."""
        if len(dataset) <= ASKED:
            return
        asked = dataset[np.linspace(0, len(dataset) - 1, ASKED).astype(np.int64)]
        nodes = dataset.n_nodes / max(1, asked.n_nodes)
        needed = len(self._occurrences(asked).codes) * nodes * BYTES_A_FEATURE
        instead = "count less (a smaller height or radius), or take fewer graphs"
        begin(Work(f"the features of {len(dataset):,} graphs", instead, needed))

    def _table(self, dataset: Dataset) -> csr_array:
        """One row per graph, one column per feature, in the order in which features appear."""
        return tabulate(self._occurrences(dataset), len(dataset))

    @abstractmethod
    def _occurrences(self, dataset: Dataset) -> Occurrences:
        """What the graphs have, counted."""


def check_gram(n_graphs: int, explicit: bool) -> None:
    """Refuse a table of all pairs that would not fit, and say what there is instead."""
    features = " (explicit features)" if explicit else " (landmarks)"
    instead = f"an estimator with linear = True{features} does without it; or take fewer graphs"
    what = f"a table of all pairs of {n_graphs:,} graphs"
    begin(Work(what, instead, BYTES_A_PAIR * n_graphs**2))


def squares(table: csr_array) -> NDArray[np.float64]:
    """The scalar product of every row with itself."""
    return np.asarray(table.multiply(table).sum(axis=1), dtype=np.float64)


def unit_rows(table: csr_array) -> csr_array:
    """The rows divided by their norms; a row of zeros stays one."""
    norms = np.sqrt(squares(table))
    norms[norms == 0] = 1
    values = table.data / np.repeat(norms, np.diff(table.indptr))
    return csr_array((values, table.indices, table.indptr), shape=table.shape)
