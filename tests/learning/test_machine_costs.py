"""The training of a machine is guessed before it begins, from a try on a part of the graphs."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.svm import SVC

import graphrings as gr
from graphrings import limits
from graphrings.errors import TimeNote
from graphrings.learning import machine_costs
from graphrings.learning.machine_costs import UPDATES, begin_machine, begin_ridge, spread
from graphrings.learning.support_vectors import by_class, separate
from graphrings.limits import STEPS_A_SECOND, Work


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever takes any time at all is announced."""
    for module in (limits, machine_costs):
        monkeypatch.setattr(module, "SLOW", 0.0)


def table(n_graphs: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """A kernel of points in a plane, and classes that they tell badly."""
    rng = np.random.default_rng(0)
    points = rng.normal(size=(n_graphs, 2))
    gaps = np.square(points[:, None] - points[None]).sum(axis=2)
    return np.exp(-gaps), (points[:, 0] + rng.normal(size=n_graphs) > 0).astype(np.int64)


def guess(monkeypatch: pytest.MonkeyPatch, n_graphs: int, c: float, n_folds: int) -> float:
    """The steps that a machine is said to take."""
    said: list[Work] = []
    monkeypatch.setattr(machine_costs, "begin", said.append)
    announce(n_graphs, c, n_folds)
    return said[-1].n_steps


def announce(n_graphs: int, c: float, n_folds: int) -> None:
    gram, goals = table(n_graphs)

    def n_steps(part: NDArray[np.int64], most: int) -> int:
        return separate(gram, by_class(goals, part), np.full(n_graphs, c), most).n_steps

    begin_machine("wl", c, gram, goals, n_steps, n_folds)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("c", [0.1, 10.0, 300.0])
def test_the_guess_is_near_what_libsvm_does(c: float, monkeypatch: pytest.MonkeyPatch) -> None:
    gram, goals = table(900)
    steps = guess(monkeypatch, 900, c, 0)
    taken = len(gram) * float(SVC(kernel="precomputed", C=c).fit(gram, goals).n_iter_.sum())
    assert taken / 4 < steps < 4 * taken


@pytest.mark.usefixtures("impatient")
def test_held_out_folds_are_machines_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five with four fifths of the graphs, whose table has 16 of 25 parts of the entries."""
    once = guess(monkeypatch, 50, 1.0, 0)
    assert guess(monkeypatch, 50, 1.0, 5) == pytest.approx((1 + 5 * 0.64) * once)


def test_what_is_certainly_quick_is_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[NDArray[np.int64]] = []
    monkeypatch.setattr(machine_costs, "spread", tried.append)
    announce(300, 1.0, 5)
    assert not tried


def test_a_wait_is_announced_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(STEPS_A_SECOND, UPDATES, 10.0)
    told = r"^training wl with C = 5 on 188 graphs may take about .*; take linear = True, a smaller"
    with pytest.warns(TimeNote, match=told):
        gr.KernelClassifier("wl", C=5.0).fit(gr.load("MUTAG"))


def test_ridge_regression_takes_the_cube_of_its_graphs() -> None:
    begin_ridge("wl", 10_000, 0)
    told = r"^ridge regression with wl on 20,000 graphs may take about 4 min; take linear = True"
    with pytest.warns(TimeNote, match=told):
        begin_ridge("wl", 20_000, 0)
    with pytest.warns(TimeNote, match="may take about 2 min"):
        begin_ridge("wl", 10_000, 5)


def test_a_part_of_the_graphs_has_both_ends_of_the_targets() -> None:
    goals = np.array([0] * 5_000 + [1] * 5_000 + [2])
    part = spread(goals)
    assert len(part) == machine_costs.N_TRIED
    assert np.bincount(goals[part]).tolist() == [150, 149, 1]
