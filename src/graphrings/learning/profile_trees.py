"""What all estimators share that grow decision trees on the table of a graph."""

from __future__ import annotations

from abc import abstractmethod
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.validation import check_is_fitted

from graphrings.distances.graph_table import DEGREE, NODES
from graphrings.graphs.adapters.anything import as_dataset, as_selection, is_empty
from graphrings.graphs.carried import (
    EDGE_ATTRIBUTES,
    EDGE_LABELS,
    NODE_ATTRIBUTES,
    NODE_LABELS,
)
from graphrings.graphs.selection import Selection
from graphrings.learning.chunks import in_chunks
from graphrings.learning.estimator import (
    GraphEstimator,
    GraphRegressor,
    show_settings,
)
from graphrings.learning.forest_files import forest_from_file, forest_to_file
from graphrings.learning.held_out import SelfCalibrating
from graphrings.learning.sample_weights import checked_weights
from graphrings.learning.table_columns import (
    AUTO,
    MOST_COUNTED,
    TableColumns,
    learn_columns,
)
from graphrings.learning.training_settings import CALIBRATE, CLASS_WEIGHT, RANDOM_STATE
from graphrings.learning.trees import Trees
from graphrings.settings import FAR, Setting, Settings, one_of, whole
from graphrings.tasks.regression import Standardised

Reals = NDArray[np.float64]
AT_ONCE = 4_000  # graphs whose rows are in memory; what trees say does not depend on it
TABLE: Settings = {
    "radius": whole("the largest distance at which pairs of labels are counted", 0, FAR, default=3),
    "nodes": one_of(
        "what the nodes of a pair are told apart by; where they have no labels, degrees; auto: "
        f"label+degree, or label where that would count over {MOST_COUNTED} columns per graph",
        (AUTO, *NODES),
        default=AUTO,
    ),
}


class ProfileTrees(GraphEstimator):
    """Decision trees on counts and shares of the ring profile and on statistics of a graph.

    ``growth`` are the settings of how trees are grown, ``own_settings`` those of a task.
    """

    fitted = "trees_"
    growth: ClassVar[Settings] = {}
    own_settings: ClassVar[Settings] = {}
    columns_: TableColumns
    trees_: Trees
    feature_importances_: Reals

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        show_settings(cls, cls._all_settings())

    @classmethod
    def _all_settings(cls) -> dict[str, Setting]:
        return {**TABLE, **cls.growth, "random_state": RANDOM_STATE, **cls.own_settings}

    @property
    def sees(self) -> tuple[str, ...]:
        """All that nodes and edges carry, but no node labels where degrees were asked for."""
        labels = () if self.nodes == DEGREE else (NODE_LABELS,)
        return (*labels, NODE_ATTRIBUTES, EDGE_LABELS, EDGE_ATTRIBUTES)

    def described_settings(self) -> dict[str, Setting]:
        """The same for all of a class."""
        return self._all_settings()

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
        self.trees_, self.feature_importances_ = self._grown(rows, goals, weights)
        return self

    def importances(self) -> list[tuple[str, float]]:
        """Every column by name with what it does for the splits, the most important first.

        That is its part of what all splits gain on the training graphs.
        """
        check_is_fitted(self, self.fitted)
        named = zip(self.columns_.names, self.feature_importances_.tolist(), strict=True)
        return sorted(named, key=lambda pair: (-pair[1], pair[0]))

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
    def n_sums(self) -> int:
        """How many numbers a leaf holds."""

    @abstractmethod
    def _grown(
        self, rows: NDArray[np.float32], goals: NDArray[Any], weights: Reals | None
    ) -> tuple[Trees, Reals]:
        """The trees, and what every column does for them."""

    @abstractmethod
    def _goals(self, targets: NDArray[Any]) -> NDArray[Any]:
        """What it learns."""

    def _weighted(self, targets: NDArray[Any], weights: Reals | None) -> Reals | None:
        """What every graph counts for; None if all count alike."""
        del targets
        return weights

    def _sums(self, graphs: Any) -> Reals:
        """What the trees say of every graph, added up."""
        check_is_fitted(self, self.fitted)
        if is_empty(graphs):
            return np.empty((0, self.n_sums))
        if isinstance(graphs, Selection):  # whose table is made once for all
            return self._selected_sums(graphs)
        dataset = as_dataset(graphs)
        return in_chunks(lambda part: self._selected_sums(as_selection(part)), dataset, AT_ONCE)

    def _selected_sums(self, selection: Selection) -> Reals:
        return self.trees_.sums(self.columns_.rows(selection))


class ProfileTreesClassifier(SelfCalibrating, ProfileTrees):
    """Classes from trees."""

    own_settings = {"class_weight": CLASS_WEIGHT, "calibrate": CALIBRATE}  # noqa: RUF012

    def predict(self, graphs: Any) -> NDArray[Any]:
        """The most likely class."""
        probabilities = self.predict_proba(graphs)
        return self.coding_.decode(probabilities)

    def _goals(self, targets: NDArray[Any]) -> NDArray[Any]:
        return self.coding_.encode(targets)

    def _weighted(self, targets: NDArray[Any], weights: Reals | None) -> Reals | None:
        weight, goals = self.class_weight, self.coding_.encode(targets)
        if weight is None:
            return weights
        if isinstance(weight, dict):
            weight = {k: weight.get(name, 1.0) for k, name in enumerate(self.classes_.tolist())}
        of_class = compute_class_weight(weight, classes=np.arange(len(self.classes_)), y=goals)
        by_class: Reals = of_class[goals]
        return by_class if weights is None else by_class * weights


class ProfileTreesRegressor(GraphRegressor, ProfileTrees):
    """Values from trees."""

    coding_: Standardised

    @property
    def n_sums(self) -> int:
        """One value."""
        return 1

    def _goals(self, targets: NDArray[Any]) -> NDArray[Any]:
        goals: Reals = (targets - self.coding_.mean) / self.coding_.deviation
        return goals
