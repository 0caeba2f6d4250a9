import numpy as np
import pytest
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)

from graphrings.learning.trees import AT_ONCE, Trees, from_forest, rounded_down

rng = np.random.default_rng(0)
ROWS = rng.normal(size=(120, 7)).astype(np.float32)
ROWS[:, 3] = np.round(ROWS[:, 3])  # values that repeat
CLASSES = rng.integers(0, 3, 120)
NEW = np.vstack([rng.normal(size=(50, 7)).astype(np.float32), ROWS[:50]])


@pytest.mark.parametrize("kind", [ExtraTreesClassifier, RandomForestClassifier])
@pytest.mark.parametrize("leaf", [1, 5])
def test_probabilities_are_scikit_learns_to_the_last_bit(kind: type, leaf: int) -> None:
    forest = kind(20, min_samples_leaf=leaf, random_state=0).fit(ROWS, CLASSES)
    trees = from_forest(forest.estimators_)
    assert np.array_equal(trees.sums(NEW) / len(trees), forest.predict_proba(NEW))


@pytest.mark.parametrize("kind", [ExtraTreesRegressor, RandomForestRegressor])
def test_values_are_scikit_learns_to_the_last_bit(kind: type) -> None:
    forest = kind(20, random_state=0).fit(ROWS, ROWS[:, 0] + 0.1 * CLASSES)
    trees = from_forest(forest.estimators_)
    assert np.array_equal(trees.sums(NEW)[:, 0] / len(trees), forest.predict(NEW))


def test_many_rows_are_asked_for_part_by_part() -> None:
    forest = RandomForestRegressor(3, random_state=0).fit(ROWS, ROWS[:, 0])
    many = np.tile(NEW, (81, 1))
    assert len(many) > 2 * AT_ONCE
    assert np.array_equal(
        from_forest(forest.estimators_).sums(many)[:, 0] / 3, forest.predict(many)
    )


def test_thresholds_are_rounded_so_that_no_row_changes_sides() -> None:
    thresholds = np.concatenate([rng.normal(size=1000), [0.1, 1 / 3, 2.0, 0.0]])
    single = rounded_down(thresholds)
    above = np.nextafter(single, np.float32(np.inf))
    assert single.dtype == np.float32
    assert np.all(single.astype(np.float64) <= thresholds)
    assert np.all(above.astype(np.float64) > thresholds)


def test_a_tree_of_one_leaf() -> None:
    forest = ExtraTreesRegressor(2, random_state=0).fit(ROWS, np.full(120, 3.0))
    assert from_forest(forest.estimators_).sums(NEW).tolist() == [[6.0]] * 100


@pytest.mark.parametrize(
    "damage",
    [
        {"columns": np.array([7, -1, -1], np.int32)},
        {"columns": np.array([0, -1, -3], np.int32)},
        {"columns": np.array([0, 0, -1], np.int32)},
        {"columns": np.array([0, -1, 0], np.int32)},
        {"others": np.array([0, 0, 0], np.int32)},
        {"others": np.array([3, 0, 0], np.int32)},
        {"starts": np.array([3])},
        {"starts": np.array([], np.int64)},
        {"thresholds": np.zeros(2, np.float32)},
        {"leaves": np.zeros((2, 3))},
        {"start": np.zeros(2)},
        {"start": np.array([np.nan])},
        {"passed": np.ones(2, np.float32)},
    ],
)
def test_trees_that_lead_nowhere_are_refused(damage: dict[str, np.ndarray]) -> None:
    good = {
        "starts": np.array([0]),
        "columns": np.array([0, -1, -2], np.int32),
        "thresholds": np.zeros(3, np.float32),
        "others": np.array([2, 0, 0], np.int32),
        "leaves": np.zeros((2, 1)),
        "start": np.zeros(1),
        "passed": np.ones(3, np.float32),
    }
    Trees(**good).check(7, 1)
    with pytest.raises(ValueError, match="its trees do not fit"):
        Trees(**{**good, **damage}).check(7, 1)
