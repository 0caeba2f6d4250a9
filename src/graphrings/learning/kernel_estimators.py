"""Machines on a graph kernel, as scikit-learn estimators."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Ridge
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict
from sklearn.svm import SVC, SVR, LinearSVC, LinearSVR
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from graphrings.errors import DatasetError, SettingError
from graphrings.graphs.adapters.anything import as_selection, is_empty
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.selection import Selection
from graphrings.kernels.kernel import Kernel
from graphrings.kernels.names import KERNELS, build, kernel_settings
from graphrings.learning.calibration import Calibration, platt
from graphrings.learning.estimator import GraphClassifier, GraphEstimator, GraphRegressor
from graphrings.learning.fold_grams import FoldKernel
from graphrings.learning.kernel_files import kernel_from_file, kernel_to_file
from graphrings.learning.sample_weights import checked_weights
from graphrings.learning.support_vectors import by_votes, pair_weights
from graphrings.learning.training_settings import CALIBRATE, RANDOM_STATE
from graphrings.settings import Setting, Settings, one_of, positive, switch, whole
from graphrings.threads import one_thread

HELD_OUT_FOLDS = 5
MOST_STEPS = 10_000
SEED = "random_state"  # of kernels that draw; here it is called kernel_seed
MACHINE: Settings = {
    "kernel": one_of("the graph kernel, by name", KERNELS, default="wl"),
    "C": positive("the inverse of the penalty", default=1.0),
    "normalize": switch("divide by the norms, so that k(G, G) = 1", default=True),
    "linear": switch(
        "learn from explicit features, without a Gram matrix: for many graphs", default=False
    ),
    "kernel_seed": whole(
        "of kernels that draw; one for all fits, so that they share a Gram matrix",
        least=0,
        default=0,
    ),
    "random_state": RANDOM_STATE,
}


class Aim(NamedTuple):
    """What a machine is to learn, what every graph counts for, and graphs to choose by."""

    goals: NDArray[Any]
    weights: NDArray[np.float64] | None
    validation: Any

    @property
    def values(self) -> NDArray[np.float64]:
        """The goals of a regression as one column."""
        return self.goals[:, 0].astype(np.float64)


class KernelEstimator(GraphEstimator):
    """What all machines on kernels share: the Gram matrix, or explicit features, and a file.

    ``learned`` names the arrays that make up a fit, beside the graphs to compare with.
    """

    part = "kernel"
    fitted = "intercept_"
    own_settings: ClassVar[Settings] = {}
    learned: ClassVar[tuple[str, ...]] = ("columns_", "dual_coef_", "coef_", "intercept_")
    kernel: str
    graphs_: Dataset
    intercept_: NDArray[np.float64]
    _fold: FoldKernel | None = None  # where the fit was one of a selection

    def __init__(self, kernel: str = "wl", **settings: Any) -> None:
        self.kernel = kernel
        super().__init__(**settings)

    def described_settings(self) -> dict[str, Setting]:
        """Those of the machine, then those of the kernel that are its own."""
        machine = {**MACHINE, **self.own_settings}
        of_kernel = settings_of_kernel(str(self.kernel))
        return {**machine, **{k: s for k, s in of_kernel.items() if k not in machine}}

    @property
    def sees(self) -> tuple[str, ...]:
        """What its kernel sees."""
        return self._build_kernel().sees

    def check(self) -> None:
        """Refuse values that make no sense, to the machine or to the kernel."""
        super().check()
        kernel = self._build_kernel()
        kernel._check_settings()
        if self.linear and not hasattr(kernel, "features"):
            raise SettingError(f"linear = True; {self.kernel} has no explicit features")

    def fit(
        self, graphs: Any, y: Any = None, sample_weight: Any = None, *, validation: Any = None
    ) -> Self:
        """Learn from graphs and their targets; a Dataset brings its own.

        ``validation`` is accepted, as all estimators here do; a classifier does not need it.
        """
        selection, targets = self._begin(graphs, y)
        self._fold = None
        weights = checked_weights(sample_weight, len(selection))
        aim = Aim(self.coding_.encode(targets), weights, validation)
        with one_thread():
            if self.linear:
                self.graphs_ = without_targets(selection.cut_out())
                rows = self._fitted_kernel().features()
                with warnings.catch_warnings():
                    # How many steps it takes is part of the method.
                    warnings.simplefilter("ignore", ConvergenceWarning)
                    self._fit_rows(rows, aim)
            else:
                self._fit_gram(selection, self._training_gram(graphs), aim)
        return self

    def decisions(self, graphs: Any) -> NDArray[np.float64]:
        """What the machine computes for every graph, a column per decision."""
        check_is_fitted(self, "intercept_")
        if is_empty(graphs):
            return np.empty((0, len(self.intercept_)))
        with one_thread():
            if self.linear:
                values = self._fitted_kernel().features(graphs) @ self.coef_.T
            else:
                values = self._gram(graphs) @ self._weights().T
        sums: NDArray[np.float64] = values + self.intercept_
        return sums

    def to_file(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """What its file holds: the graphs that it compares with, and what each counts for."""
        return kernel_to_file(self)

    @classmethod
    def from_file(cls, path: str | Path, header: dict[str, Any], tensors: dict[str, Any]) -> Self:
        """A model from what its file holds."""
        model: Self = kernel_from_file(path, cls, header, tensors)
        return model

    @abstractmethod
    def fits_together(self) -> bool:
        """Whether the learned arrays have the shapes that its graphs and targets ask for."""

    @abstractmethod
    def _fit_gram(self, selection: Selection, gram: NDArray[np.float64], aim: Aim) -> None:
        """Learn from the Gram matrix; only the graphs that carry the decision are kept."""

    @abstractmethod
    def _fit_rows(self, rows: Any, aim: Aim) -> None:
        """Learn from explicit features, whose columns all training graphs define."""

    @abstractmethod
    def _weights(self) -> NDArray[np.float64]:
        """What every kept graph counts for, a row per decision."""

    def _validation(self, validation: Any) -> tuple[Any, NDArray[Any]]:
        """The validation graphs and their targets."""
        graphs, y = validation if isinstance(validation, tuple) else (validation, None)
        return graphs, self._targets(as_selection(graphs), y)

    def _training_gram(self, graphs: Any) -> NDArray[np.float64]:
        if isinstance(graphs, Selection):
            self._fold = FoldKernel(self.kernel, self._build_kernel(), graphs)
            return self._fold.gram(graphs)
        return self._build_kernel().fit_transform(as_selection(graphs).dataset)

    def _keep(self, selection: Selection, support: NDArray[np.int64]) -> None:
        """Remember the graphs to compare with, and all others that the kernel has learned from."""
        self._support = support = support.astype(np.int64)
        if self._build_kernel().learns:
            kept, self.columns_ = selection.cut_out(), support
        else:
            kept = selection.dataset[selection.graphs[support]]
            self.columns_ = np.arange(len(support))
        self.graphs_ = without_targets(kept)

    def _gram(self, graphs: Any) -> NDArray[np.float64]:
        """The kernel with the kept graphs; of one dataset it is cut out of what is shared."""
        fold = self._fold
        if isinstance(graphs, Selection) and fold and graphs.dataset is fold.training.dataset:
            return fold.gram(graphs)[:, self._support]
        return self._fitted_kernel().transform(graphs)[:, self.columns_]  # type: ignore[no-any-return]

    def _fitted_kernel(self) -> Any:
        return self._build_kernel().fit(self.graphs_)

    def _kernel_values(self) -> dict[str, Any]:
        """All settings to build the kernel with."""
        names = settings_of_kernel(self.kernel)
        return {name: self.kernel_seed if name == SEED else getattr(self, name) for name in names}

    def _build_kernel(self) -> Kernel:
        return build(self.kernel, **self._kernel_values())

    def __getstate__(self) -> Mapping[str, Any]:
        """A copy elsewhere does not know where its graphs came from."""
        return {**super().__getstate__(), "_fold": None}


class KernelClassifier(GraphClassifier, KernelEstimator):
    """A support vector machine on a graph kernel.

    Args:
        kernel: a name from ``graphrings methods``, such as ``wl``.
        **settings: those of the machine (``C``, ``normalize``, ``linear``, ``probability``, ...)
            and of the kernel; ``described_settings`` lists them, as ``graphrings methods wl`` does.

    """

    own_settings = {  # noqa: RUF012
        "probability": switch(
            "learn predict_proba too, from decisions on held-out folds", default=False
        ),
        "calibrate": CALIBRATE,
    }
    learned = (*KernelEstimator.learned, "n_support_")

    def decision_function(self, graphs: Any) -> NDArray[np.float64]:
        """A number for every class, or for two classes how much the second is ahead."""
        decisions = self.decisions(graphs)
        if len(self.classes_) == 2:
            return decisions[:, 0]
        return decisions if self.linear else by_votes(decisions, len(self.classes_))

    def predict(self, graphs: Any) -> NDArray[Any]:
        """The class that the decision is for."""
        return self._chosen(self.decision_function(graphs))

    @available_if(lambda self: self._has_probabilities())  # type: ignore[untyped-decorator]
    def predict_proba(self, graphs: Any) -> NDArray[np.float64]:
        """The probability of every class, which may disagree with a close decision."""
        decisions = self.decision_function(graphs)
        return self._calibrated().probabilities(decisions)

    def predict_with_proba(self, graphs: Any) -> tuple[NDArray[Any], NDArray[np.float64] | None]:
        """The classes and the probability of each, from the same decisions."""
        decisions = self.decision_function(graphs)
        if not self._has_probabilities():
            return self._chosen(decisions), None
        return self._chosen(decisions), self._calibrated().probabilities(decisions)

    def fits_together(self) -> bool:
        """Whether there is a coefficient for every class or pair of classes."""
        k = len(self.classes_)
        if self.linear:
            return len(self.coef_) == len(self.intercept_) == (1 if k == 2 else k)
        return bool(
            self.dual_coef_.shape == (k - 1, len(self.columns_))
            and self.n_support_.shape == (k,)
            and self.n_support_.sum() == len(self.columns_)
            and len(self.intercept_) == k * (k - 1) // 2
        )

    def _fit_gram(self, selection: Selection, gram: NDArray[np.float64], aim: Aim) -> None:
        machine = SVC(kernel="precomputed", C=self.C).fit(gram, aim.goals, aim.weights)
        self._calibrate_by_folds(machine, gram, aim)
        self.dual_coef_ = np.ascontiguousarray(machine.dual_coef_)
        self.n_support_ = machine.n_support_
        # With more than two classes libsvm's decisions are for the first class of a pair.
        self.intercept_ = machine.intercept_ if len(self.classes_) == 2 else -machine.intercept_
        self._keep(selection, machine.support_)
        self._calibrate_by_validation(aim)

    def _fit_rows(self, rows: Any, aim: Aim) -> None:
        machine = LinearSVC(C=self.C, max_iter=MOST_STEPS, random_state=self.random_state)
        machine.fit(rows, aim.goals, aim.weights)
        self._calibrate_by_folds(machine, rows, aim)
        self.coef_ = np.ascontiguousarray(machine.coef_)
        self.intercept_ = machine.intercept_
        self._calibrate_by_validation(aim)

    def _weights(self) -> NDArray[np.float64]:
        return pair_weights(self.dual_coef_, self.n_support_)

    def _chosen(self, decisions: NDArray[np.float64]) -> NDArray[Any]:
        numbers = decisions > 0 if decisions.ndim == 1 else decisions.argmax(axis=1)
        return self.classes_[numbers.astype(np.int64)]

    def _has_probabilities(self) -> bool:
        """Whether a fit has learned them, or one that is yet to come may do so."""
        wanted = self.probability or self.calibrate
        return bool(wanted and not (hasattr(self, self.fitted) and self.calibration_ is None))

    def _calibrated(self) -> Calibration:
        check_is_fitted(self, self.fitted)
        assert self.calibration_ is not None
        return self.calibration_

    def _calibrate_by_folds(self, machine: Any, rows: Any, aim: Aim) -> None:
        """Learn probabilities from decisions about graphs that a machine has not seen."""
        self.calibration_ = None
        if not self.probability and not (self.calibrate and aim.validation is None):
            return
        n_folds = min(HELD_OUT_FOLDS, int(np.bincount(aim.goals).min()))
        if n_folds < 2:
            if not self.probability:
                return
            raise DatasetError("a class of one graph; probabilities need at least two of each")
        folds = StratifiedKFold(n_folds, shuffle=True, random_state=self.random_state)
        decisions = cross_val_predict(
            machine, rows, aim.goals, cv=folds, method="decision_function"
        )
        self.calibration_ = platt(decisions, aim.goals, f"{n_folds} held-out folds")

    def _calibrate_by_validation(self, aim: Aim) -> None:
        """Learn them from the validation graphs, where there are some."""
        if not self.calibrate or aim.validation is None:
            return
        graphs, targets = self._validation(aim.validation)
        decisions, goals = self.decision_function(graphs), self.coding_.encode(targets)
        self.calibration_ = platt(decisions, goals, "validation graphs")


class KernelRegressor(GraphRegressor, KernelEstimator):
    """Support vector or ridge regression on a graph kernel.

    Args:
        kernel: a name from ``graphrings methods``, such as ``wl``.
        **settings: those of the machine (``C``, ``machine``, ``epsilon``, ``linear``, ...) and of
            the kernel; ``described_settings`` lists them, as ``graphrings methods wl --task
            regression`` does.

    """

    own_settings = {  # noqa: RUF012
        "machine": one_of(
            "support vector or ridge regression; auto takes what is better on the validation "
            "graphs, or on held-out folds where there are none",
            ("auto", "svr", "ridge"),
            default="auto",
        ),
        "epsilon": positive(
            "the error that support vector regression does not mind, in deviations of the targets",
            default=0.1,
        ),
    }

    def predict(self, graphs: Any) -> NDArray[np.float64]:
        """The value of every graph."""
        decisions = self.decisions(graphs)
        return self.coding_.decode(decisions)

    def fits_together(self) -> bool:
        """Whether there is one coefficient for every kept graph or feature."""
        if len(self.intercept_) != 1:
            return False
        return (
            len(self.coef_) == 1
            if self.linear
            else self.dual_coef_.shape
            == (
                1,
                len(self.columns_),
            )
        )

    def _fit_gram(self, selection: Selection, gram: NDArray[np.float64], aim: Aim) -> None:
        machines = {
            "svr": SVR(kernel="precomputed", C=self.C, epsilon=self.epsilon),
            "ridge": KernelRidge(alpha=1 / (2 * self.C), kernel="precomputed"),
        }

        def fit(name: str) -> None:
            machine = machines[name].fit(gram, aim.values, aim.weights)
            support = getattr(machine, "support_", np.arange(len(gram)))
            self.dual_coef_ = np.ascontiguousarray(machine.dual_coef_).reshape(1, -1)
            if len(support) == 0:  # no error is too large: the intercept is all there is
                support, self.dual_coef_ = np.arange(1), np.zeros((1, 1))
            self.intercept_ = np.reshape(getattr(machine, "intercept_", 0.0), 1).astype(np.float64)
            self._keep(selection, support)

        self._fit_better(machines, fit, gram, aim)

    def _fit_rows(self, rows: Any, aim: Aim) -> None:
        machines = {
            "svr": LinearSVR(
                C=self.C,
                epsilon=self.epsilon,
                max_iter=MOST_STEPS,
                random_state=self.random_state,
            ),
            "ridge": Ridge(alpha=1 / (2 * self.C), random_state=self.random_state),
        }

        def fit(name: str) -> None:
            machine = machines[name].fit(rows, aim.values, aim.weights)
            self.coef_ = np.ascontiguousarray(machine.coef_).reshape(1, -1)
            self.intercept_ = np.reshape(machine.intercept_, 1).astype(np.float64)

        self._fit_better(machines, fit, rows, aim)

    def _fit_better(
        self, machines: Mapping[str, Any], fit: Callable[[str], None], rows: Any, aim: Aim
    ) -> None:
        """Fit the machine that was asked for, or the one with the smaller squared error."""
        if self.machine != "auto":
            fit(self.machine)
            self.machine_ = self.machine
            return
        errors = {}
        for name, machine in machines.items():
            if aim.validation is not None:
                fit(name)
                errors[name] = self._error(aim.validation)
            else:
                n_folds = min(HELD_OUT_FOLDS, len(aim.values))
                folds = KFold(n_folds, shuffle=True, random_state=self.random_state)
                values = cross_val_predict(machine, rows, aim.values, cv=folds)
                errors[name] = float(np.square(values - aim.values).mean())
        self.machine_ = min(errors, key=errors.__getitem__)
        fit(self.machine_)

    def _error(self, validation: Any) -> float:
        graphs, targets = self._validation(validation)
        return float(np.square(self.predict(graphs) - targets).mean())

    def _weights(self) -> NDArray[np.float64]:
        return self.dual_coef_


@cache
def settings_of_kernel(kernel: str) -> dict[str, Setting]:
    """Those of a kernel, if there is one of that name."""
    return kernel_settings(kernel) if kernel in KERNELS else {}


def without_targets(dataset: Dataset) -> Dataset:
    """The same graphs; what they were is nobody's business any more."""
    return replace(dataset, targets=None, class_names=(), folds=())
