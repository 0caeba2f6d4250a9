"""Forests on the ring profile, as scikit-learn estimators."""

from __future__ import annotations

from abc import abstractmethod
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.utils import check_random_state
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.validation import check_is_fitted

from graphrings.distances.graph_table import LABEL_AND_DEGREE, NODES
from graphrings.graphs.adapters.anything import as_selection, is_empty
from graphrings.graphs.carried import EDGE_LABELS, NODE_ATTRIBUTES, NODE_LABELS
from graphrings.learning.estimator import (
    GraphClassifier,
    GraphEstimator,
    GraphRegressor,
    show_settings,
)
from graphrings.learning.forest_files import forest_from_file, forest_to_file
from graphrings.learning.sample_weights import checked_weights
from graphrings.learning.table_columns import TableColumns, learn_columns
from graphrings.learning.training_settings import CLASS_WEIGHT, RANDOM_STATE
from graphrings.learning.trees import Trees, from_scikit_learn
from graphrings.settings import Setting, Settings, is_whole, one_of, whole
from graphrings.tasks.regression import Standardised

MOST_SEEDS = 2**31 - 1
SETTINGS: Settings = {
    "radius": whole("the largest distance at which pairs of labels are counted", 0, default=3),
    "nodes": one_of(
        "what the nodes of a pair are told apart by; where they have no labels, degrees",
        NODES,
        default=LABEL_AND_DEGREE,
    ),
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
    "random_state": RANDOM_STATE,
}


class Forest(GraphEstimator):
    """Decision trees on counts and shares of the ring profile and on statistics of a graph."""

    fitted = "trees_"
    own_settings: ClassVar[Settings] = {}
    kinds: ClassVar[dict[str, type[Any]]]
    columns_: TableColumns
    trees_: Trees
    feature_importances_: NDArray[np.float64]

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        show_settings(cls, {**SETTINGS, **cls.own_settings})

    @property
    def sees(self) -> tuple[str, ...]:
        """Labels of nodes and edges, and statistics of node attributes."""
        return (NODE_LABELS, NODE_ATTRIBUTES, EDGE_LABELS)

    def described_settings(self) -> dict[str, Setting]:
        """The same for all forests of a task."""
        return {**SETTINGS, **self.own_settings}

    def fit(
        self, graphs: Any, y: Any = None, sample_weight: Any = None, *, validation: Any = None
    ) -> Self:
        """Learn from graphs and their targets; a Dataset brings its own.

        ``validation`` is accepted, as all estimators here do, and not needed.
        """
        del validation
        selection, targets = self._begin(graphs, y)
        weights = self._weighted(targets, checked_weights(sample_weight, len(selection)))
        self.columns_ = learn_columns(selection, self.nodes, self.radius)
        rows, goals = self.columns_.rows(selection), self._goals(targets)
        forests = [forest.fit(rows, goals, weights) for forest in self._forests()]
        self.trees_ = from_scikit_learn(tree for f in forests for tree in f.estimators_)
        self.feature_importances_ = np.average(
            [forest.feature_importances_ for forest in forests],
            axis=0,
            weights=[len(forest.estimators_) for forest in forests],
        )
        return self

    def importances(self) -> list[tuple[str, float]]:
        """Every column by name with what it does for the splits, the most important first.

        That is the part of the impurity that splits by this column take away, on training graphs.
        """
        check_is_fitted(self, "trees_")
        named = zip(self.columns_.names, self.feature_importances_.tolist(), strict=True)
        return sorted(named, key=lambda pair: (-pair[1], pair[0]))

    @property
    def method_name(self) -> str:
        """What the registry calls it."""
        return "ring-forest"

    def to_file(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """What its file holds: the arrays of the trees, and what their columns mean."""
        return forest_to_file(self)

    @classmethod
    def from_file(cls, path: str | Path, header: dict[str, Any], tensors: dict[str, Any]) -> Self:
        """A model from what its file holds."""
        model: Self = forest_from_file(path, cls, header, tensors)
        return model

    @property
    @abstractmethod
    def n_outputs(self) -> int:
        """How many numbers a leaf holds."""

    @abstractmethod
    def _goals(self, targets: NDArray[Any]) -> NDArray[Any]:
        """What it learns."""

    def _weighted(
        self, targets: NDArray[Any], weights: NDArray[np.float64] | None
    ) -> NDArray[np.float64] | None:
        """What every graph counts for; None if all count alike."""
        del targets
        return weights

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

    def _outputs(self, graphs: Any) -> NDArray[np.float64]:
        """The mean of what all trees say."""
        check_is_fitted(self, "trees_")
        if is_empty(graphs):
            return np.empty((0, self.n_outputs))
        return self.trees_.sums(self.columns_.rows(as_selection(graphs))) / len(self.trees_)


class ForestClassifier(GraphClassifier, Forest):
    """Classes from a forest on the ring profile."""

    own_settings = {"class_weight": CLASS_WEIGHT}  # noqa: RUF012
    kinds = {"extra": ExtraTreesClassifier, "random": RandomForestClassifier}  # noqa: RUF012

    def predict_proba(self, graphs: Any) -> NDArray[np.float64]:
        """The probability of every class."""
        return self._outputs(graphs)

    def predict(self, graphs: Any) -> NDArray[Any]:
        """The most likely class."""
        probabilities = self.predict_proba(graphs)
        return self.coding_.decode(probabilities)

    @property
    def n_outputs(self) -> int:
        """A probability for every class."""
        return len(self.classes_)

    def _goals(self, targets: NDArray[Any]) -> NDArray[Any]:
        return self.coding_.encode(targets)

    def _weighted(
        self, targets: NDArray[Any], weights: NDArray[np.float64] | None
    ) -> NDArray[np.float64] | None:
        weight, goals = self.class_weight, self.coding_.encode(targets)
        if weight is None:
            return weights
        if isinstance(weight, dict):
            weight = {k: weight.get(name, 1.0) for k, name in enumerate(self.classes_.tolist())}
        of_class = compute_class_weight(weight, classes=np.arange(self.n_outputs), y=goals)
        by_class: NDArray[np.float64] = of_class[goals]
        return by_class if weights is None else by_class * weights


class ForestRegressor(GraphRegressor, Forest):
    """Values from a forest on the ring profile."""

    coding_: Standardised
    kinds = {"extra": ExtraTreesRegressor, "random": RandomForestRegressor}  # noqa: RUF012

    def predict(self, graphs: Any) -> NDArray[np.float64]:
        """The value of every graph."""
        outputs = self._outputs(graphs)
        return self.coding_.decode(outputs)

    @property
    def n_outputs(self) -> int:
        """One value."""
        return 1

    def _goals(self, targets: NDArray[Any]) -> NDArray[Any]:
        goals: NDArray[np.float64] = (targets - self.coding_.mean) / self.coding_.deviation
        return goals
