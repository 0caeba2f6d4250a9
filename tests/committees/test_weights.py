import numpy as np
import pytest

from graphrings.committees.weights import (
    averaged,
    equal_weights,
    greedy_weights,
    log_losses,
    squared_errors,
)

rng = np.random.default_rng(0)
VALUES = rng.normal(size=200)


def test_members_that_err_alike_count_alike() -> None:
    said = VALUES + rng.normal(size=(3, 200))
    assert greedy_weights(said, squared_errors(VALUES)).tolist() == equal_weights(3).tolist()


def test_chance_alone_hardly_ever_weighs_members() -> None:
    """Four that are as good as each other, on a hundred graphs, a hundred times."""
    drawn = np.random.default_rng(1)
    values = np.zeros(100)
    weighed = [
        greedy_weights(drawn.normal(size=(4, 100)), squared_errors(values)).tolist()
        != equal_weights(4).tolist()
        for _ in range(100)
    ]
    assert sum(weighed) <= 5


def test_a_member_that_is_far_off_counts_for_nothing() -> None:
    noise = rng.normal(size=(3, 200)) * [[0.5], [0.5], [10.0]]
    weights = greedy_weights(VALUES + noise, squared_errors(VALUES))
    assert weights[2] == 0
    assert weights.sum() == pytest.approx(1)
    assert min(weights[:2]) > 0.3


def test_weights_are_near_the_best_that_there_are() -> None:
    """Errors of variance 1 and 4, independent: the best weights are 0.8 and 0.2."""
    noise = rng.normal(size=(2, 20_000)) * [[1.0], [2.0]]
    values = np.zeros(20_000)
    weights = greedy_weights(noise, squared_errors(values))
    np.testing.assert_allclose(weights, [0.8, 0.2], atol=0.03)


def test_probabilities_are_weighed_by_their_log_loss() -> None:
    goals = rng.integers(0, 3, 300)
    sure = np.full((300, 3), 0.1)
    sure[np.arange(300), goals] = 0.8
    said = np.stack([np.full((300, 3), 1 / 3), sure])
    assert greedy_weights(said, log_losses(goals)).tolist() == [0, 1]


def test_the_mean_is_weighted() -> None:
    said = np.array([[1.0, 2.0], [3.0, 6.0]])
    assert averaged(said, np.array([0.75, 0.25])).tolist() == [1.5, 3.0]
