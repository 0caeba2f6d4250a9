"""A support vector machine on a graph kernel, as a scikit-learn estimator."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.svm import SVC, LinearSVC
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from graphrings.adapters.anything import as_selection
from graphrings.errors import DatasetError, SettingError
from graphrings.graphs.selection import Selection
from graphrings.kernels.kernel import FeatureKernel, Kernel
from graphrings.kernels.names import KERNELS, build, settings_of
from graphrings.learning.classes import class_names
from graphrings.learning.support_vectors import by_votes, pair_weights

CALIBRATION_FOLDS = 5
MOST_STEPS = 10_000
OWN = ("normalize", "random_state")  # settings of kernels that this estimator has too
SETTINGS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "kernel": (f"one of {', '.join(KERNELS)}", lambda v: v in KERNELS),
    "C": ("a number above 0", lambda v: 0 < v < math.inf),
    "normalize": ("True or False", lambda v: isinstance(v, bool)),
    "linear": ("True or False", lambda v: isinstance(v, bool)),
    "probability": ("True or False", lambda v: isinstance(v, bool)),
}


class KernelClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A support vector machine on a graph kernel.

    Args:
        kernel: a name from ``graphrings.kernels.names``, such as ``wl``.
        C: the inverse of the penalty.
        normalize: whether to divide the kernel by the norms, so that k(G, G) = 1.
        linear: learn from explicit features, without a Gram matrix: for many graphs.
        probability: whether to learn ``predict_proba`` too, from decisions on held-out folds.
        kernel_seed: of kernels that draw; one for all fits, so that they share a Gram matrix.
        random_state: a seed for what is held out, and for the linear machine.
        **settings: those of the kernel itself, such as ``height``.

    """

    def __init__(
        self,
        kernel: str = "wl",
        C: float = 1.0,  # noqa: N803, scikit-learn's name
        *,
        normalize: bool = True,
        linear: bool = False,
        probability: bool = False,
        kernel_seed: int = 0,
        random_state: Any = None,
        **settings: Any,
    ) -> None:
        self.kernel = kernel
        self.C = C
        self.normalize = normalize
        self.linear = linear
        self.probability = probability
        self.kernel_seed = kernel_seed
        self.random_state = random_state
        self.settings = settings

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """All settings, also those of the kernel."""
        own: dict[str, Any] = super().get_params(deep)
        return {**own, **self._kernel_defaults(), **self.settings}

    def set_params(self, **settings: Any) -> Self:
        """Change settings; another kernel keeps those that it has as well."""
        own = set(super().get_params())
        for name in sorted(own & settings.keys()):
            setattr(self, name, settings.pop(name))
        known = self._kernel_defaults()
        self.settings = {k: v for k, v in self.settings.items() if k in known} | settings
        return self

    def fit(self, graphs: Any, y: Any = None, *, validation: Any = None) -> Self:
        """Learn from graphs and their classes; a Dataset brings its own.

        ``validation`` is accepted, as all estimators here do, and not needed.
        """
        del validation
        self._check_settings()
        chosen = as_selection(graphs)
        names = class_names(chosen, y)
        self.classes_, targets = np.unique(names, return_inverse=True)
        if len(self.classes_) < 2:
            raise DatasetError(
                f"all graphs are of class {names.tolist()[0]!r}; expected at least two classes"
            )
        with threadpool_limits(1):
            (self._fit_linear if self.linear else self._fit_dual)(graphs, chosen, targets)
        return self

    def decision_function(self, graphs: Any) -> NDArray[np.float64]:
        """A score for every class, or for two classes how much the second is ahead."""
        check_is_fitted(self, "kernel_")
        with threadpool_limits(1):
            if self.linear:
                found = self.kernel_.features(as_selection(graphs).cut_out()) @ self.coef_.T
            else:
                found = self._gram(graphs) @ pair_weights(self.dual_coef_, self.n_support_).T
        found += self.intercept_
        if len(self.classes_) == 2:
            return found[:, 0]  # type: ignore[no-any-return]
        return found if self.linear else by_votes(found, len(self.classes_))

    def predict(self, graphs: Any) -> NDArray[Any]:
        """The class that the decision is for."""
        found = self.decision_function(graphs)
        numbers = (found > 0).astype(np.int64) if found.ndim == 1 else found.argmax(axis=1)
        return self.classes_[numbers]  # type: ignore[no-any-return]

    @available_if(lambda self: self.probability)
    def predict_proba(self, graphs: Any) -> NDArray[np.float64]:
        """The probability of every class, which may disagree with a close decision."""
        found = self.decision_function(graphs).reshape(-1, len(self.calibration_[0]))
        weights, biases = self.calibration_[:-1], self.calibration_[-1]
        scores = found @ weights + biases
        if len(self.classes_) > 2:
            return softmax(scores, axis=1)  # type: ignore[no-any-return]
        return np.hstack([expit(-scores), expit(scores)])

    def score(self, graphs: Any, y: Any = None, sample_weight: Any = None) -> float:
        """The accuracy; a Dataset brings its own classes."""
        chosen = as_selection(graphs)
        hits = self.predict(graphs) == class_names(chosen, y)
        return float(np.average(hits, weights=sample_weight))
