"""Support vector machines: libsvm's solutions to the last bit, whatever the Gram matrix is like."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.svm import SVC, SVR

import graphrings as gr
from graphrings.errors import DatasetError
from graphrings.kernels.names import build
from graphrings.learning import support_machine
from graphrings.learning.support_machine import Spare, balance
from graphrings.learning.support_regression import Regression
from graphrings.learning.support_vectors import (
    by_class,
    held_out_decisions,
    separate,
)

Reals = NDArray[np.float64]
Numbers = NDArray[np.int64]

penalties = st.sampled_from([1e-3, 0.1, 1.0, 30.0, 1e3])
tolerances = st.sampled_from([0.0, 0.1, 2.0])


@st.composite
def tables(draw: st.DrawFn, most_classes: int = 4) -> tuple[Reals, Numbers]:
    """A Gram matrix, of whole numbers with many ties or of any, of few dimensions or many."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_classes = draw(st.integers(2, most_classes))
    n_graphs, n_features = draw(st.integers(2 * n_classes, 60)), draw(st.integers(1, 20))
    if draw(st.booleans()):
        rows = rng.integers(0, 3, (n_graphs, n_features)).astype(np.float64)
    else:
        rows = rng.normal(size=(n_graphs, n_features))
    gram = (rows[:, None] * rows[None]).sum(axis=2)
    goals = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, n_graphs)])
    return gram, rng.permutation(goals[:n_graphs])


def libsvm(c: float) -> SVC:
    return SVC(kernel="precomputed", C=c)


def check(gram: Reals, goals: Numbers, c: float, weights: Reals | None = None) -> None:
    """What is learned is what libsvm learns, bit by bit, in as many steps.

    Graphs of weight 0 are not shown to libsvm: its wrapper would number the others as if those were
    not there.
    """
    weights = np.ones(len(gram)) if weights is None else weights
    counted = np.flatnonzero(weights)
    theirs = libsvm(c).fit(gram[np.ix_(counted, counted)], goals[counted], weights[counted])
    ours = separate(gram, by_class(goals, counted), c * weights)
    assert ours.support.tolist() == counted[theirs.support_].tolist()
    assert ours.n_support.tolist() == theirs.n_support_.tolist()
    assert np.array_equal(ours.dual_coef, theirs.dual_coef_)
    sign = 1 if len(theirs.classes_) == 2 else -1
    assert np.array_equal(ours.intercept, sign * theirs.intercept_)
    assert ours.n_steps == theirs.n_iter_.sum()


@given(table=tables(), c=penalties)
def test_any_table_is_separated_as_by_libsvm(table: tuple[Reals, Numbers], c: float) -> None:
    check(*table, c)


def test_two_that_come_to_their_bounds_at_once() -> None:
    """They do so up to rounding, and what that leaves is 0 here, not 3e-17."""
    rows = np.array([[2, 0], [0, 0], [1, 2], [1, 0], [1, 1], [2, 2], [2, 0], [2, 0]], np.float64)
    check(rows @ rows.T, np.array([2, 3, 1, 2, 0, 2, 1, 0]), 1.0)


@given(table=tables(), c=penalties, seed=st.integers(0, 99))
def test_weights_are_those_of_libsvm(table: tuple[Reals, Numbers], c: float, seed: int) -> None:
    gram, goals = table
    weights = np.random.default_rng(seed).choice([0.0, 0.25, 1.0, 2.0], len(goals))
    for number in range(goals.max() + 1):  # none of the classes is gone
        weights[np.flatnonzero(goals == number)[0]] = 1.0
    check(gram, goals, c, weights)


def plane(n_graphs: int) -> tuple[Reals, Numbers]:
    """Points in a plane that take some thousand steps to tell apart."""
    rng = np.random.default_rng(5)
    points = rng.normal(size=(n_graphs, 2))
    gaps = np.square(points[:, None] - points[None]).sum(axis=2)
    return np.exp(-gaps), (points[:, 0] + rng.normal(size=n_graphs) > 0).astype(np.int64)


@pytest.mark.parametrize("c", [0.01, 1.0, 100.0])
def test_graphs_are_left_out_and_taken_back_as_in_libsvm(c: float) -> None:
    check(*plane(1_200), c)


@pytest.mark.parametrize("kernel", ["wl", "wl-oa", "graphlet", "ring-profile"])
def test_kernels_of_real_graphs(kernel: str) -> None:
    dataset = gr.load("MUTAG")
    gram = build(kernel).fit_transform(dataset)
    for c in (0.01, 1.0, 100.0):
        check(gram, np.asarray(dataset.targets), c)


