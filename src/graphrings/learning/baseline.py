"""Estimators that see no structure, which every network should beat."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted

from graphrings.errors import DatasetError, UnseenLabelWarning
from graphrings.graphs.adapters.anything import as_dataset, as_selection, is_empty
from graphrings.graphs.features import LARGEST_DEGREE
from graphrings.graphs.selection import Selection
from graphrings.learning.baseline_files import baseline_from_file, baseline_to_file
from graphrings.learning.chunks import in_chunks
from graphrings.learning.estimator import (
    GraphClassifier,
    GraphEstimator,
    GraphRegressor,
    show_settings,
)
from graphrings.learning.sample_weights import checked_weights
from graphrings.learning.training_settings import RANDOM_STATE
from graphrings.settings import Setting, Settings, one_of, positive, whole
from graphrings.threads import one_thread

MOST_STEPS = 1000
SETTINGS: Settings = {
    "kind": one_of(
        "counts of the labels, or their shares of the nodes", ("counts", "shares"), default="counts"
    ),
    "model": one_of(
        "a linear model, or a perceptron with one hidden layer",
        ("linear", "mlp"),
        default="linear",
    ),
    "C": positive("the inverse of the L2 penalty, of either model", default=1.0),
    "hidden": whole("units of the hidden layer", default=32),
    "random_state": RANDOM_STATE,
}


class Baseline(GraphEstimator):
    """The node labels of a graph, counted, and its size; where nodes have no labels, the degrees.

    What it learns from these rows is a linear model or a small perceptron.
    """

    fitted = "model_"

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        show_settings(cls, dict(SETTINGS))

    def described_settings(self) -> dict[str, Setting]:
        """The same for all."""
        return dict(SETTINGS)

    def fit(
        self, graphs: Any, y: Any = None, sample_weight: Any = None, *, validation: Any = None
    ) -> Self:
        """Learn from graphs and their targets; a Dataset brings its own.

        ``validation`` is accepted, as all estimators here do, and not needed.
        """
        del validation
        selection, targets = self._begin(graphs, y)
        weights = checked_weights(sample_weight, len(selection))
        self.labelled_ = selection.dataset.n_labels > 0
        words, counts = histogram(selection, self.labelled_)
        self.words_ = [words[k] for k in np.flatnonzero(counts.sum(axis=0))]
        rows, pipeline = self._rows(selection), self.build_model()
        last, model = pipeline.steps[-1]
        weighted = {} if weights is None else {f"{last}__sample_weight": weights}
        with one_thread(), warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # the steps are part of the method
            self.model_ = pipeline.fit(rows, self._goals(targets), **weighted)
        if hasattr(model, "coef_"):  # as a file will have it, so that it rounds the same way
            model.coef_ = np.ascontiguousarray(model.coef_)
        return self

    @property
    def method_name(self) -> str:
        """What the registry calls it."""
        return "baseline-labels"

    def to_file(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """What its file holds: the words that it counts and the arrays of the model."""
        return baseline_to_file(self)

    @classmethod
    def from_file(cls, path: str | Path, header: dict[str, Any], tensors: dict[str, Any]) -> Self:
        """A model from what its file holds."""
        model: Self = baseline_from_file(path, cls, header, tensors)
        return model

    def build_model(self) -> Any:
        """What learns from the rows, not yet fitted."""
        return make_pipeline(StandardScaler(), self._model())

    def outputs(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """What the model computes of rows: a column per class, or one of values."""
        outputs: NDArray[np.float64]
        with one_thread():
            if hasattr(self.model_, "predict_proba"):
                outputs = self.model_.predict_proba(rows)
            else:
                outputs = self.model_.predict(rows)[:, None]
        return outputs

    def _outputs(self, graphs: Any) -> NDArray[np.float64]:
        check_is_fitted(self, "model_")
        if is_empty(graphs):
            return np.empty((0, self.coding_.n_outputs))
        if isinstance(graphs, Selection):
            return self.outputs(self._rows(graphs))
        with one_thread():  # around all threads, each of which sets it back to what it was
            return in_chunks(
                lambda part: self.outputs(self._rows(as_selection(part))), as_dataset(graphs)
            )

    @abstractmethod
    def _model(self) -> Any:
        """What learns from rows of counts."""

    def _perceptron(self) -> dict[str, Any]:
        """The settings of a perceptron."""
        return {
            "hidden_layer_sizes": (self.hidden,),
            "alpha": 1 / self.C,
            "max_iter": MOST_STEPS,
            "random_state": self.random_state,
        }

    @abstractmethod
    def _goals(self, targets: NDArray[Any]) -> NDArray[Any]:
        """What it learns."""

    def _rows(self, selection: Selection) -> NDArray[np.float64]:
        """A histogram over what training saw and the logarithm of the size, for every graph."""
        words, counts = histogram(selection, self.labelled_)
        columns = [self._column(word) for word in words]
        known = [k for k, column in enumerate(columns) if column is not None]
        rows = np.zeros((len(selection), len(self.words_)))
        for k in known:
            rows[:, columns[k]] += counts[:, k]
        sizes = counts.sum(axis=1)
        if n_unseen := int(sizes.sum() - counts[:, known].sum()):
            warnings.warn(
                UnseenLabelWarning.counted(
                    selection.dataset.name,
                    n_unseen,
                    "nodes have a label that training never saw; they are not counted",
                ),
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


class BaselineClassifier(GraphClassifier, Baseline):
    """Classes from counted node labels (or degrees) and the size of a graph, without structure."""

    def predict_proba(self, graphs: Any) -> NDArray[np.float64]:
        """The probability of every class."""
        return self._outputs(graphs)

    def predict(self, graphs: Any) -> NDArray[Any]:
        """The most likely class."""
        probabilities = self.predict_proba(graphs)
        return self.coding_.decode(probabilities)

    def _goals(self, targets: NDArray[Any]) -> NDArray[Any]:
        return self.coding_.encode(targets)

    def _model(self) -> Any:
        if self.model == "linear":
            return LogisticRegression(C=self.C, max_iter=MOST_STEPS, random_state=self.random_state)
        return MLPClassifier(**self._perceptron())


class BaselineRegressor(GraphRegressor, Baseline):
    """Values from counted node labels (or degrees) and the size of a graph, without structure."""

    def predict(self, graphs: Any) -> NDArray[np.float64]:
        """The value of every graph."""
        return self.coding_.decode(self._outputs(graphs))

    def _goals(self, targets: NDArray[Any]) -> NDArray[Any]:
        return self.coding_.encode(targets)[:, 0].astype(np.float64)

    def _model(self) -> Any:
        if self.model == "linear":
            return Ridge(alpha=1 / self.C, random_state=self.random_state)
        return MLPRegressor(**self._perceptron())


def histogram(selection: Selection, labelled: bool) -> tuple[list[Any], NDArray[np.int64]]:
    """The labels or degrees that there are, and how often every graph has each."""
    dataset = selection.dataset
    if labelled and dataset.node_labels is None:
        raise DatasetError(f"{dataset.name}: nodes without labels; training had labels")
    of_node = np.minimum(dataset.degrees, LARGEST_DEGREE)
    words: list[Any] = list(range(LARGEST_DEGREE + 1))
    if labelled and dataset.node_labels is not None:
        of_node, words = dataset.node_labels, list(dataset.label_names)
    places = dataset.owner.astype(np.int64) * len(words) + of_node
    counts = np.bincount(places, minlength=len(dataset) * len(words))
    return words, counts.reshape(len(dataset), len(words))[selection.graphs]
