"""One cell of a nested cross-validation: choose on the validation fold, test once."""

from __future__ import annotations

import platform
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import version
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import DivergenceError, UnseenLabelWarning
from graphrings.graphs.array_cache import ArrayCache
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.selection import Selection
from graphrings.methods import find
from graphrings.protocol.experiment import settings_of
from graphrings.protocol.jobs import Job, now
from graphrings.protocol.scores import scores
from graphrings.protocol.seeds import seed
from graphrings.results.record import Curve, Failure, Record, Scores, Setting, Trial

LIBRARIES = ("graphrings", "numpy", "scipy", "numba", "torch", "scikit-learn")


@dataclass(frozen=True)
class Known:
    """Graphs and their classes."""

    graphs: Selection
    targets: NDArray[np.int64]
    n_classes: int


def attempt(job: Job, dataset: Dataset, shared: ArrayCache) -> Record | Failure:
    """Run a job; whatever goes wrong inside belongs to its cell and stops no other."""
    start = perf_counter()
    try:
        return run_cell(job, dataset, shared)
    except Exception as error:  # any library may fail in its own way
        kind = "" if type(error).__module__ == "graphrings.errors" else f"{type(error).__name__}: "
        reason = " ".join(f"{kind}{error}".split())
        return Failure(job.cell, reason, perf_counter() - start, now())


def run_cell(job: Job, dataset: Dataset, shared: ArrayCache) -> Record:
    """Fit every setting of the grid, keep the best on the validation fold, and test that one."""
    start = perf_counter()
    training, validation, test = known_graphs(job, dataset, shared)
    trials, best, chosen = [], None, -1
    for setting in settings_of(job.method):
        trial, estimator = run_trial(job, setting, training, validation)
        trials.append(trial)
        if chosen < 0 or better(trial, trials[chosen]):
            best, chosen = estimator, len(trials) - 1
    return Record(
        cell=job.cell,
        fingerprint=dataset.fingerprint,
        n_training=len(job.split.training),
        n_validation=len(job.split.validation),
        n_test=len(job.split.test),
        trials=tuple(trials),
        chosen=chosen,
        test=judge(best, test),  # the only line that reads a test fold
        seconds=perf_counter() - start,
        versions=versions(),
        finished=now(),
    )


def known_graphs(job: Job, dataset: Dataset, shared: ArrayCache) -> Iterator[Known]:
    """The training, validation and test graphs of a job.

    All are selections of one dataset without classes: a method knows those of the graphs that it
    is given, and no others.
    """
    assert dataset.targets is not None
    blind = replace(dataset, targets=None)
    for part in job.split:
        targets = dataset.targets[part].astype(np.int64)
        yield Known(Selection(blind, part, shared), targets, dataset.n_classes)


def run_trial(job: Job, setting: Setting, training: Known, validation: Known) -> tuple[Trial, Any]:
    """Fit one setting on the training graphs and judge it on the validation fold."""
    start = perf_counter()
    cell = job.cell
    own_seed = seed(
        job.seed, cell.dataset, job.method.method, cell.repetition, cell.fold, dict(setting)
    )
    estimator = find(job.method.method).build(setting, own_seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenLabelWarning)  # of graphs in other folds, mostly
        estimator.fit(
            training.graphs, training.targets, validation=(validation.graphs, validation.targets)
        )
    found = judge(estimator, validation)
    history = getattr(estimator, "history_", None)
    return (
        Trial(
            setting=setting,
            seed=own_seed,
            accuracy=found.accuracy,
            log_loss=found.log_loss,
            seconds=perf_counter() - start,
            epochs=None if history is None else len(history.epochs),
            best_epoch=None if history is None else history.best,
            curve=None if history is None else curve(history),
        ),
        estimator,
    )


def better(one: Trial, other: Trial) -> bool:
    """Whether a trial beats an earlier one: by accuracy, then by log loss."""
    if one.accuracy != other.accuracy:
        return one.accuracy > other.accuracy
    if one.log_loss is None or other.log_loss is None:
        return False
    return one.log_loss < other.log_loss


def judge(estimator: Any, known: Known) -> Scores:
    """The scores of a fitted estimator on graphs of known classes."""
    graphs, truth, n_classes = known.graphs, known.targets, known.n_classes
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenLabelWarning)
        if not hasattr(estimator, "predict_proba"):
            margin = estimator.decision_function(graphs) if n_classes == 2 else None
            return scores(truth, estimator.predict(graphs), n_classes, margin=margin)
        given = estimator.predict_proba(graphs)
    if not np.isfinite(given).all():
        raise DivergenceError("the probabilities are no numbers; a smaller learning rate may help")
    probabilities = np.zeros((len(truth), n_classes))
    probabilities[:, estimator.classes_] = given  # a class may be missing in training
    return scores(truth, probabilities.argmax(axis=1), n_classes, probabilities)


def curve(history: Any) -> Curve:
    """The figures of all epochs."""
    names = ("train_loss", "train_accuracy", "validation_loss", "validation_accuracy")
    return Curve(**{n: tuple(float(getattr(e, n)) for e in history.epochs) for n in names})


@cache
def versions() -> Mapping[str, str]:
    """The versions of what makes the numbers."""
    found = {name: version(name) for name in LIBRARIES}
    return {**found, "python": platform.python_version(), "machine": platform.machine()}
