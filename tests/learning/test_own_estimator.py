"""What the protocol makes of an estimator that knows nothing of it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphrings as gr
from graphrings.errors import ExperimentError
from graphrings.graphs.array_cache import ArrayCache
from graphrings.graphs.selection import Selection
from graphrings.learning.own_estimator import OwnEstimator
from graphrings.tasks import CLASSIFICATION


class Sizes:
    """Says 1 of graphs with more nodes than the mean of training."""

    def fit(self, graphs: gr.Dataset, y: Any) -> None:
        """Keep what it is given."""
        self.graphs, self.y = graphs, y
        self.mean = graphs.sizes.mean()

    def predict(self, graphs: gr.Dataset) -> list[int]:
        """Large or small."""
        return (graphs.sizes > self.mean).astype(int).tolist()


class Watched(Sizes):
    """Takes validation graphs."""

    def fit(self, graphs: gr.Dataset, y: Any, validation: Any = None) -> None:
        """Keep them too."""
        super().fit(graphs, y)
        self.validation = validation


@pytest.fixture
def part() -> Selection:
    return Selection(gr.load("MUTAG"), np.arange(20, 60), ArrayCache())


@pytest.fixture
def y(part: Selection) -> np.ndarray:
    return part.dataset.targets[part.graphs].astype(np.int64)


def test_fit_and_predict_are_enough(part: Selection, y: np.ndarray) -> None:
    own = OwnEstimator("sizes", Sizes()).fit(part, y, validation=(part, y))
    assert own.estimator.graphs.fingerprint == part.cut_out().fingerprint
    assert own.estimator.y is y
    assert not hasattr(own, "predict_proba")
    assert not hasattr(own, "decision_function")
    said = CLASSIFICATION.predictions(own, part, part.graphs, y, 2)
    assert said.predicted.tolist() == (part.cut_out().sizes > part.cut_out().sizes.mean()).tolist()
    assert (said.probabilities, said.margin) == (None, None)


def test_a_dataset_brings_its_targets(part: Selection) -> None:
    own = OwnEstimator("sizes", Sizes()).fit(part)
    names = np.array(part.dataset.class_names)
    assert np.array_equal(own.estimator.y, names[part.dataset.targets[part.graphs]])


def test_validation_is_offered_to_who_takes_it(part: Selection, y: np.ndarray) -> None:
    own = OwnEstimator("watched", Watched()).fit(part, y, validation=(part, y))
    graphs, targets = own.estimator.validation
    assert isinstance(graphs, gr.Dataset)
    assert (len(graphs), targets is y) == (40, True)


def test_probabilities_are_sorted_by_the_classes_it_names(part: Selection, y: np.ndarray) -> None:
    class Backwards(Sizes):
        classes_ = np.array([1, 0])

        def predict_proba(self, graphs: gr.Dataset) -> np.ndarray:
            return np.tile([0.9, 0.1], (len(graphs), 1))

    own = OwnEstimator("backwards", Backwards()).fit(part, y)
    said = CLASSIFICATION.predictions(own, part, part.graphs, y, 2)
    assert said.predicted.tolist() == [1] * 40
    assert np.allclose(said.probabilities, [0.1, 0.9])


def test_a_margin_is_used_where_there_are_no_probabilities(part: Selection, y: np.ndarray) -> None:
    class Margin(Sizes):
        def decision_function(self, graphs: gr.Dataset) -> np.ndarray:
            return graphs.sizes - self.mean

    own = OwnEstimator("margin", Margin()).fit(part, y)
    said = CLASSIFICATION.predictions(own, part, part.graphs, y, 2)
    assert np.array_equal(said.margin > 0, said.predicted == 1)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ([0, 1], "own: predict returns an array of shape (2,) for 40 graphs; expected (40,)"),
        ([[0]] * 40, "returns an array of shape (40, 1) for 40 graphs; expected (40,)"),
        (["a"] * 40, "own: predict says 'a'; expected a class as fit was given it, one of 0, 1"),
        (
            [2] * 40,
            "own: predict says 2; expected a class as fit was given it, one of 0, 1",
        ),
    ],
)
def test_answers_of_the_wrong_form(
    part: Selection, y: np.ndarray, answer: Any, message: str
) -> None:
    class Wrong(Sizes):
        def predict(self, graphs: gr.Dataset) -> Any:
            del graphs
            return answer

    with pytest.raises(ExperimentError) as caught:
        OwnEstimator("own", Wrong()).fit(part, y).predict(part)
    assert message in str(caught.value)


def test_an_error_inside_is_told_with_its_place(part: Selection, y: np.ndarray) -> None:
    class Faulty(Sizes):
        def fit(self, *_: Any) -> None:
            raise KeyError("oh")

    with pytest.raises(ExperimentError) as caught:
        OwnEstimator("faulty", Faulty()).fit(part, y)
    start = f"faulty: fit fails with KeyError: 'oh' ({Path(__file__).name}, line "
    assert str(caught.value).startswith(start)


def test_values_may_be_any_numbers(part: Selection) -> None:
    class Mean(Sizes):
        def predict(self, graphs: gr.Dataset) -> np.ndarray:
            return np.full(len(graphs), self.y.mean())

    own = OwnEstimator("mean", Mean()).fit(part, np.linspace(0, 1, 40))
    assert own.predict(part).tolist() == [0.5] * 40
