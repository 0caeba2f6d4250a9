"""What every task promises, and what each means by a target."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import graphrings as gr
from graphrings.errors import DatasetError
from graphrings.methods import METHODS
from graphrings.tasks import CLASSIFICATION, REGRESSION, TASKS, Task, task_of
from graphrings.tasks.scores import SCORES

every_task = pytest.mark.parametrize("task", TASKS.values(), ids=repr)
values = arrays(np.float64, st.integers(2, 60), elements=st.floats(-1e3, 1e3))


@pytest.fixture
def paw() -> gr.Graph:
    """A triangle with a tail."""
    return gr.from_edges([[(0, 1), (1, 2), (0, 2), (2, 3)]])[0]


@every_task
def test_a_task_names_what_exists(task: Task) -> None:
    assert {task.epoch_score, *task.chosen_by} <= {
        score.name for score in SCORES.values() if score.task == task.name
    }
    assert task.baseline in METHODS
    assert METHODS[task.baseline].estimator_class(task).task is task


@given(values)
def test_values_come_back_from_their_coding(targets: np.ndarray) -> None:
    coding = REGRESSION.learn(targets)
    goals = coding.encode(targets)
    assert goals.shape == (len(targets), 1)
    scale = np.abs(targets).max() + 1e-9
    assert coding.decode(goals) == pytest.approx(targets, abs=1e-5 * scale)
    assert coding.epoch_score(goals, goals) == 0


@given(values, st.integers(2, 10))
def test_strata_of_values_are_quantiles_of_one_size(targets: np.ndarray, n_folds: int) -> None:
    strata = REGRESSION.strata(targets, n_folds)
    sizes = np.bincount(strata)
    assert sizes.max() - sizes.min() <= 1
    assert len(sizes) == 1 or sizes.min() >= n_folds
    for k in range(len(sizes) - 1):
        assert targets[strata == k].max() <= targets[strata == k + 1].min()


@given(arrays(np.int64, st.integers(2, 40), elements=st.integers(0, 5)))
def test_classes_come_back_from_their_coding(numbers: np.ndarray) -> None:
    names = np.array(["f", "e", "d", "c", "b", "a"])[numbers]
    if len(set(numbers.tolist())) < 2:
        with pytest.raises(DatasetError, match="expected at least two classes"):
            CLASSIFICATION.learn(names)
        return
    coding = CLASSIFICATION.learn(names)
    goals = coding.encode(names)
    outputs = np.eye(coding.n_outputs)[goals]
    assert coding.decode(outputs).tolist() == names.tolist()
    assert coding.epoch_score(outputs, goals) == 1


def test_the_ceiling_is_the_best_that_groups_allow() -> None:
    """Two groups: one says a, a, b; the other b."""
    groups = np.array([0, 0, 0, 1], dtype=np.int32)
    assert CLASSIFICATION.ceiling(groups, np.array([0, 0, 1, 1])) == 3 / 4
    floor = REGRESSION.ceiling(groups, np.array([1.0, 1.0, 4.0, 9.0]))
    assert floor == pytest.approx(np.sqrt((1 + 1 + 4) / 4))


def test_the_targets_of_a_dataset_set_its_task(paw: gr.Graph) -> None:
    assert task_of(gr.from_graphs([paw, paw])) is CLASSIFICATION
    assert task_of(gr.from_graphs([paw, paw], ["x", "y"])) is CLASSIFICATION
    assert task_of(gr.from_graphs([paw, paw], [1, 2])) is CLASSIFICATION
    assert task_of(gr.from_graphs([paw, paw], [1.5, 2])) is REGRESSION


def test_values_are_no_classes(paw: gr.Graph) -> None:
    measured = gr.from_graphs([paw, paw], [1.5, 2])
    with pytest.raises(DatasetError, match=r"expected classes .there are regressors"):
        CLASSIFICATION.numbers(measured)
    assert REGRESSION.numbers(measured).tolist() == [1.5, 2]
    with pytest.raises(DatasetError, match=r"target number 0 is .*'x'.*; expected finite numbers"):
        REGRESSION.numbers(gr.from_graphs([paw, paw], ["x", "y"]))


def test_targets_are_described_in_a_few_words(paw: gr.Graph) -> None:
    assert CLASSIFICATION.described(gr.from_graphs([paw] * 4, [3, 3, 3, 5])) == "3: 75 %, 5: 25 %"
    many = gr.from_graphs([paw] * 8, range(8))
    assert CLASSIFICATION.described(many) == "8 classes, 12 to 12 % each"
    assert REGRESSION.described(gr.from_graphs([paw] * 3, [0.5, 2, 7])) == "0.5 to 7, median 2"