def test_rows_that_are_not_held_are_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    gram, goals = plane(300)
    monkeypatch.setattr(support_machine, "MOST_HELD", 3 * 4 * 300)
    monkeypatch.setattr(support_machine, "SPARE", Spare())
    check(gram, goals, 10.0)
    assert len(support_machine.SPARE.rows(300)) == 3


def test_room_for_rows_stays() -> None:
    spare = Spare()
    large = spare.rows(50)
    assert spare.rows(20).shape == (20, 20)
    assert np.shares_memory(spare.rows(20), large)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_kernel_that_is_not_finite_is_refused(value: float) -> None:
    gram, goals = plane(30)
    gram[3, 4] = gram[4, 3] = value
    with pytest.raises(DatasetError, match="no finite number"):
        separate(gram, by_class(goals, np.arange(30)), np.ones(30))


def test_a_limit_to_its_steps_holds() -> None:
    gram, goals = plane(200)
    bounds = np.where(goals == 0, 10.0, -10.0)
    whole = balance(gram, np.arange(200), np.sign(bounds), bounds)
    assert balance(gram, np.arange(200), np.sign(bounds), bounds, 7).n_steps == 7
    assert whole.n_steps > 7
    assert whole.beta.sum() == pytest.approx(0, abs=1e-9)


@given(table=tables(most_classes=3), c=penalties)
def test_held_out_decisions_are_scikit_learns(table: tuple[Reals, Numbers], c: float) -> None:
    gram, goals = table
    if np.bincount(goals).min() < 2:
        return
    folds = list(StratifiedKFold(2, shuffle=True, random_state=0).split(goals, goals))
    theirs = cross_val_predict(libsvm(c), gram, goals, cv=folds, method="decision_function")
    ours = held_out_decisions(gram, goals, np.full(len(gram), c), folds)
    assert np.array_equal(ours, theirs)


def check_regression(gram: Reals, values: Reals, c: float, epsilon: float, weights: Reals) -> None:
    counted = np.flatnonzero(weights)
    theirs = SVR(kernel="precomputed", C=c, epsilon=epsilon)
    theirs.fit(gram[np.ix_(counted, counted)], values[counted], weights[counted])
    ours = Regression(c, epsilon).fit(gram, values, weights)
    assert ours.support_.tolist() == counted[theirs.support_].tolist()
    assert ours.dual_coef_.tolist() == theirs.dual_coef_.ravel().tolist()
    assert ours.intercept_ == theirs.intercept_
    assert ours.n_iter_ == theirs.n_iter_
    assert ours.predict(gram).tolist() == theirs.predict(gram[:, counted]).tolist()


@given(
    table=tables(), c=penalties, epsilon=st.sampled_from([0.0, 0.1, 2.0]), seed=st.integers(0, 99)
)
def test_any_values_are_fitted_as_by_libsvm(
    table: tuple[Reals, Numbers], c: float, epsilon: float, seed: int
) -> None:
    rng, (gram, goals) = np.random.default_rng(seed), table
    weights = rng.choice([0.0, 0.25, 1.0, 2.0], len(goals))
    weights[:2] = 1.0
    check_regression(gram, goals + rng.normal(size=len(goals)).round(1), c, epsilon, weights)


@pytest.mark.parametrize("c", [0.01, 1.0, 100.0])
def test_regressions_leave_graphs_out_as_in_libsvm(c: float) -> None:
    gram, goals = plane(700)
    check_regression(gram, goals.astype(np.float64), c, 0.1, np.ones(700))


def test_a_class_without_weight_is_refused() -> None:
    dataset = gr.load("MUTAG")
    weights = np.asarray(dataset.targets, dtype=np.float64)
    with pytest.raises(DatasetError, match="sample_weight is 0 for all graphs of class"):
        gr.KernelClassifier("wl").fit(dataset, sample_weight=weights)


def test_a_graph_without_weight_is_as_if_it_was_not_there() -> None:
    dataset = gr.load("MUTAG")
    weights = np.arange(len(dataset)) % 3 / 2
    some = np.flatnonzero(weights)
    weighed = gr.KernelClassifier("wl").fit(dataset, sample_weight=weights)
    without = gr.KernelClassifier("wl").fit(dataset[some], sample_weight=weights[some])
    assert weighed.decision_function(dataset).tolist() == pytest.approx(
        without.decision_function(dataset).tolist()
    )
