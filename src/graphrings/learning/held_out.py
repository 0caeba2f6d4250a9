"""Classifiers whose probabilities are calibrated on graphs that they were not trained on."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold

from graphrings.errors import UnseenLabelWarning
from graphrings.graphs.adapters.anything import as_selection
from graphrings.graphs.selection import Selection
from graphrings.learning.calibration import Calibration, temperature
from graphrings.learning.estimator import GraphClassifier
from graphrings.learning.sample_weights import checked_weights

Reals = NDArray[np.float64]
FOLDS = 5
ENOUGH = 1000  # held-out graphs, after which no further fold is needed
SMALLEST = 1e-4  # probability: nothing is impossible


class SelfCalibrating(GraphClassifier):
    """Probabilities with a temperature, where ``calibrate`` asks for it.

    It is learned from the validation graphs. Where there are none, one more model is fitted for
    every fold that is held out, until enough graphs were, and the temperature serves the model of
    all graphs. No prediction changes by it.
    """

    def fit(
        self, graphs: Any, y: Any = None, sample_weight: Any = None, *, validation: Any = None
    ) -> Self:
        """Learn from graphs and their targets; a Dataset brings its own.

        ``validation`` are graphs to calibrate by, as a pair (graphs, y) or a Dataset.
        """
        self.calibration_ = None
        super().fit(graphs, y, sample_weight, validation=validation)  # type: ignore[safe-super]
        if self.calibrate and len(self.classes_) > 1:
            self.calibration_ = (
                self._by_folds(graphs, y, sample_weight)
                if validation is None
                else self._by_validation(validation)
            )
        return self

    def predict_proba(self, graphs: Any) -> Reals:
        """The probability of every class."""
        said = self._said(graphs)
        return said if self.calibration_ is None else self.calibration_.probabilities(logs(said))

    @abstractmethod
    def _said(self, graphs: Any) -> Reals:
        """The probability of every class as the fit has it."""

    def _by_validation(self, validation: Any) -> Calibration:
        graphs, y = validation if isinstance(validation, tuple) else (validation, None)
        selection = as_selection(graphs)
        goals = self.coding_.encode(self._targets(selection, y))
        return temperature(logs(self._said(selection)), goals, "validation graphs")

    def _by_folds(self, graphs: Any, y: Any, sample_weight: Any) -> Calibration | None:
        """None where a class has one graph alone."""
        selection = as_selection(graphs)
        targets = self._targets(selection, y)
        goals, weights = self.coding_.encode(targets), checked_weights(sample_weight, len(targets))
        n_folds = min(FOLDS, int(np.bincount(goals).min()))
        if n_folds < 2:
            return None
        said, asked = list[Reals](), list[NDArray[np.int64]]()
        for kept, held_out in StratifiedKFold(n_folds, shuffle=True, random_state=0).split(
            goals, goals
        ):
            model = clone(self).set_params(calibrate=False)
            model.fit(
                part(selection, kept), targets[kept], None if weights is None else weights[kept]
            )
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UnseenLabelWarning)
                said.append(logs(model._said(part(selection, held_out))))
            asked.append(goals[held_out])
            if sum(map(len, asked)) >= ENOUGH:
                break
        folds = f"{len(asked)} of {n_folds} held-out folds"
        return temperature(np.concatenate(said), np.concatenate(asked), folds)


def part(selection: Selection, places: NDArray[np.int64]) -> Selection:
    """Some of the graphs, of the same dataset and with the same cache."""
    return Selection(selection.dataset, selection.graphs[places], selection.cache)


def logs(probabilities: Reals) -> Reals:
    """Their logarithms."""
    logarithms: Reals = np.log(np.maximum(probabilities, SMALLEST))
    return logarithms
