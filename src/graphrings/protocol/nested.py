"""One cell of a nested cross-validation: choose on the validation fold, test once."""

from __future__ import annotations

import platform
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from graphrings.errors import UnseenLabelWarning
from graphrings.graphs.array_cache import ArrayCache
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.selection import Selection
from graphrings.methods import find
from graphrings.processor import processor
from graphrings.protocol.experiment import grid_points
from graphrings.protocol.halving import first_epochs, halved, rounds
from graphrings.protocol.jobs import Job, now
from graphrings.protocol.kept_fits import Training, keep_fit, place_of, read_fit
from graphrings.protocol.refit import is_refitted, of_estimator
from graphrings.protocol.seeds import seed
from graphrings.results.record import (
    PROCESSOR,
    Curve,
    Failure,
    MethodCard,
    Record,
    Setting,
    Trial,
)
from graphrings.tasks import TASKS, Task
from graphrings.tasks.predictions import Predictions
from graphrings.tasks.scores import are_better, score_predictions
from graphrings.tasks.task import Numbers

LIBRARIES = ("graphrings", "numpy", "scipy", "numba", "torch", "scikit-learn")


@dataclass(frozen=True)
class Part:
    """One part of a split: graphs without targets, and apart from them their targets."""

    graphs: Selection
    targets: Numbers
    n_classes: int  # 0 where targets are values


class Fitted(NamedTuple):
    """A trial, its estimator, and what that says of the validation fold."""

    trial: Trial
    estimator: Any
    validation: Predictions

    def after(self, earlier: Trial) -> Fitted:
        """The same with the seconds that an earlier round took."""
        seconds = self.trial.seconds + earlier.seconds
        return self._replace(trial=replace(self.trial, seconds=seconds))


def attempt(job: Job, dataset: Dataset, cache: ArrayCache) -> Record | Failure:
    """Run a job; whatever goes wrong inside belongs to its cell and stops no other."""
    start = perf_counter()
    try:
        return run_cell(job, dataset, cache)
    except Exception as error:  # any library may fail in its own way
        kind = "" if type(error).__module__ == "graphrings.errors" else f"{type(error).__name__}: "
        reason = " ".join(f"{kind}{error}".split())
        return Failure(job.cell, reason, perf_counter() - start, now())


def run_cell(job: Job, dataset: Dataset, cache: ArrayCache) -> Record:
    """Fit every point of the grid, keep the best on the validation fold, and test that one.

    A row with refit fits the winner once more before.
    """
    start, task = perf_counter(), TASKS[job.task]
    chosen_by = job.chosen_by or task.chosen_by
    training, validation, test = split_graphs(job, dataset, cache)
    if first_epochs(job.method.settings) is None:
        trials, best, chosen = try_all(job, training, validation, chosen_by)
    else:
        trials, best, chosen = try_by_halving(job, training, validation, chosen_by)
    if is_refitted(best.trial.setting):
        refit(best.estimator, training, validation)
    tested = predictions_of(best.estimator, test, task)  # the only line that reads a test fold
    return Record(
        cell=job.cell,
        fingerprint=dataset.fingerprint,
        n_training=len(job.split.training),
        n_validation=len(job.split.validation),
        n_test=len(job.split.test),
        trials=tuple(trials),
        chosen=chosen,
        scores=score_predictions(tested, task.name),
        test=tested,
        validation=best.validation,
        seconds=max(perf_counter() - start, sum(trial.seconds for trial in trials)),
        versions={**versions(), **find(job.method.method, job.home).versions},
        finished=now(),
    )


def try_all(
    job: Job, training: Part, validation: Part, chosen_by: Sequence[str]
) -> tuple[list[Trial], Fitted, int]:
    """Every point of the grid, the best of them, and its number."""
    trials, best, chosen = list[Trial](), None, -1
    for setting in grid_points(job.method):
        fitted = run_trial(job, setting, training, validation)
        trials.append(fitted.trial)
        if best is None or better(fitted.trial, best.trial, chosen_by):
            best, chosen = fitted, len(trials) - 1
    assert best is not None
    return trials, best, chosen


def try_by_halving(
    job: Job, training: Part, validation: Part, chosen_by: Sequence[str]
) -> tuple[list[Trial], Fitted, int]:
    """Every point of the grid for some epochs, the better ones for more, the best to its end."""
    settings, plan = grid_points(job.method), planned_rounds(job.method, job.home, TASKS[job.task])

    def go_on(number: int, epochs: int, before: Fitted | None) -> Fitted:
        if before is not None and before.trial.epochs != before.estimator.max_epochs:
            return before  # it had stopped early
        fitted = run_trial(job, settings[number], training, validation, epochs)
        return fitted if before is None else fitted.after(before.trial)

    def beats(one: Fitted, other: Fitted) -> bool:
        return better(one.trial, other.trial, chosen_by)

    fits, chosen = halved(len(settings), plan, go_on, beats)
    return [fitted.trial for fitted in fits], fits[chosen], chosen


