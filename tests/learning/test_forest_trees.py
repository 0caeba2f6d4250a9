"""Trees of a forest: scikit-learn's to the last bit, on any table of numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

import graphrings as gr
from graphrings.learning import forest_trees as module
from graphrings.learning import forests
from graphrings.learning.forest_trees import Growth, forest_trees, ranked_columns
from graphrings.learning.trees import Grown, _of_forest

KINDS = {True: ExtraTreesClassifier, False: RandomForestClassifier}
Table = NDArray[np.float32]
Numbers = NDArray[np.int64]


@st.composite
def tables(draw: st.DrawFn) -> tuple[Table, Numbers]:
    """Counts with many zeros, shares, negative numbers, constants, and values that nearly tie."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_rows, n_columns = draw(st.integers(4, 120)), draw(st.integers(1, 30))
    counts = rng.poisson(draw(st.sampled_from([0.2, 1.0, 40.0])), (n_rows, n_columns))
    table = counts.astype(np.float32)
    for column in range(n_columns):
        kind = rng.integers(0, 5)
        if kind == 1:
            table[:, column] = rng.normal(size=n_rows)
        elif kind == 2:
            table[:, column] = rng.integers(-2, 3)
        elif kind == 3:
            table[:, column] = 1 + table[:, column] * np.float32(4e-8)
        elif kind == 4:
            table[:, column] -= rng.poisson(1.0, n_rows)
    n_classes = draw(st.integers(2, 4))
    goals = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, n_rows)])[:n_rows]
    return table, rng.permutation(goals)


def check(table: Table, goals: Numbers, growth: Growth, seed: int, n_jobs: int = 1) -> None:
    """Every node of every tree is scikit-learn's, and so are the importances."""
    theirs = KINDS[growth.is_random](
        n_estimators=growth.n_trees,
        max_features=growth.max_features,
        min_samples_leaf=growth.min_leaf,
        random_state=seed,
    ).fit(table, goals)
    trees, importances = forest_trees(ranked_columns(table), goals, growth, seed, n_jobs)
    for one, other in zip(theirs.estimators_, trees, strict=True):
        assert_same(_of_forest(one.tree_), other)
    with np.errstate(invalid="ignore"):  # 0 / 0 where no split of any tree is worth anything
        expected = np.nan_to_num(theirs.feature_importances_)
    assert np.array_equal(importances, expected)


def assert_same(one: Grown, other: Grown) -> None:
    assert np.array_equal(one.is_leaf, other.is_leaf)
    inner = ~one.is_leaf
    for name in ("columns", "lefts", "rights"):
        assert np.array_equal(getattr(one, name)[inner], getattr(other, name)[inner]), name
    assert np.array_equal(one.thresholds, other.thresholds)
    assert np.array_equal(one.values, other.values)
    assert np.array_equal(one.passed, other.passed)


@given(
    drawn=tables(),
    is_random=st.booleans(),
    share=st.sampled_from(["sqrt", 0.3, 1.0]),
    min_leaf=st.sampled_from([1, 1, 3]),
    seed=st.integers(0, 2**31 - 1),
)
def test_any_forest_is_scikit_learns(
    drawn: tuple[Table, Numbers], is_random: bool, share: float | str, min_leaf: int, seed: int
) -> None:
    check(*drawn, Growth(3, share, min_leaf, is_random), seed)


@pytest.mark.parametrize("is_random", [True, False])
def test_many_rows_many_ranks(is_random: bool) -> None:
    rng = np.random.default_rng(0)
    table = np.round(rng.gamma(1.0, 3.0, (1_500, 40)), 2).astype(np.float32)
    goals = (table[:, 0] + table[:, 1] + rng.normal(size=1_500) > 6).astype(np.int64)
    check(table, goals, Growth(4, "sqrt", 1, is_random), 1)


@pytest.mark.parametrize("n_jobs", [3, -1])
@pytest.mark.parametrize("is_random", [True, False])
def test_threads_make_no_difference(is_random: bool, n_jobs: int) -> None:
    rng = np.random.default_rng(1)
    table = rng.poisson(1.0, (200, 9)).astype(np.float32)
    check(table, rng.integers(0, 3, 200), Growth(6, "sqrt", 1, is_random), 2, n_jobs)


@pytest.mark.parametrize("weighted", [False, True])
def test_estimators_are_the_same_whoever_grows_them(
    weighted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Small tables are left to scikit-learn, and so are weights."""
    molecules, grown = gr.load("MUTAG"), []
    weights = 1.0 + np.arange(188) % 3 if weighted else None
    monkeypatch.setattr(forests, "forest_trees", lambda *a: grown.append(1) or forest_trees(*a))

    def fitted(worthwhile: int) -> gr.ForestClassifier:
        monkeypatch.setattr(forests, "WORTHWHILE", worthwhile)
        forest = gr.ForestClassifier(n_trees=10, random_state=1)
        return forest.fit(molecules, sample_weight=weights)

    theirs = fitted(20_000)
    assert not grown
    ours = fitted(0)
    assert len(grown) == (0 if weighted else 2)
    assert np.array_equal(ours.predict_proba(molecules), theirs.predict_proba(molecules))
    assert np.array_equal(ours.feature_importances_, theirs.feature_importances_)


def test_a_share_of_one_is_all_columns() -> None:
    whole, real = (
        gr.ForestClassifier(n_trees=6, max_features=share, random_state=0).fit(gr.load("MUTAG"))
        for share in (1, 1.0)
    )
    assert np.array_equal(whole.feature_importances_, real.feature_importances_)


def test_splits_that_are_worth_nothing_give_no_importance() -> None:
    table = np.array([[0], [1], [0], [1]], np.float32)
    trees, importances = forest_trees(
        ranked_columns(table), np.array([0, 0, 1, 1]), Growth(2, "sqrt", 1, True), 0
    )
    assert len(trees[0].columns) == 3
    assert importances.tolist() == [0.0]


def test_ranks_are_those_of_the_values() -> None:
    table = np.array([[0, -1, 3], [2, 0, 3], [0, -2, 3], [7, 5, 3], [2, -1, 3]], np.float32)
    ranked = ranked_columns(table)
    assert ranked.ranks.reshape(3, 5).tolist() == [
        [0, 1, 0, 2, 1],
        [1, 2, 0, 3, 1],
        [0, 0, 0, 0, 0],
    ]
    by_column = np.split(ranked.values, ranked.starts[1:-1])
    assert [values.tolist() for values in by_column] == [[0, 2, 7], [-2, -1, 0, 5], [3]]


def test_columns_of_very_many_values(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    table = rng.normal(size=(300, 4)).astype(np.float32)
    monkeypatch.setattr(module, "MOST_RANKS", 100)
    assert ranked_columns(table).ranks.dtype == np.uint32
    check(table, rng.integers(0, 2, 300), Growth(3, "sqrt", 1, True), 6)
    check(table, rng.integers(0, 2, 300), Growth(3, "sqrt", 1, False), 6)
