import numpy as np

from graphrings.tasks.predictions import Predictions

CLASSES = Predictions(
    np.array([4, 2]), np.array([0, 1]), np.array([1, 1]), 2, np.array([[0.1, 0.9], [0.5, 0.5]])
)


def test_types_do_not_depend_on_what_is_given() -> None:
    """So that predictions from a store equal those that were put there."""
    assert (CLASSES.graphs.dtype, CLASSES.truth.dtype) == (np.int32, np.int32)
    assert CLASSES.probabilities is not None
    assert CLASSES.probabilities.dtype == np.float32
    values = Predictions(np.array([0]), np.array([1]), np.array([2]))
    assert (values.truth.dtype, values.predicted.dtype) == (np.float64, np.float64)


def test_equal_means_equal_in_everything() -> None:
    again = Predictions(
        CLASSES.graphs, CLASSES.truth, CLASSES.predicted, 2, CLASSES.probabilities.copy()
    )
    assert again == CLASSES
    assert Predictions(CLASSES.graphs, CLASSES.truth, CLASSES.predicted, 2) != CLASSES
    assert (
        Predictions(CLASSES.graphs, CLASSES.truth, CLASSES.truth, 2, again.probabilities) != again
    )
    assert len(CLASSES) == 2


def test_the_ranking_is_that_of_the_second_of_two_classes() -> None:
    assert CLASSES.ranking.tolist() == np.float32([0.9, 0.5]).tolist()
    margin = Predictions(np.arange(2), np.arange(2), np.arange(2), 2, margin=np.array([-1.0, 2.0]))
    assert margin.ranking.tolist() == [-1.0, 2.0]
    three = Predictions(np.arange(1), np.zeros(1), np.zeros(1), 3, np.ones((1, 3)) / 3)
    assert three.ranking is None


def test_a_row_of_the_confusion_is_a_true_class() -> None:
    assert CLASSES.confusion.tolist() == [[0, 1], [0, 1]]
