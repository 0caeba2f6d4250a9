"""Boosted trees on the ring profile, as scikit-learn estimators."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.utils import check_random_state

from graphrings.learning.calibration import of_odds
from graphrings.learning.profile_trees import (
    ProfileTrees,
    ProfileTreesClassifier,
    ProfileTreesRegressor,
    Reals,
)
from graphrings.learning.trees import Trees, from_boosting
from graphrings.settings import Setting, Settings, positive, whole
from graphrings.threads import one_thread

MOST_SEEDS = 2**31 - 1
GROWTH: Settings = {
    "n_trees": whole(
        "how many trees, one after the other (for several classes, of each)", default=200
    ),
    "learning_rate": positive("what part of a tree's answer is taken", default=0.05),
    "max_features": Setting(
        "share of the columns to choose from at every split",
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
    """Trees of which each learns what those before have missed, grown in one thread."""

    growth = GROWTH
    kind: ClassVar[type[Any]]

    @property
    def method_name(self) -> str:
        """What the registry calls it."""
        return "ring-boosting"

    def _grown(
        self, rows: NDArray[np.float32], goals: NDArray[Any], weights: Reals | None
    ) -> tuple[Trees, Reals]:
        seed = int(check_random_state(self.random_state).randint(MOST_SEEDS))
        model = self.kind(
            max_iter=self.n_trees,
            learning_rate=self.learning_rate,
            max_features=float(self.max_features),
            max_leaf_nodes=self.max_leaves,
            min_samples_leaf=self.min_leaf,
            l2_regularization=self.penalty,
            early_stopping=False,
            random_state=seed,
        )
        with one_thread():
            model.fit(rows, goals, weights)
        return from_boosting(model, rows.shape[1])


class BoostingClassifier(ProfileTreesClassifier, Boosting):
    """Classes from boosted trees on the ring profile."""

    kind = HistGradientBoostingClassifier

    @property
    def n_sums(self) -> int:
        """The odds of every class, or for two classes those of the second."""
        return 1 if len(self.classes_) == 2 else len(self.classes_)

    def predict_proba(self, graphs: Any) -> Reals:
        """The probability of every class."""
        return of_odds(self._sums(graphs))


class BoostingRegressor(ProfileTreesRegressor, Boosting):
    """Values from boosted trees on the ring profile."""

    kind = HistGradientBoostingRegressor

    def predict(self, graphs: Any) -> Reals:
        """The value of every graph."""
        sums = self._sums(graphs)
        return self.coding_.decode(sums)
