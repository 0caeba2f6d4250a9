import numpy as np

from graphrings.tasks.predictions import Predictions


def test_a_class_is_right_or_wrong() -> None:
    predictions = Predictions(np.arange(3), np.array([0, 2, 1]), np.array([0, 0, 1]), 3)
    assert predictions.errors.tolist() == [0.0, 1.0, 0.0]


def test_a_value_is_wrong_by_its_distance() -> None:
    predictions = Predictions(np.arange(2), np.array([1.0, -2.0]), np.array([1.5, -4.0]))
    assert predictions.errors.tolist() == [0.5, 2.0]
