from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import graphrings as gr
from graphrings.graphs.array_cache import ArrayCache
from graphrings.methods import METHODS, Method
from graphrings.protocol import nested
from graphrings.protocol.jobs import Job
from graphrings.protocol.nested import attempt, better, run_cell
from graphrings.results.record import Failure, MethodCard, Trial
from graphrings.tasks import CLASSIFICATION, REGRESSION
from graphrings.tasks.scores import score_predictions
from records import without_times


class Spy:
    """An estimator that answers by the sizes of graphs, and remembers what it was shown."""

    seen: list[tuple[str, Any]] = []  # noqa: RUF012

    def __init__(self, answer: int = 0, random_state: int = 0) -> None:
        self.answer, self.random_state = answer, random_state

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """As scikit-learn has it."""
        del deep
        return {"answer": self.answer, "random_state": self.random_state}

    def fit(self, graphs: Any, y: Any, validation: Any) -> None:
        """Remember what it is fitted on."""
        self.classes_ = np.unique(y)
        self.seen.append(("fit", (graphs.graphs, validation[0].graphs, graphs.dataset.targets)))

    def predict_proba(self, graphs: Any) -> np.ndarray:
        """Always the same answer."""
        self.seen.append((f"judge {self.answer}", graphs.graphs))
        probabilities = np.full((len(graphs), 2), 0.4)
        probabilities[:, self.answer] = 0.6
        return probabilities

    def predict(self, graphs: Any) -> np.ndarray:
        """Always the same value."""
        self.seen.append((f"judge {self.answer}", graphs.graphs))
        return np.full(len(graphs), float(self.answer))


@pytest.fixture
def spied(jobs: tuple[Job, ...], monkeypatch: pytest.MonkeyPatch) -> Job:
    """A job whose method is a spy with a grid of both answers."""
    Spy.seen = []
    monkeypatch.setattr(Method, "estimator_class", lambda *_: Spy)
    monkeypatch.setitem(METHODS, "spy", Method("spy", "nowhere.Spy", "remembers"))
    return replace(jobs[0], method=MethodCard("spy", "spy", {}, {"answer": (0, 1)}))


def test_the_winner_of_the_validation_fold_is_tested_once(spied: Job, mutag: gr.Dataset) -> None:
    """Class 1 is the larger one in MUTAG, so that answering 1 wins."""
    record = run_cell(spied, mutag, ArrayCache())
    _, validation, test = spied.split
    judged = [(what, graphs.tolist()) for what, graphs in Spy.seen if what != "fit"]
    assert judged == [
        ("judge 0", validation.tolist()),
        ("judge 1", validation.tolist()),
        ("judge 1", test.tolist()),
    ]
    assert record.chosen == 1
    assert dict(record.setting) == {"answer": 1}
    assert record.scores["accuracy"] == np.mean(mutag.targets[test] == 1)
    assert [t.scores["accuracy"] for t in record.trials] == [
        np.mean(mutag.targets[validation] == answer) for answer in (0, 1)
    ]


def test_what_the_winner_said_is_kept(spied: Job, mutag: gr.Dataset) -> None:
    record = run_cell(spied, mutag, ArrayCache())
    for said, graphs in ((record.test, spied.split.test), (record.validation, spied.split[1])):
        assert said is not None
        assert said.graphs.tolist() == graphs.tolist()
        assert said.truth.tolist() == mutag.targets[graphs].tolist()
        assert set(said.predicted.tolist()) == {1}
        assert np.allclose(said.probabilities, [0.4, 0.6])
    assert record.scores == score_predictions(record.test, "classification")
    won = record.trials[record.chosen].scores
    assert won.items() <= score_predictions(record.validation, "classification").items()


def test_values_are_predicted_by_the_same_lines(spied: Job, mutag: gr.Dataset) -> None:
    """Two answers, 0 and 1, for values around 0.9; the RMSE decides."""
    values = np.random.default_rng(0).normal(0.9, 0.1, len(mutag))
    dataset = replace(mutag, targets=values, class_names=())
    record = run_cell(replace(spied, task="regression"), dataset, ArrayCache())
    _, validation, test = spied.split
    assert dict(record.setting) == {"answer": 1}
    assert [trial.scores["rmse"] for trial in record.trials] == [
        pytest.approx(np.sqrt(np.mean((values[validation] - answer) ** 2))) for answer in (0, 1)
    ]
    assert record.scores["mae"] == pytest.approx(np.mean(np.abs(values[test] - 1)))
    assert record.test.truth.tolist() == values[test].tolist()
    assert [seen[2] for what, seen in Spy.seen if what == "fit"] == [None, None]


def test_methods_see_no_classes_but_those_of_their_graphs(spied: Job, mutag: gr.Dataset) -> None:
    run_cell(spied, mutag, ArrayCache())
    for what, (training, validation, targets) in [seen for seen in Spy.seen if seen[0] == "fit"]:
        assert (what, targets) == ("fit", None)
        assert training.tolist() == spied.split.training.tolist()
        assert validation.tolist() == spied.split.validation.tolist()


