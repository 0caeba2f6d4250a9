"""What all classifiers of graphs share, as scikit-learn sees them."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from graphrings.adapters.anything import as_selection
from graphrings.errors import DatasetError
from graphrings.graphs.selection import Selection
from graphrings.learning.classes import class_names
from graphrings.settings import Checks, check_settings


class GraphClassifier(ClassifierMixin, BaseEstimator):
    """An estimator of graphs instead of rows of numbers; a Dataset brings its own classes."""

    checks: ClassVar[Checks]

    @abstractmethod
    def predict(self, graphs: Any) -> NDArray[Any]:
        """The most likely class."""

    def score(self, graphs: Any, y: Any = None, sample_weight: Any = None) -> float:
        """The accuracy; a Dataset brings its own classes."""
        chosen = as_selection(graphs)
        hits = self.predict(chosen) == class_names(chosen, y)
        return float(np.average(hits, weights=sample_weight))

    def _learn_classes(self, graphs: Any, y: Any) -> tuple[Selection, NDArray[np.int64]]:
        """The graphs to fit on, and the number of each one's class in ``classes_``."""
        check_settings(self.get_params(deep=False), self.checks)
        chosen = as_selection(graphs)
        names = class_names(chosen, y)
        self.classes_, targets = np.unique(names, return_inverse=True)
        if len(self.classes_) < 2:
            raise DatasetError(
                f"all graphs are of class {names.tolist()[0]!r}; expected at least two classes"
            )
        return chosen, targets

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.target_tags.required = False
        return tags
