"""Predict a value of a graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import DatasetError, DivergenceError
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.targets import own_targets
from graphrings.tasks.predictions import Predictions
from graphrings.tasks.task import Coding, Numbers, Task

MOST_STRATA = 10


@dataclass(frozen=True)
class Standardised:
    """Values with mean 0 and deviation 1 on the graphs of a fit."""

    mean: float
    deviation: float

    @property
    def n_outputs(self) -> int:
        """One value."""
        return 1

    def encode(self, targets: NDArray[Any]) -> NDArray[np.float32]:
        """Standardised values, as a column like the outputs."""
        goals = (targets.astype(np.float64) - self.mean) / self.deviation
        return goals.astype(np.float32)[:, None]

    def decode(self, outputs: NDArray[Any]) -> NDArray[np.float64]:
        """Values on the scale of the targets."""
        return self.mean + self.deviation * outputs[:, 0].astype(np.float64)

    def epoch_score(self, outputs: NDArray[Any], goals: NDArray[Any]) -> float:
        """The root mean squared error on the scale of the targets."""
        squares = np.square(outputs.astype(np.float64) - goals)
        return float(self.deviation * np.sqrt(squares.mean()))


class Regression(Task):
    """Targets are finite numbers; folds are stratified by quantile."""

    name = "regression"
    estimator = "Regressor"
    loss = "mse_loss"
    loss_title = "squared error of standardised values"
    epoch_score = "rmse"
    chosen_by = ("rmse", "mae")

    def checked(self, column: NDArray[Any]) -> NDArray[Any]:
        """Refuse what is not a finite number."""
        try:
            values = column.astype(np.float64)
        except (TypeError, ValueError):
            values = np.full(len(column), np.nan)
        if column.dtype.kind not in "OiufU" or not np.isfinite(values).all():
            bad = int(np.argmin(np.isfinite(values)))
            raise DatasetError(
                f"target number {bad} is {column[bad]!r}; expected finite numbers "
                "(there are classifiers for classes, such as PGCClassifier)"
            )
        return values

    def numbers(self, dataset: Dataset) -> Numbers:
        """The values themselves, also where whole numbers were taken for the names of classes."""
        return self.checked(own_targets(dataset))

    def learn(self, targets: NDArray[Any]) -> Standardised:
        """Mean and deviation; a constant has deviation 1, so that nothing is divided by 0."""
        return Standardised(float(targets.mean()), float(targets.std()) or 1.0)

    def coding(self, parts: Mapping[str, Any]) -> Standardised:
        """Mean and deviation, which must be numbers."""
        coding = Standardised(float(parts["mean"]), float(parts["deviation"]))
        if not (np.isfinite(coding.mean) and 0 < coding.deviation < np.inf):
            raise ValueError(f"{coding}; expected finite numbers")
        return coding

    def mismatch(self, truth: NDArray[Any], coding: Coding) -> str:
        """Targets that are no numbers."""
        del coding
        try:
            self.checked(truth)
        except DatasetError:
            return f"targets of the data such as {truth[0]!r}, but the model predicts numbers"
        return ""

    def user_score(self, truth: NDArray[Any], predicted: NDArray[Any]) -> float:
        """The root mean squared error."""
        misses = self.checked(truth) - predicted.astype(np.float64)
        return float(np.sqrt(np.square(misses).mean()))

    def strata(self, numbers: Numbers, n_folds: int) -> NDArray[np.int64]:
        """Up to ten quantiles of equal size, each with at least one graph per fold."""
        n_strata = max(1, min(MOST_STRATA, len(numbers) // n_folds))
        ranks = np.empty(len(numbers), dtype=np.int64)
        ranks[np.argsort(numbers, kind="stable")] = np.arange(len(numbers))
        return ranks * n_strata // max(1, len(numbers))

    def stratum_name(self, dataset: Dataset, stratum: int) -> str:
        """The quantile, counted from 1."""
        del dataset
        return f"quantile {stratum + 1} of the values"

    def predictions(
        self, estimator: Any, graphs: Any, numbers: NDArray[Any], truth: Numbers, n_classes: int
    ) -> Predictions:
        """The predicted values, which must be numbers."""
        del n_classes
        predicted = np.asarray(estimator.predict(graphs))
        if not np.isfinite(predicted).all():
            raise DivergenceError(
                "the predictions are no numbers; a smaller learning rate may help"
            )
        return Predictions(numbers, truth, predicted)

    def ceiling(self, groups: NDArray[np.int32], numbers: Numbers) -> float:
        """The RMSE of naming the mean of every group: the lowest there can be."""
        sizes = np.bincount(groups)
        means = np.bincount(groups, numbers) / np.maximum(1, sizes)
        return float(np.sqrt(np.square(numbers - means[groups]).mean()))

    def facts(self, targets: NDArray[Any]) -> dict[str, Any]:
        """Where the values lie."""
        low, middle, high = np.quantile(targets, (0, 0.5, 1)).tolist()
        mean, deviation = float(targets.mean()), float(targets.std())
        return {
            "values": {
                "least": low,
                "median": middle,
                "mean": mean,
                "largest": high,
                "deviation": deviation,
            }
        }

    def described(self, dataset: Dataset) -> str:
        """The smallest, the middle and the largest value."""
        low, middle, high = np.quantile(self.numbers(dataset), (0, 0.5, 1))
        return f"{low:.4g} to {high:.4g}, median {middle:.4g}"
