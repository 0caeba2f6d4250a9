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

from graphrings.learning.forest_trees import Growth, forest_trees, ranked_columns
from graphrings.learning.profile_trees import (
    ProfileTrees,
    ProfileTreesClassifier,
    ProfileTreesRegressor,
    Reals,
)
from graphrings.learning.trees import Grown, Trees, from_forest, joined
from graphrings.settings import Setting, Settings, is_whole, one_of, whole

MOST_SEEDS = 2**31 - 1
EXTRA, SQRT = "extra", "sqrt"
WORTHWHILE = 20_000  # rows times the root of columns: for less, compiling loops is the longer wait
GROWTH: Settings = {
    "trees": one_of(
        "extremely randomised trees, a random forest, or half of the trees of each kind",
        (EXTRA, "random", "both"),
        default="both",
    ),
    "n_trees": whole("how many trees", default=500),
    "max_features": Setting(
        "columns to choose from at every split: the square root of their number, or a share",
        "sqrt, or a number above 0 and up to 1",
        lambda v: v == SQRT or 0 < v <= 1,
        SQRT,
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
        share = self.max_features if self.max_features == SQRT else float(self.max_features)
        forests = [
            self.kinds[kind](
                n_estimators=count,
                max_features=share,  # 1, a whole number, would be one column
                min_samples_leaf=self.min_leaf,
                n_jobs=self.n_jobs,
                random_state=seed,
            ).fit(rows, goals, weights)
            for kind, count, seed in self._plan()
        ]
        importances = np.average(
            [forest.feature_importances_ for forest in forests],
            axis=0,
            weights=[len(forest.estimators_) for forest in forests],
        )
        return from_forest(tree for f in forests for tree in f.estimators_), importances

    def _plan(self) -> list[tuple[str, int, int]]:
        """The kinds of trees to grow, how many of each, and from which seed."""
        counts = {self.trees: self.n_trees}
        if self.trees == "both":
            counts = {EXTRA: self.n_trees - self.n_trees // 2, "random": self.n_trees // 2}
        seeds = check_random_state(self.random_state).randint(MOST_SEEDS, size=len(counts))
        planned = zip(counts, counts.values(), seeds.tolist(), strict=True)
        return [(kind, count, seed) for kind, count, seed in planned if count > 0]


class ForestClassifier(ProfileTreesClassifier, Forest):
    """Classes from a forest on the ring profile."""

    kinds = {EXTRA: ExtraTreesClassifier, "random": RandomForestClassifier}  # noqa: RUF012

    @property
    def n_sums(self) -> int:
        """A probability for every class."""
        return len(self.classes_)

    def _said(self, graphs: Any) -> Reals:
        return self._sums(graphs) / len(self.trees_)

    def _grown(
        self, rows: NDArray[np.float32], goals: NDArray[Any], weights: Reals | None
    ) -> tuple[Trees, Reals]:
        """Trees of our own where scikit-learn, which grows the same, would take its time."""
        is_small = len(rows) * np.sqrt(rows.shape[1]) < WORTHWHILE
        if is_small or weights is not None:
            return super()._grown(rows, goals, weights)
        ranked, plan = ranked_columns(rows), self._plan()
        grown, importances = list[Grown](), list[Reals]()
        for kind, count, seed in plan:
            growth = Growth(count, self.max_features, self.min_leaf, kind == EXTRA)
            trees, found = forest_trees(ranked, goals, growth, seed, self.n_jobs)
            grown += trees
            importances.append(found)
        counts = [count for _, count, _ in plan]
        return joined(grown), np.average(importances, axis=0, weights=counts)


class ForestRegressor(ProfileTreesRegressor, Forest):
    """Values from a forest on the ring profile."""

    own_settings = {"max_features": replace(GROWTH["max_features"], default=0.33)}  # noqa: RUF012
    kinds = {EXTRA: ExtraTreesRegressor, "random": RandomForestRegressor}  # noqa: RUF012

    def predict(self, graphs: Any) -> Reals:
        """The value of every graph."""
        sums = self._sums(graphs)
        return self.coding_.decode(sums / len(self.trees_))
