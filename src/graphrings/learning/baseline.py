"""A classifier that sees no structure, which every network should beat."""

from __future__ import annotations

import math
import operator
import warnings
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from graphrings.adapters.anything import as_selection
from graphrings.errors import DatasetError, UnseenLabelWarning
from graphrings.graphs.features import LARGEST_DEGREE
from graphrings.graphs.selection import Selection
from graphrings.learning.estimator import GraphClassifier
from graphrings.settings import Checks

MOST_STEPS = 1000
CHECKS: Checks = {
    "kind": ("counts or shares", lambda v: v in ("counts", "shares")),
    "model": ("logistic or mlp", lambda v: v in ("logistic", "mlp")),
    "C": ("a number above 0", lambda v: 0 < v < math.inf),
    "hidden": ("a whole number above 0", lambda v: operator.index(v) >= 1),
}


class LabelBaseline(GraphClassifier):
    """The node labels of a graph, counted, and its size; where nodes have no labels, the degrees.

    Args:
        kind: ``counts`` of the labels, or their ``shares`` of the nodes.
        model: ``logistic`` regression, or ``mlp`` with one hidden layer.
        C: the inverse of the L2 penalty, of either model.
        hidden: units of the hidden layer.
        random_state: a seed; the same one gives the same fit to the last bit.

    """

    checks = CHECKS

    def __init__(
        self,
        kind: str = "counts",
        *,
        model: str = "logistic",
        C: float = 1.0,  # noqa: N803, scikit-learn's name
        hidden: int = 32,
        random_state: Any = None,
    ) -> None:
        self.kind = kind
        self.model = model
        self.C = C
        self.hidden = hidden
        self.random_state = random_state

    def fit(self, graphs: Any, y: Any = None, *, validation: Any = None) -> Self:
        """Learn from graphs and their classes; a Dataset brings its own.

        ``validation`` is accepted, as all estimators here do, and not needed.
        """
        del validation
        chosen, targets = self._learn_classes(graphs, y)
        self.labelled_ = chosen.dataset.n_labels > 0
        words, counts = histogram(chosen, self.labelled_)
        self.words_ = [words[k] for k in np.flatnonzero(counts.sum(axis=0))]
        rows, model = self._rows(chosen), make_pipeline(StandardScaler(), self._model())
        with threadpool_limits(1), warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # the steps are part of the method
            self.model_ = model.fit(rows, targets)
        return self

    def predict_proba(self, graphs: Any) -> NDArray[np.float64]:
        """The probability of every class."""
        check_is_fitted(self, "model_")
        rows = self._rows(as_selection(graphs))
        with threadpool_limits(1):
            return self.model_.predict_proba(rows)  # type: ignore[no-any-return]

    def predict(self, graphs: Any) -> NDArray[Any]:
        """The most likely class."""
        found = self.predict_proba(graphs)
        return self.classes_[found.argmax(axis=1)]  # type: ignore[no-any-return]

    def _rows(self, chosen: Selection) -> NDArray[np.float64]:
        """A histogram over what training saw and the logarithm of the size, for every graph."""
        words, counts = histogram(chosen, self.labelled_)
        columns = [self._column(word) for word in words]
        known = [k for k, column in enumerate(columns) if column is not None]
        rows = np.zeros((len(chosen), len(self.words_)))
        for k in known:
            rows[:, columns[k]] += counts[:, k]
        sizes = counts.sum(axis=1)
        if n_unseen := int(sizes.sum() - counts[:, known].sum()):
            warnings.warn(
                f"{chosen.dataset.name}: {n_unseen:,} nodes have a label that training never saw; "
                "they are not counted",
                UnseenLabelWarning,
                stacklevel=3,
            )
        if self.kind == "shares":
            rows /= sizes[:, None]
        return np.column_stack([rows, np.log(sizes)])

    def _column(self, word: Any) -> int | None:
        """Where a label is counted, if training saw it; a degree counts as the nearest it saw."""
        if self.labelled_:
            return self.words_.index(word) if word in self.words_ else None
        return min(range(len(self.words_)), key=lambda k: abs(self.words_[k] - word))

    def _model(self) -> Any:
        if self.model == "logistic":
            return LogisticRegression(C=self.C, max_iter=MOST_STEPS, random_state=self.random_state)
        return MLPClassifier(
            (self.hidden,), alpha=1 / self.C, max_iter=MOST_STEPS, random_state=self.random_state
        )


def histogram(chosen: Selection, labelled: bool) -> tuple[list[Any], NDArray[np.int64]]:
    """The labels or degrees that there are, and how often every graph has each."""
    dataset = chosen.dataset
    if labelled and dataset.node_labels is None:
        raise DatasetError(f"{dataset.name}: nodes without labels; training had labels")
    of_node = np.minimum(dataset.degrees, LARGEST_DEGREE)
    words: list[Any] = list(range(LARGEST_DEGREE + 1))
    if labelled and dataset.node_labels is not None:
        of_node, words = dataset.node_labels, list(dataset.label_names)
    places = dataset.owner.astype(np.int64) * len(words) + of_node
    counts = np.bincount(places, minlength=len(dataset) * len(words))
    return words, counts.reshape(len(dataset), len(words))[chosen.graphs]
