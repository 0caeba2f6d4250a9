"""A support vector machine on a graph kernel, as a scikit-learn estimator."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, softmax
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.svm import SVC, LinearSVC
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from graphrings.adapters.anything import as_selection
from graphrings.errors import DatasetError, SettingError
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.selection import Selection
from graphrings.kernels.kernel import Kernel
from graphrings.kernels.names import KERNELS, build, settings_of
from graphrings.learning.open_settings import OpenSettings
from graphrings.learning.support_vectors import by_votes, pair_weights
from graphrings.settings import Checks

CALIBRATION_FOLDS = 5
MOST_STEPS = 10_000
OWN = ("normalize", "random_state")  # settings of kernels that this estimator has too
CHECKS: Checks = {
    "kernel": (f"one of {', '.join(KERNELS)}", lambda v: v in KERNELS),
    "C": ("a number above 0", lambda v: 0 < v < math.inf),
    "normalize": ("True or False", lambda v: isinstance(v, bool)),
    "linear": ("True or False", lambda v: isinstance(v, bool)),
    "probability": ("True or False", lambda v: isinstance(v, bool)),
}


class KernelClassifier(OpenSettings):
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

    checks = CHECKS
    part = "kernel"

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
        self._settings = settings

    def fit(self, graphs: Any, y: Any = None, *, validation: Any = None) -> Self:
        """Learn from graphs and their classes; a Dataset brings its own.

        ``validation`` is accepted, as all estimators here do, and not needed.
        """
        del validation
        _, targets = self._learn_classes(graphs, y)
        self.check_part()
        with threadpool_limits(1):
            (self._fit_linear if self.linear else self._fit_dual)(graphs, targets)
        return self

    def decision_function(self, graphs: Any) -> NDArray[np.float64]:
        """A score for every class, or for two classes how much the second is ahead."""
        check_is_fitted(self, "intercept_")
        with threadpool_limits(1):
            if self.linear:
                found = self._fitted_kernel().features(graphs) @ self.coef_.T
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

    @available_if(lambda self: self.probability)  # type: ignore[untyped-decorator]
    def predict_proba(self, graphs: Any) -> NDArray[np.float64]:
        """The probability of every class, which may disagree with a close decision."""
        weights, biases = self.calibration_[:-1], self.calibration_[-1]
        scores = self.decision_function(graphs).reshape(-1, len(weights)) @ weights + biases
        if len(self.classes_) > 2:
            return softmax(scores, axis=1)  # type: ignore[no-any-return]
        return np.hstack([expit(-scores), expit(scores)])

    def save(self, path: str | Path) -> None:
        """Write the model, with the graphs that it compares with, to a safetensors file."""
        from graphrings.learning.kernel_files import save

        check_is_fitted(self, "intercept_")
        save(path, self)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a model that ``save`` has written."""
        from graphrings.learning.persistence import load

        found: Self = load(path, cls)
        return found

    @classmethod
    def from_file(cls, path: str | Path, header: dict[str, Any], tensors: dict[str, Any]) -> Self:
        """A model from what its file holds."""
        from graphrings.learning.kernel_files import kernel_from_file

        found: Self = kernel_from_file(path, cls, header, tensors)
        return found

    def _fit_dual(self, graphs: Any, targets: NDArray[np.int64]) -> None:
        """Learn from the Gram matrix; only the graphs that carry the decision are kept."""
        chosen = as_selection(graphs)
        if chosen is graphs:
            gram = self._shared_gram(chosen)[np.ix_(chosen.graphs, chosen.graphs)]
        else:
            gram = self._build_kernel().fit_transform(chosen.dataset)
        machine = SVC(kernel="precomputed", C=self.C).fit(gram, targets)
        self._calibrate(machine, gram, targets)
        self.dual_coef_ = np.ascontiguousarray(machine.dual_coef_)
        self.n_support_ = machine.n_support_
        # With more than two classes libsvm's decisions are for the first class of a pair.
        self.intercept_ = machine.intercept_ if len(self.classes_) == 2 else -machine.intercept_
        self._keep(chosen, chosen.graphs[machine.support_])

    def _fit_linear(self, graphs: Any, targets: NDArray[np.int64]) -> None:
        """Learn from explicit features, whose columns all training graphs define."""
        self.graphs_ = without_classes(as_selection(graphs).cut_out())
        rows = self._fitted_kernel().features()
        machine = LinearSVC(C=self.C, max_iter=MOST_STEPS, random_state=self.random_state)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # the steps are part of the method
            machine.fit(rows, targets)
            self._calibrate(machine, rows, targets)
        self.coef_ = np.ascontiguousarray(machine.coef_)
        self.intercept_ = machine.intercept_

    def _keep(self, chosen: Selection, numbers: NDArray[np.int64]) -> None:
        """Remember the graphs to compare with, and all others that the kernel has learned from."""
        self._home = chosen.dataset, numbers
        self.graphs_, self.columns_ = chosen.dataset, numbers
        if not self._build_kernel().learns:
            self.graphs_, self.columns_ = chosen.dataset[numbers], np.arange(len(numbers))
        self.graphs_ = without_classes(self.graphs_)

    def _gram(self, graphs: Any) -> NDArray[np.float64]:
        """The kernel with the support graphs; of one dataset it is cut out of what is shared."""
        if isinstance(graphs, Selection) and self._home and graphs.dataset is self._home[0]:
            return self._shared_gram(graphs)[np.ix_(graphs.graphs, self._home[1])]
        return self._fitted_kernel().transform(graphs)[:, self.columns_]  # type: ignore[no-any-return]

    def _fitted_kernel(self) -> Any:
        return self._build_kernel().fit(self.graphs_)

    def _shared_gram(self, graphs: Selection) -> NDArray[np.float64]:
        """The Gram matrix of the whole dataset, made once for all selections of it."""
        settings = sorted(self._kernel_settings().items())
        arrays = graphs.cache.get(
            f"gram of {self.kernel}, {settings}",
            lambda: {"gram": self._build_kernel().fit_transform(graphs.dataset)},
        )
        return arrays["gram"]

    def _calibrate(self, machine: Any, rows: Any, targets: NDArray[np.int64]) -> None:
        """Learn probabilities from decisions about graphs that a machine has not seen."""
        if not self.probability:
            return
        n_folds = min(CALIBRATION_FOLDS, int(np.bincount(targets).min()))
        if n_folds < 2:
            raise DatasetError("a class of one graph; probabilities need at least two of each")
        folds = StratifiedKFold(n_folds, shuffle=True, random_state=self.random_state)
        found = cross_val_predict(
            machine, rows, targets, cv=folds, method="decision_function"
        ).reshape(len(targets), -1)
        model = LogisticRegression().fit(found, targets)
        self.calibration_ = np.vstack([model.coef_.T, model.intercept_])

    def _defaults(self) -> dict[str, Any]:
        """The settings of the kernel that are its own."""
        known = isinstance(self.kernel, str) and self.kernel in KERNELS
        found = settings_of(self.kernel) if known else {}
        return {name: value for name, value in found.items() if name not in OWN}

    def _kernel_settings(self) -> dict[str, Any]:
        """All settings to build the kernel with."""
        found = {**self._defaults(), **self._settings, "normalize": self.normalize}
        drawn = (
            {"random_state": self.kernel_seed} if "random_state" in settings_of(self.kernel) else {}
        )
        return {**found, **drawn}

    def _build_kernel(self) -> Kernel:
        return build(self.kernel, **self._kernel_settings())

    def check_part(self) -> None:
        """Refuse settings that the kernel does not have, or that do not go together."""
        kernel = self._build_kernel()
        kernel._check_settings()
        if self.linear and not hasattr(kernel, "features"):
            raise SettingError(f"linear = True; {self.kernel} has no explicit features")

    def __getstate__(self) -> Mapping[str, Any]:
        """A copy elsewhere does not know where its graphs came from."""
        state: dict[str, Any] = super().__getstate__()
        return {**state, "_home": None}


def without_classes(dataset: Dataset) -> Dataset:
    """The same graphs; what they were is nobody's business any more."""
    return replace(dataset, targets=None, class_names=(), folds=())
