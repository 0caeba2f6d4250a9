"""Boosted trees against scikit-learn's, and their splits against all that there are."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy.special import log_softmax
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

from graphrings.learning.boosted_trees import Growing, Growth, boosted_trees, sorted_columns
from graphrings.learning.boosting_losses import Logistic, Loss, Softmax, Squared
from graphrings.learning.trees import Grown, joined

GROWTH = Growth(
    n_trees=9, learning_rate=0.1, max_features=1.0, max_leaves=1000, min_leaf=4, penalty=1.0
)
rng = np.random.default_rng(0)
ROWS = np.round(rng.normal(size=(150, 5)) * 4).astype(np.float32)  # negative, 0, positive; ties
ROWS[:, 2] = rng.poisson(0.3, 150)  # mostly 0
ROWS[:, 4] = rng.normal(size=150)
CLASSES = (ROWS[:, 0] + 5 * ROWS[:, 2] + rng.normal(size=150) > 1).astype(np.int64)
CLASSES[ROWS[:, 4] > 1] = 2
VALUES = ROWS[:, 0] * ROWS[:, 1] + ROWS[:, 4]
WEIGHTS = rng.uniform(0.5, 2, 150)
THEIRS = {
    "max_iter": GROWTH.n_trees,
    "learning_rate": GROWTH.learning_rate,
    "max_leaf_nodes": None,
    "min_samples_leaf": GROWTH.min_leaf,
    "l2_regularization": GROWTH.penalty,
    "early_stopping": False,
}


def scores(loss: Loss, growth: Growth = GROWTH, seed: int = 0) -> NDArray[np.float64]:
    trees, _ = boosted_trees(ROWS, loss, growth, np.random.RandomState(seed))
    return joined(trees).sums(ROWS) + loss.start


@pytest.mark.parametrize("weights", [np.ones(150), WEIGHTS])
def test_odds_are_scikit_learns(weights: NDArray[np.float64]) -> None:
    """Whose derivatives are in single precision."""
    model = HistGradientBoostingClassifier(**THEIRS).fit(ROWS, CLASSES % 2, weights)
    ours = scores(Logistic(CLASSES % 2, weights))
    np.testing.assert_allclose(ours[:, 0], model.decision_function(ROWS), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("weights", [np.ones(150), WEIGHTS])
def test_scores_of_several_classes_are_scikit_learns(weights: NDArray[np.float64]) -> None:
    model = HistGradientBoostingClassifier(**THEIRS).fit(ROWS, CLASSES, weights)
    ours = log_softmax(scores(Softmax(CLASSES, weights)), axis=1)
    np.testing.assert_allclose(ours, np.log(model.predict_proba(ROWS)), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("weights", [np.ones(150), WEIGHTS])
def test_values_are_scikit_learns(weights: NDArray[np.float64]) -> None:
    model = HistGradientBoostingRegressor(**THEIRS).fit(ROWS, VALUES, weights)
    ours = scores(Squared(VALUES, weights))
    np.testing.assert_allclose(ours[:, 0], model.predict(ROWS), rtol=1e-4, atol=1e-4)


def best_gain(
    table: NDArray[Any], slopes: NDArray[Any], curvatures: NDArray[Any], growth: Growth
) -> float:
    """The largest gain of all splits there are, from the equation."""

    def part(rows: NDArray[np.bool_]) -> float:
        slope, curvature = slopes[rows].sum(), curvatures[rows].sum()
        return float(slope**2 / (curvature + growth.penalty))

    everybody, best = np.ones(len(table), dtype=bool), 0.0
    for column in table.T:
        for low, high in pairwise(np.unique(column)):
            left = column <= (float(low) + float(high)) / 2
            if min(left.sum(), (~left).sum()) >= growth.min_leaf:
                best = max(best, part(left) + part(~left) - part(everybody))
    return best


@given(
    arrays(
        np.float32,
        st.tuples(st.integers(2, 12), st.integers(1, 4)),
        elements=st.sampled_from([-2.5, -1, 0, 0, 0, 0.25, 1, 3e38]),
    ),
    st.integers(1, 3),
    st.randoms(use_true_random=False),
)
def test_no_split_gains_more(table: NDArray[Any], min_leaf: int, random: Any) -> None:
    slopes = np.array([random.uniform(-1, 1) for _ in table])
    curvatures = np.array([random.uniform(0.1, 1) for _ in table])
    growth = GROWTH._replace(min_leaf=min_leaf)
    tree = Growing(table, growth, slopes, curvatures)
    tree.next_level(sorted_columns(table), np.arange(table.shape[1]))
    expected = best_gain(table, slopes, curvatures, growth)
    assert tree.gains[0] == pytest.approx(expected, abs=1e-9)
    if tree.lefts[0]:  # and its rows are parted as it says
        left = table[:, tree.columns[0]] <= tree.thresholds[0]
        assert np.array_equal(tree.node_of == tree.lefts[0], left)
        assert min(left.sum(), (~left).sum()) >= min_leaf


@given(arrays(np.float32, (6, 3), elements=st.sampled_from([-1, 0, 0, 0.5, 2])))
def test_columns_are_sorted_without_their_zeros(table: NDArray[Any]) -> None:
    columns = sorted_columns(table)
    for c, (first, last) in enumerate(pairwise(columns.starts)):
        expected = np.sort(table[table[:, c] != 0, c])
        assert np.array_equal(columns.values[first:last], expected)
        assert np.array_equal(table[columns.rows[first:last], c], expected)


def n_leaves(trees: list[Grown]) -> list[int]:
    return [int(tree.is_leaf.sum()) for tree in trees]


def test_trees_have_no_more_leaves_than_they_may() -> None:
    loss, random = Squared(VALUES, np.ones(150)), np.random.RandomState(0)
    full, _ = boosted_trees(ROWS, loss, GROWTH, random)
    assert min(n_leaves(full)) > 7
    cut, _ = boosted_trees(ROWS, loss, GROWTH._replace(max_leaves=7), random)
    assert n_leaves(cut) == [7] * GROWTH.n_trees


def test_where_leaves_are_few_those_are_split_that_gain_most() -> None:
    """The root's right half has nothing to gain; the third leaf comes from its left half."""
    table = np.array([[0, 0], [0, 1], [9, 0], [9, 1]], dtype=np.float32).repeat(5, axis=0)
    goals = np.array([-9.0, 3.0, 8.0, 8.5]).repeat(5)
    growth = GROWTH._replace(n_trees=1, max_leaves=3)
    (tree,), gains = boosted_trees(
        table, Squared(goals, np.ones(20)), growth, np.random.RandomState(0)
    )
    assert tree.columns[~tree.is_leaf].tolist() == [0, 1]
    assert tree.passed.tolist() == [20, 10, 5, 5, 10]
    assert gains[0] > gains[1] > 0