def planned_rounds(row: MethodCard, home: Path | None, task: Task) -> list[tuple[int, int]]:
    """The rounds of a row with successive halving; a setting with fewer epochs has its own."""
    settings, first = grid_points(row), first_epochs(row.settings)
    assert first is not None
    known = find(row.method, home).parameters(task)
    longest = max({**known, **setting}["max_epochs"] for setting in settings)
    return rounds(len(settings), first, longest)


def split_graphs(job: Job, dataset: Dataset, cache: ArrayCache) -> Iterator[Part]:
    """The training, validation and test graphs of a job.

    All are selections of one dataset without targets: a method knows those of the graphs that it
    is given, and no others.
    """
    task = TASKS[job.task]
    targets, n_classes = task.numbers(dataset), len(task.class_names(dataset))
    blind = dataset.changed(targets=None)
    for part in job.split:
        yield Part(Selection(blind, part, cache), targets[part], n_classes)


def run_trial(
    job: Job, setting: Setting, training: Part, validation: Part, epochs: int | None = None
) -> Fitted:
    """Fit one setting on the training graphs, for so many epochs, and score it on validation.

    Only the scores that choose among trials are computed; all others follow from the winner's
    predictions, and would cost a kernel with many trials more than its fits.
    """
    start, cell, task = perf_counter(), job.cell, TASKS[job.task]
    own_seed = seed(
        job.seed, cell.dataset, job.method.method, cell.repetition, cell.fold, dict(setting)
    )
    method = find(job.method.method, job.home)
    known = of_estimator(setting)
    if epochs is not None:
        known["max_epochs"] = min(epochs, {**method.parameters(task), **known}["max_epochs"])
    estimator = method.build(known, own_seed, task)
    kept = place_of(job, estimator, known, own_seed, versions())
    if kept is not None and kept.is_file():
        estimator, trained = read_fit(kept, type(estimator))
    else:
        fit(estimator, training, validation)
        trained = training_of(estimator, perf_counter() - start)
        if kept is not None:
            keep_fit(kept, estimator, trained)
    predictions = predictions_of(estimator, validation, task)
    scores = score_predictions(predictions, task.name, job.chosen_by or task.chosen_by)
    return Fitted(Trial(setting, own_seed, scores, *trained), estimator, predictions)


def better(one: Trial, other: Trial, chosen_by: Sequence[str]) -> bool:
    """Whether a trial beats an earlier one: by the first score that differs and that both have."""
    return are_better(one.scores, other.scores, chosen_by)


def fit(estimator: Any, training: Part, validation: Part) -> None:
    """Fit an estimator; labels that only other folds have are no news here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenLabelWarning)
        estimator.fit(
            training.graphs, training.targets, validation=(validation.graphs, validation.targets)
        )


def refit(estimator: Any, training: Part, validation: Part) -> None:
    """Fit an estimator again, on all graphs that it may know."""
    graphs = np.concatenate([training.graphs.graphs, validation.graphs.graphs])
    targets = np.concatenate([training.targets, validation.targets])
    order = np.argsort(graphs)  # as if the two had never been apart
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenLabelWarning)
        estimator.refit(replace(training.graphs, graphs=graphs[order]), targets[order])


def predictions_of(estimator: Any, part: Part, task: Task) -> Predictions:
    """What a fitted estimator says of graphs whose targets are known."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenLabelWarning)
        return task.predictions(
            estimator, part.graphs, part.graphs.graphs, part.targets, part.n_classes
        )


def training_of(estimator: Any, seconds: float) -> Training:
    """What a trial says of the fit of its estimator."""
    history = getattr(estimator, "history_", None)
    if history is None:
        return Training(seconds)
    return Training(seconds, len(history.epochs), history.best, curve(history))


def curve(history: Any) -> Curve:
    """The figures of all epochs."""
    names = ("train_loss", "train_score", "validation_loss", "validation_score")
    return Curve(**{n: tuple(float(getattr(e, n)) for e in history.epochs) for n in names})


@cache
def versions() -> Mapping[str, str]:
    """The versions of what makes the numbers, and the processor, which rounds them."""
    libraries = {name: version(name) for name in LIBRARIES}
    return {**libraries, "python": platform.python_version(), PROCESSOR: processor()}