@pytest.mark.parametrize("number", [0, 1])
def test_test_classes_change_nothing_but_the_test_scores(
    jobs: tuple[Job, ...], mutag: gr.Dataset, number: int
) -> None:
    job = jobs[number]
    flipped = mutag.targets.copy()
    flipped[job.split.test] = 1 - flipped[job.split.test]
    before, after = (
        without_times(run_cell(job, dataset, ArrayCache()))
        for dataset in (mutag, replace(mutag, targets=flipped))
    )
    assert after.scores["accuracy"] == pytest.approx(1 - before.scores["accuracy"])
    assert after.test.truth.tolist() == (1 - before.test.truth).tolist()
    seen_again = replace(after.test, truth=before.test.truth)
    again = replace(after, test=seen_again, scores=before.scores, fingerprint=before.fingerprint)
    assert again == before


def test_validation_classes_do_change_the_trials(jobs: tuple[Job, ...], mutag: gr.Dataset) -> None:
    """So the test above can fail."""
    flipped = mutag.targets.copy()
    flipped[jobs[0].split.validation] = 1 - flipped[jobs[0].split.validation]
    before, after = (
        without_times(run_cell(jobs[0], dataset, ArrayCache()))
        for dataset in (mutag, replace(mutag, targets=flipped))
    )
    assert after.trials != before.trials


def test_what_is_shared_changes_no_number(jobs: tuple[Job, ...], mutag: gr.Dataset) -> None:
    shared = ArrayCache()
    run_cell(jobs[2], mutag, shared)
    again, alone = run_cell(jobs[0], mutag, shared), run_cell(jobs[0], mutag, ArrayCache())
    assert without_times(again) == without_times(alone)


def trial(**scores: float) -> Trial:
    return Trial({}, 0, scores, 0.0)


@pytest.mark.parametrize(
    ("one", "other", "wins"),
    [
        (trial(accuracy=0.8), trial(accuracy=0.7), True),
        (trial(accuracy=0.7, log_loss=0.1), trial(accuracy=0.8, log_loss=0.9), False),
        (trial(accuracy=0.7, log_loss=0.1), trial(accuracy=0.7, log_loss=0.2), True),
        (trial(accuracy=0.7, log_loss=0.2), trial(accuracy=0.7, log_loss=0.2), False),
        (trial(accuracy=0.7), trial(accuracy=0.7, log_loss=0.2), False),
        (trial(accuracy=0.7, log_loss=0.2), trial(accuracy=0.7), False),
        (trial(log_loss=0.1), trial(accuracy=0.7, log_loss=0.2), False),
    ],
)
def test_accuracy_decides_and_then_the_loss(one: Trial, other: Trial, wins: bool) -> None:
    assert better(one, other, CLASSIFICATION.chosen_by) is wins


def test_a_job_may_choose_by_other_scores(spied: Job, mutag: gr.Dataset) -> None:
    """Balanced accuracy is one half for either answer: the first of the grid stays."""
    by_default = run_cell(spied, mutag, ArrayCache())
    other = run_cell(replace(spied, chosen_by=("balanced_accuracy",)), mutag, ArrayCache())
    assert (by_default.setting, other.setting) == ({"answer": 1}, {"answer": 0})
    assert [dict(trial.scores) for trial in other.trials] == [{"balanced_accuracy": 0.5}] * 2


@pytest.mark.parametrize(
    ("one", "other", "wins"),
    [
        (trial(rmse=0.7, mae=9.0), trial(rmse=0.8, mae=1.0), True),
        (trial(rmse=0.7, mae=0.3), trial(rmse=0.7, mae=0.2), False),
        (trial(rmse=0.7, mae=0.2), trial(rmse=0.7, mae=0.3), True),
    ],
)
def test_of_values_the_smaller_error_wins(one: Trial, other: Trial, wins: bool) -> None:
    assert better(one, other, REGRESSION.chosen_by) is wins


@pytest.mark.parametrize(
    ("setting", "reason"),
    [
        ({"learning_rate": -1.0}, "learning_rate = -1.0; expected a number above 0"),
        ({"learning_rate": 1e30, "max_epochs": 5}, "in epoch"),
        ({"channels": "many"}, "channels = 'many'; expected one or more whole numbers above 0"),
    ],
)
def test_a_cell_that_fails_says_why_in_one_line(
    jobs: tuple[Job, ...], mutag: gr.Dataset, setting: dict[str, Any], reason: str
) -> None:
    card = MethodCard("row", "pgc-dgcnn", setting, {})
    failed = attempt(replace(jobs[0], method=card), mutag, ArrayCache())
    assert isinstance(failed, Failure)
    assert reason in failed.error
    assert "\n" not in failed.error


def test_errors_of_other_libraries_are_named(
    jobs: tuple[Job, ...], mutag: gr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise ZeroDivisionError("too\nfew")

    monkeypatch.setattr(nested, "run_trial", broken)
    failed = attempt(jobs[0], mutag, ArrayCache())
    assert isinstance(failed, Failure)
    assert failed.error == "ZeroDivisionError: too few"


def test_probabilities_that_are_no_numbers_are_a_failure(
    spied: Job, mutag: gr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Spy, "predict_proba", lambda _, graphs: np.full((len(graphs), 2), np.nan))
    failed = attempt(spied, mutag, ArrayCache())
    assert isinstance(failed, Failure)
    assert failed.error.startswith("the probabilities are no numbers")