def test_a_tree_looks_at_its_share_of_the_columns() -> None:
    wide = np.random.RandomState(0).normal(size=(60, 40)).astype(np.float32)
    loss = Squared(wide.sum(axis=1).astype(np.float64), np.ones(60))
    growth = GROWTH._replace(max_features=0.1, n_trees=5)
    trees, gains = boosted_trees(wide, loss, growth, np.random.RandomState(0))
    seen = [set(tree.columns[~tree.is_leaf].tolist()) for tree in trees]
    assert all(1 < len(columns) <= 4 for columns in seen)
    assert set(np.flatnonzero(gains)) == set().union(*seen)
    assert len(set().union(*seen)) > 4


def test_the_same_seed_gives_the_same_trees_and_another_does_not() -> None:
    loss = Squared(VALUES, np.ones(150))
    few = GROWTH._replace(max_features=0.4)
    assert np.array_equal(scores(loss, few), scores(loss, few))
    assert not np.array_equal(scores(loss, few), scores(loss, few, seed=1))


def test_a_class_whose_graphs_count_for_nothing_is_no_error() -> None:
    goals = np.array([0, 0, 1, 1])
    for loss in (
        Logistic(goals, np.array([1.0, 1, 0, 0])),
        Softmax(goals, np.array([1.0, 1, 0, 0])),
    ):
        assert np.isfinite(loss.start).all()
