"""Forests on the ring profile, as scikit-learn estimators."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.utils import check_random_state

from graphrings.learning.profile_trees import (
    ProfileTrees,
    ProfileTreesClassifier,
    ProfileTreesRegressor,
    Reals,
)
from graphrings.learning.trees import Trees, from_forest
from graphrings.settings import Setting, Settings, is_whole, one_of, whole

MOST_SEEDS = 2**31 - 1
GROWTH: Settings = {
    "trees": one_of(
        "extremely randomised trees, a random forest, or half of the trees of each kind",
        ("extra", "random", "both"),
        default="both",
    ),
    "n_trees": whole("how many trees", default=500),
    "max_features": Setting(
        "columns to choose from at every split: the square root of their number, or a share",
        "sqrt, or a number above 0 and up to 1",
        lambda v: v == "sqrt" or 0 < v <= 1,
        "sqrt",
        float | str,
    ),
    "min_leaf": whole("graphs that a leaf must have", default=1),
    "n_jobs": Setting(
        "threads to grow trees with; the forest is the same for any number",
        "a whole number above 0, or -1 for all processors",
        lambda v: v == -1 or is_whole(v),
        1,
        int,
    ),
}


class Forest(ProfileTrees):
    """Trees that are grown apart, and whose answers are averaged."""

    growth = GROWTH
    kinds: ClassVar[dict[str, type[Any]]]

    @property
    def method_name(self) -> str:
        """What the registry calls it."""
        return "ring-forest"

    def _grown(
        self, rows: NDArray[np.float32], goals: NDArray[Any], weights: Reals | None
    ) -> tuple[Trees, Reals]:
        forests = [forest.fit(rows, goals, weights) for forest in self._forests()]
        importances = np.average(
            [forest.feature_importances_ for forest in forests],
            axis=0,
            weights=[len(forest.estimators_) for forest in forests],
        )
        return from_forest(tree for f in forests for tree in f.estimators_), importances

    def _forests(self) -> list[Any]:
        """The forests of scikit-learn to grow, each with a seed of its own."""
        counts = {self.trees: self.n_trees}
        if self.trees == "both":
            counts = {"extra": self.n_trees - self.n_trees // 2, "random": self.n_trees // 2}
        seeds = check_random_state(self.random_state).randint(MOST_SEEDS, size=len(counts))
        return [
            self.kinds[kind](
                n_estimators=count,
                max_features=self.max_features,
                min_samples_leaf=self.min_leaf,
                n_jobs=self.n_jobs,
                random_state=seed,
            )
            for (kind, count), seed in zip(counts.items(), seeds.tolist(), strict=True)
            if count > 0
        ]


class ForestClassifier(ProfileTreesClassifier, Forest):
    """Classes from a forest on the ring profile."""

    kinds = {"extra": ExtraTreesClassifier, "random": RandomForestClassifier}  # noqa: RUF012

    @property
    def n_sums(self) -> int:
        """A probability for every class."""
        return len(self.classes_)

    def _said(self, graphs: Any) -> Reals:
        return self._sums(graphs) / len(self.trees_)


class ForestRegressor(ProfileTreesRegressor, Forest):
    """Values from a forest on the ring profile."""

    own_settings = {"max_features": replace(GROWTH["max_features"], default=0.33)}  # noqa: RUF012
    kinds = {"extra": ExtraTreesRegressor, "random": RandomForestRegressor}  # noqa: RUF012

    def predict(self, graphs: Any) -> Reals:
        """The value of every graph."""
        sums = self._sums(graphs)
        return self.coding_.decode(sums / len(self.trees_))
