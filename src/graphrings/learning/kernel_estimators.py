"""Machines on a graph kernel, as scikit-learn estimators."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Ridge
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict
from sklearn.svm import LinearSVC, LinearSVR
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from graphrings.errors import DatasetError
from graphrings.graphs.selection import Selection
from graphrings.learning.calibration import Calibration, platt
from graphrings.learning.estimator import GraphClassifier, GraphRegressor
from graphrings.learning.kernel_machine import Aim, KernelEstimator
from graphrings.learning.machine_costs import begin_machine, begin_ridge
from graphrings.learning.support_regression import Regression
from graphrings.learning.support_vectors import (
    by_class,
    by_votes,
    held_out_decisions,
    pair_weights,
    separate,
)
from graphrings.learning.training_settings import CALIBRATE
from graphrings.settings import one_of, positive, switch

HELD_OUT_FOLDS = 5
MOST_STEPS = 10_000  # of a linear machine


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
        return decisions if self._is_linear else by_votes(decisions, len(self.classes_))

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
        if self._is_linear:
            n_rows = 1 if k == 2 else k
            return len(self.coef_) == len(self.intercept_) == n_rows and self._fits_landmarks()
        return bool(
            self.dual_coef_.shape == (k - 1, len(self.columns_))
            and self.n_support_.shape == (k,)
            and self.n_support_.sum() == len(self.columns_)
            and len(self.intercept_) == k * (k - 1) // 2
        )

    def _fit_gram(self, selection: Selection, gram: NDArray[np.float64], aim: Aim) -> None:
        bounds, counted = np.full(len(gram), self.C), np.arange(len(gram))

        def n_steps(part: NDArray[np.int64], most: int) -> int:
            return separate(gram, by_class(aim.goals, part), bounds, most).n_steps

        n_folds = HELD_OUT_FOLDS if self._holds_out(aim) else 0
        begin_machine(self.method_name, self.C, gram, aim.goals, n_steps, n_folds)
        if aim.weights is None:
            weighed = bounds
        else:
            weighed, counted = bounds * aim.weights, np.flatnonzero(aim.weights)
        machine = separate(gram, self._by_class(aim.goals, counted), weighed)
        self._calibrate_by_folds(
            aim, lambda folds: held_out_decisions(gram, aim.goals, bounds, folds)
        )
        self.dual_coef_, self.n_support_ = machine.dual_coef, machine.n_support
        self.intercept_ = machine.intercept
        self._keep(selection, machine.support)
        self._calibrate_by_validation(aim)

    def _fit_rows(self, rows: Any, aim: Aim) -> None:
        machine = LinearSVC(C=self.C, max_iter=MOST_STEPS, random_state=self.random_state)
        machine.fit(rows, aim.goals, aim.weights)
        self._calibrate_by_folds(
            aim,
            lambda folds: cross_val_predict(
                machine, rows, aim.goals, cv=folds, method="decision_function"
            ),
        )
        self.coef_ = self._kept(machine.coef_)
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

    def _holds_out(self, aim: Aim) -> bool:
        """Whether probabilities are learned from folds of the training graphs."""
        return bool(self.probability or (self.calibrate and aim.validation is None))

    def _by_class(
        self, goals: NDArray[np.int64], counted: NDArray[np.int64]
    ) -> list[NDArray[np.int64]]:
        """The graphs of every class that count for something."""
        classes = by_class(goals, counted)
        for name, graphs in zip(self.classes_, classes, strict=True):
            if len(graphs) == 0:
                raise DatasetError(
                    f"sample_weight is 0 for all graphs of class {name}; expected one of each "
                    "class that counts"
                )
        return classes

    def _calibrate_by_folds(self, aim: Aim, decide: Callable[[Any], NDArray[np.float64]]) -> None:
        """Learn probabilities from decisions about graphs that a machine has not seen."""
        self.calibration_ = None
        if not self._holds_out(aim):
            return
        n_folds = min(HELD_OUT_FOLDS, int(np.bincount(aim.goals).min()))
        if n_folds < 2:
            if not self.probability:
                return
            raise DatasetError("a class of one graph; probabilities need at least two of each")
        folds = StratifiedKFold(n_folds, shuffle=True, random_state=self.random_state)
        decisions = decide(list(folds.split(aim.goals, aim.goals)))
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
        if self._is_linear:
            together = len(self.coef_) == 1 and self._fits_landmarks()
        else:
            together = self.dual_coef_.shape == (1, len(self.columns_))
        return together and len(self.intercept_) == 1

    def _fit_gram(self, selection: Selection, gram: NDArray[np.float64], aim: Aim) -> None:
        machines = {
            "svr": Regression(self.C, self.epsilon),
            "ridge": KernelRidge(alpha=1 / (2 * self.C), kernel="precomputed"),
        }

        def n_steps(part: NDArray[np.int64], most: int) -> int:
            tried = Regression(self.C, self.epsilon, most)
            return tried.fit(gram[np.ix_(part, part)], aim.values[part]).n_iter_

        n_folds = HELD_OUT_FOLDS if self.machine == "auto" and aim.validation is None else 0
        if self.machine != "ridge":
            begin_machine(self.method_name, self.C, gram, aim.values, n_steps, n_folds)
        if self.machine != "svr":
            begin_ridge(self.method_name, len(gram), n_folds)

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
            self.coef_ = self._kept(machine.coef_)
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
