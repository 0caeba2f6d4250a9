"""Boosted trees on the ring profile, as scikit-learn estimators."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from graphrings.learning.boosted_trees import Growth, boosted_trees
from graphrings.learning.boosting_losses import Logistic, Loss, Softmax, Squared
from graphrings.learning.calibration import of_odds
from graphrings.learning.profile_trees import (
    ProfileTrees,
    ProfileTreesClassifier,
    ProfileTreesRegressor,
    Reals,
)
from graphrings.learning.trees import Trees, joined
from graphrings.settings import Setting, Settings, positive, whole

GROWTH: Settings = {
    "n_trees": whole(
        "how many trees, one after the other (for several classes, of each)", default=200
    ),
    "learning_rate": positive("what part of a tree's answer is taken", default=0.05),
    "max_features": Setting(
        "share of the columns that a tree may look at",
        "a number above 0 and up to 1",
        lambda v: 0 < v <= 1,
        0.1,
        float,
    ),
    "max_leaves": whole("leaves that a tree may have", 2, default=31),
    "min_leaf": whole("graphs that a leaf must have", default=10),
    "penalty": Setting(
        "of squared leaf values", "a number, 0 or larger", lambda v: 0 <= v < np.inf, 1.0, float
    ),
}


class Boosting(ProfileTrees):
    """Trees of which each learns what those before have missed."""

    growth = GROWTH

    @property
    def method_name(self) -> str:
        """What the registry calls it."""
        return "ring-boosting"

    @abstractmethod
    def _loss(self, goals: NDArray[Any], weights: Reals) -> Loss:
        """What the trees lower."""

    def _grown(
        self, rows: NDArray[np.float32], goals: NDArray[Any], weights: Reals | None
    ) -> tuple[Trees, Reals]:
        loss = self._loss(goals, np.ones(len(rows)) if weights is None else weights)
        growth = Growth(**{name: getattr(self, name) for name in GROWTH})
        random = check_random_state(self.random_state)
        trees, gains = boosted_trees(rows, loss, growth, random)
        return replace(joined(trees), start=loss.start), gains / (gains.sum() or 1.0)


class BoostingClassifier(ProfileTreesClassifier, Boosting):
    """Classes from boosted trees on the ring profile."""

    @property
    def n_sums(self) -> int:
        """The odds of every class, or for two classes those of the second."""
        return 1 if len(self.classes_) == 2 else len(self.classes_)

    def _loss(self, goals: NDArray[Any], weights: Reals) -> Loss:
        return (Logistic if self.n_sums == 1 else Softmax)(goals, weights)

    def _said(self, graphs: Any) -> Reals:
        return of_odds(self._sums(graphs))


class BoostingRegressor(ProfileTreesRegressor, Boosting):
    """Values from boosted trees on the ring profile."""

    def predict(self, graphs: Any) -> Reals:
        """The value of every graph."""
        sums = self._sums(graphs)
        return self.coding_.decode(sums)

    def _loss(self, goals: NDArray[Any], weights: Reals) -> Loss:
        return Squared(goals, weights)
