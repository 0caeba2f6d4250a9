"""Scores against cases one can check by hand, and against functions written out here."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from graphrings.errors import SettingError
from graphrings.tasks import TASKS
from graphrings.tasks.predictions import Predictions
from graphrings.tasks.scores import SCORES, find_score, score_predictions, scores_of_task

CLASSES, VALUES = "classification", "regression"


def said(
    truth: Any, probabilities: Any = None, predicted: Any = None, n_classes: int = 2, **more: Any
) -> Predictions:
    truth = np.asarray(truth)
    if probabilities is not None:
        probabilities = np.asarray(probabilities)
        predicted, n_classes = probabilities.argmax(axis=1), probabilities.shape[1]
    return Predictions(
        np.arange(len(truth)), truth, np.asarray(predicted), n_classes, probabilities, **more
    )


def values(truth: Any, predicted: Any) -> Predictions:
    return Predictions(np.arange(len(truth)), np.asarray(truth), np.asarray(predicted))


@st.composite
def answers(draw: st.DrawFn) -> Predictions:
    """True classes, of which some may be missing, and a probability for each class."""
    n_classes = draw(st.integers(2, 4))
    truth = draw(st.lists(st.integers(0, n_classes - 1), min_size=1, max_size=30))
    row = st.lists(st.integers(0, 5), min_size=n_classes, max_size=n_classes)
    weights = np.array(draw(st.lists(row, min_size=len(truth), max_size=len(truth)))) + 0.01
    return said(truth, weights / weights.sum(axis=1, keepdims=True))


def by_hand(p: Predictions) -> dict[str, float]:
    """The scores of classes, written out."""
    confusion = p.confusion
    hits, true, named = np.diag(confusion), confusion.sum(axis=1), confusion.sum(axis=0)
    occurs, mentioned = true > 0, true + named > 0
    shares = p.probabilities.astype(np.float64)
    shares /= shares.sum(axis=1, keepdims=True)
    everyone = np.arange(len(p))
    n_second = int((p.truth == 1).sum())
    scores = {
        "accuracy": hits.sum() / len(p),
        "balanced_accuracy": (hits[occurs] / true[occurs]).mean(),
        "macro_f1": (2 * hits[mentioned] / (true + named)[mentioned]).mean(),
        "log_loss": -np.log(shares[everyone, p.truth]).mean(),
        "brier": np.square(shares - np.eye(p.n_classes)[p.truth]).sum(axis=1).mean()
        / (2 if p.n_classes == 2 else 1),
    }
    if p.n_classes == 2 and 0 < n_second < len(p):
        ranks = rankdata(p.probabilities[:, 1])[p.truth == 1].sum() - n_second * (n_second + 1) / 2
        scores["auroc"] = ranks / (n_second * (len(p) - n_second))
    return scores


@given(answers())
def test_scores_of_classes_are_those_written_out(p: Predictions) -> None:
    scores = score_predictions(p, CLASSES)
    for name, value in by_hand(p).items():
        assert scores[name] == pytest.approx(value, abs=1e-12), name


def test_four_graphs_by_hand() -> None:
    """Two of each class, one of the first is taken for the second with 0.65."""
    p = said([0, 0, 1, 1], [[0.95, 0.05], [0.35, 0.65], [0.25, 0.75], [0.15, 0.85]])
    assert p.confusion.tolist() == [[1, 1], [0, 2]]
    scores = score_predictions(p, CLASSES)
    assert scores == pytest.approx(
        {
            "accuracy": 3 / 4,
            "balanced_accuracy": (1 / 2 + 1) / 2,
            "macro_f1": (2 / 3 + 4 / 5) / 2,
            "mcc": (1 * 2 - 1 * 0) / np.sqrt(3 * 2 * 2 * 1),
            "auroc": 1.0,
            "average_precision": 1.0,
            "log_loss": -np.log([0.95, 0.35, 0.75, 0.85]).mean(),
            "brier": np.mean([0.05**2, 0.65**2, 0.25**2, 0.15**2]),
            "ece": (0.05 + 0.65 + 0.25 + 0.15) / 4,  # each in a bin of its own
        },
        rel=1e-6,
    )


def test_average_precision_by_hand() -> None:
    """Ranked 1, 0, 1, 0: precision 1 at the first hit and 2 / 3 at the second."""
    p = said([1, 0, 1, 0], predicted=[1, 1, 1, 1], margin=np.array([4.0, 3.0, 2.0, 1.0]))
    assert score_predictions(p, CLASSES)["average_precision"] == pytest.approx((1 + 2 / 3) / 2)


def test_calibration_bins_cancel_out_inside_and_add_up_between() -> None:
    """Confidence 0.75 with 3 of 4 right is calibrated; 1.0 with 1 of 2 right is off by 0.5."""
    calibrated = said([0, 0, 0, 1], [[0.75, 0.25]] * 4)
    assert score_predictions(calibrated, CLASSES)["ece"] == pytest.approx(0, abs=1e-9)
    sure = said([0, 1, 0, 0, 0, 1], [[1.0, 0.0]] * 2 + [[0.75, 0.25]] * 4)
    assert score_predictions(sure, CLASSES)["ece"] == pytest.approx(2 / 6 * 0.5)


def test_three_classes_have_no_ranking() -> None:
    scores = score_predictions(said([0, 1, 2], np.eye(3) * 0.7 + 0.1), CLASSES)
    assert scores.keys() == set(scores_of_task(CLASSES)) - {"auroc", "average_precision"}
    assert (scores["accuracy"], scores["mcc"]) == (1.0, 1.0)


def test_a_fold_of_one_class_has_no_ranking() -> None:
    scores = score_predictions(said([1, 1], [[0.4, 0.6], [0.7, 0.3]]), CLASSES)
    assert not {"auroc", "average_precision"} & scores.keys()
    assert (scores["accuracy"], scores["balanced_accuracy"]) == (0.5, 0.5)
    assert scores["log_loss"] == pytest.approx(-np.log([0.6, 0.3]).mean(), rel=1e-6)


def test_without_probabilities_a_margin_ranks_the_graphs() -> None:
    margin = np.array([-3.0, -1.0, -2.0, 4.0])
    scores = score_predictions(said([0, 1, 0, 1], predicted=margin > 0, margin=margin), CLASSES)
    assert (scores["accuracy"], scores["auroc"]) == (0.75, 1.0)
    assert not {"log_loss", "brier", "ece"} & scores.keys()


def test_without_anything_but_classes_there_are_the_scores_of_classes() -> None:
    scores = score_predictions(said([0, 1], predicted=[0, 0]), CLASSES)
    assert scores.keys() == {"accuracy", "balanced_accuracy", "macro_f1", "mcc"}


def test_a_certain_mistake_has_a_finite_loss() -> None:
    scores = score_predictions(said([0], [[0.0, 1.0]]), CLASSES)
    assert 30 < scores["log_loss"] < 40


def test_values_by_hand() -> None:
    scores = score_predictions(values([1.0, 2.0, 3.0], [1.0, 2.0, 6.0]), VALUES)
    assert scores == pytest.approx(
        {"rmse": np.sqrt(3), "mae": 1.0, "r2": 1 - 9 / 2, "spearman": 1.0}
    )


@given(st.lists(st.tuples(st.floats(-1e3, 1e3), st.floats(-1e3, 1e3)), min_size=1, max_size=20))
def test_scores_of_values_are_those_written_out(pairs: list[tuple[float, float]]) -> None:
    truth, predicted = np.array(pairs).T
    scores = score_predictions(values(truth, predicted), VALUES)
    assert scores["rmse"] == pytest.approx(np.sqrt(np.square(truth - predicted).mean()))
    assert scores["mae"] == pytest.approx(np.abs(truth - predicted).mean())
    assert ("spearman" in scores) == (np.ptp(truth) > 0 and np.ptp(predicted) > 0)
    if "spearman" in scores:
        ranks = np.corrcoef(rankdata(truth), rankdata(predicted))[0, 1]
        assert scores["spearman"] == pytest.approx(ranks)


def test_a_constant_has_no_correlation() -> None:
    assert score_predictions(values([2.0, 2.0], [1.0, 3.0]), VALUES).keys() == {"rmse", "mae"}


def test_some_scores_can_be_asked_for() -> None:
    p = said([0, 1], predicted=[0, 0])
    assert score_predictions(p, CLASSES, ["accuracy", "log_loss"]) == {"accuracy": 0.5}
    assert score_predictions(p, CLASSES, []) == {}


@pytest.mark.parametrize("task", TASKS)
def test_every_task_is_chosen_by_scores_of_its_own(task: str) -> None:
    assert set(TASKS[task].chosen_by) <= set(scores_of_task(task))
    assert TASKS[task].main_score.task == task


def test_scores_know_what_is_better_and_how_people_read_them() -> None:
    accuracy, rmse = SCORES["accuracy"], SCORES["rmse"]
    assert accuracy.better(0.8, 0.7)
    assert rmse.better(0.7, 0.8)
    assert (accuracy.shown(0.5), accuracy.unit, rmse.shown(0.5), rmse.unit) == (50, "%", 0.5, "")


def test_a_score_of_another_task_is_refused() -> None:
    with pytest.raises(SettingError, match="'rmse' is not a score of classification; expected"):
        find_score("rmse", CLASSES)
    with pytest.raises(SettingError, match="did you mean 'accuracy'"):
        find_score("acuracy", CLASSES)
    assert find_score("mcc", CLASSES) is SCORES["mcc"]
