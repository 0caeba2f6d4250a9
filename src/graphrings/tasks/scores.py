"""THE list of scores. A new one is one entry here."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Any

import numpy as np

from graphrings.errors import SettingError
from graphrings.spelling import suggestion
from graphrings.tasks.predictions import Predictions

N_BINS = 10  # of the expected calibration error
CLASSES, VALUES = "classification", "regression"


@dataclass(frozen=True)
class Score:
    """How good predictions are, as one number.

    ``function`` returns None where the score is not defined, such as AUROC without two classes.
    A score in percent is kept as a share and shown times 100. ``limits`` are values that it never
    passes.
    """

    name: str
    title: str
    function: Callable[[Predictions], float | None]
    task: str = CLASSES
    percent: bool = True
    lower_is_better: bool = False
    limits: tuple[float, float] = (0.0, 1.0)

    @property
    def unit(self) -> str:
        """What stands behind a shown value."""
        return "%" if self.percent else ""

    @property
    def shown_limits(self) -> tuple[float, float]:
        """The limits as people read them."""
        return self.shown(self.limits[0]), self.shown(self.limits[1])

    def shown(self, value: float) -> float:
        """A value as people read it."""
        return 100 * value if self.percent else value

    def written(self, value: float) -> str:
        """A value with its title and unit: ``accuracy 85.1%``, ``RMSE 0.731``."""
        return f"{self.title} {value:.1%}" if self.percent else f"{self.title} {value:.3g}"

    def better(self, one: float, other: float) -> bool:
        """Whether one value beats another."""
        return one < other if self.lower_is_better else one > other


def scores_of_task(task: str) -> list[str]:
    """The names of all scores of a task, in the order of the list."""
    return [score.name for score in SCORES.values() if score.task == task]


def score_predictions(
    predictions: Predictions, task: str, names: Iterable[str] | None = None
) -> dict[str, float]:
    """The scores of these names, by default all of the task, as far as they are defined."""
    wanted = scores_of_task(task) if names is None else names
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of classes that a small fold does not have
        values = {name: SCORES[name].function(predictions) for name in wanted}
    return {name: float(value) for name, value in values.items() if value is not None}


def find_score(name: str, task: str) -> Score:
    """The score of this name, which must be one of the task."""
    known = scores_of_task(task)
    if name not in known:
        raise SettingError(
            f"{name!r} is not a score of {task}; expected one of {', '.join(known)}"
            f"{suggestion(name, known)}"
        )
    return SCORES[name]


def _metric(name: str) -> Callable[..., float]:
    """A function of scikit-learn, imported when it is first used: to read a store is quick."""

    def compute(*arrays: Any, **options: Any) -> float:
        from sklearn import metrics

        return float(getattr(metrics, name)(*arrays, **options))

    return compute


def _of_predicted(
    function: Callable[..., float | None], **options: Any
) -> Callable[[Predictions], float | None]:
    return lambda p: function(p.truth, p.predicted, **options)


def _of_ranking(function: Callable[..., float]) -> Callable[[Predictions], float | None]:
    """A score of how two classes are ranked, where both occur."""

    def score(p: Predictions) -> float | None:
        if p.ranking is None or len(np.unique(p.truth)) < 2:
            return None
        return function(p.truth, p.ranking)

    return score


def _of_probabilities(
    function: Callable[..., float],
) -> Callable[[Predictions], float | None]:
    """A score of probabilities; single precision lets their sums stray a little from 1."""

    def score(p: Predictions) -> float | None:
        if p.probabilities is None:
            return None
        shares = p.probabilities.astype(np.float64)
        shares /= shares.sum(axis=1, keepdims=True)
        return function(p.truth, shares, labels=np.arange(p.n_classes))

    return score


def expected_calibration_error(truth: Any, probabilities: Any, labels: Any) -> float:
    """The gap between confidence and accuracy, averaged over ten bins of confidence by size."""
    del labels
    confidence, hits = probabilities.max(axis=1), probabilities.argmax(axis=1) == truth
    bins = np.minimum((confidence * N_BINS).astype(np.int64), N_BINS - 1)
    gaps = np.bincount(bins, hits - confidence, minlength=N_BINS)
    return float(np.abs(gaps).sum() / len(truth))


def spearman(truth: Any, predicted: Any) -> float | None:
    """The rank correlation, where neither side is constant."""
    if np.ptp(truth) == 0 or np.ptp(predicted) == 0:
        return None
    from scipy.stats import spearmanr

    return float(spearmanr(truth, predicted).statistic)


def r_squared(truth: Any, predicted: Any) -> float | None:
    """The share of the variance that is explained, where there is any."""
    return None if np.ptp(truth) == 0 else _metric("r2_score")(truth, predicted)


_value = partial(Score, task=VALUES, percent=False, limits=(0.0, inf))
SCORES: Mapping[str, Score] = {
    score.name: score
    for score in (
        Score("accuracy", "accuracy", _of_predicted(_metric("accuracy_score"))),
        Score(
            "balanced_accuracy",
            "balanced accuracy",
            _of_predicted(_metric("balanced_accuracy_score")),
        ),
        Score("macro_f1", "macro F1", _of_predicted(_metric("f1_score"), average="macro")),
        Score(
            "mcc",
            "MCC",
            _of_predicted(_metric("matthews_corrcoef")),
            percent=False,
            limits=(-1.0, 1.0),
        ),
        Score("auroc", "AUROC", _of_ranking(_metric("roc_auc_score"))),
        Score(
            "average_precision",
            "average precision",
            _of_ranking(_metric("average_precision_score")),
        ),
        Score(
            "log_loss",
            "log loss",
            _of_probabilities(_metric("log_loss")),
            percent=False,
            lower_is_better=True,
            limits=(0.0, inf),
        ),
        Score(
            "brier",
            "Brier score",
            _of_probabilities(_metric("brier_score_loss")),
            percent=False,
            lower_is_better=True,
            limits=(0.0, 2.0),  # of three and more classes
        ),
        Score(
            "ece",
            "expected calibration error",
            _of_probabilities(expected_calibration_error),
            lower_is_better=True,
        ),
        _value(
            "rmse",
            "RMSE",
            _of_predicted(_metric("root_mean_squared_error")),
            lower_is_better=True,
        ),
        _value("mae", "MAE", _of_predicted(_metric("mean_absolute_error")), lower_is_better=True),
        _value("r2", "R²", _of_predicted(r_squared), limits=(-inf, 1.0)),
        _value("spearman", "Spearman correlation", _of_predicted(spearman), limits=(-1.0, 1.0)),
    )
}


def are_better(
    one: Mapping[str, float], other: Mapping[str, float], chosen_by: Sequence[str]
) -> bool:
    """Whether scores beat others: by the first of some scores that differs and that both have."""
    for name in chosen_by:
        if name not in one or name not in other:
            return False
        if one[name] != other[name]:
            return SCORES[name].better(one[name], other[name])
    return False
