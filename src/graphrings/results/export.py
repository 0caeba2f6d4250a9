"""What a store holds of an experiment as CSV or JSON lines."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

from graphrings.results.encoding import sorted_json, trial_json
from graphrings.results.record import Failure, Record, Trial
from graphrings.results.store import Store

TIMES = ("seconds", "finished", "versions")  # what two runs of the same cells do not share


def csv_lines(store: Store, experiment: str, *, times: bool = True) -> Iterator[str]:
    """A heading, and one flat row a finished cell."""
    columns = [name for name in COLUMNS if times or name not in TIMES]
    yield _csv_line(columns)
    for record in store.each_record(experiment, curves=False):
        row = flat(record)
        yield _csv_line([row[name] for name in columns])


def json_lines(
    store: Store, experiment: str, *, times: bool = True, curves: bool = True
) -> Iterator[str]:
    """One object a cell with all that is known of it: first the finished, then the failed."""
    for record in store.each_record(experiment, curves=curves):
        yield _json_line(_whole(experiment, record, curves=curves), times)
    for failure in store.failures(experiment):
        yield _json_line(_failed(experiment, failure), times)


def flat(record: Record) -> dict[str, Any]:
    """A record as one row; repetition, fold and best epoch count from 0."""
    won = record.trials[record.chosen]
    return {
        **record.cell._asdict(),
        "n_training": record.n_training,
        "n_validation": record.n_validation,
        "n_test": record.n_test,
        **_scores(record),
        "confusion": json.dumps(record.test.confusion),
        "setting": sorted_json(won.setting),
        "epochs": won.epochs,
        "best_epoch": won.best_epoch,
        "seed": won.seed,
        "fingerprint": record.fingerprint,
        "seconds": record.seconds,
        "finished": record.finished,
        "versions": json.dumps(dict(record.versions), sort_keys=True),
    }


COLUMNS = (
    "dataset",
    "method",
    "repetition",
    "fold",
    "n_training",
    "n_validation",
    "n_test",
    "accuracy",
    "balanced_accuracy",
    "macro_f1",
    "log_loss",
    "auroc",
    "confusion",
    "setting",
    "epochs",
    "best_epoch",
    "seed",
    "fingerprint",
    "seconds",
    "finished",
    "versions",
)


def _scores(record: Record) -> dict[str, Any]:
    return {key: value for key, value in vars(record.test).items() if key != "confusion"}


def _whole(experiment: str, record: Record, *, curves: bool) -> dict[str, Any]:
    return {
        "experiment": experiment,
        "status": "finished",
        **record.cell._asdict(),
        "fingerprint": record.fingerprint,
        "n_training": record.n_training,
        "n_validation": record.n_validation,
        "n_test": record.n_test,
        "test": dict(vars(record.test)),
        "chosen": record.chosen,
        "trials": [_trial(trial, curves=curves) for trial in record.trials],
        "seconds": record.seconds,
        "finished": record.finished,
        "versions": dict(record.versions),
    }


def _trial(trial: Trial, *, curves: bool) -> dict[str, Any]:
    known = trial_json(trial)
    if curves:
        known["curve"] = dict(vars(trial.curve)) if trial.curve else None
    return known


def _failed(experiment: str, failure: Failure) -> dict[str, Any]:
    return {
        "experiment": experiment,
        "status": "failed",
        **failure.cell._asdict(),
        "error": failure.error,
        "seconds": failure.seconds,
        "finished": failure.finished,
    }


def _json_line(known: dict[str, Any], times: bool) -> str:
    if not times:
        for part in (known, *known.get("trials", [])):
            for name in TIMES:
                part.pop(name, None)
    return json.dumps(known) + "\n"


def _csv_line(values: list[Any]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(values)
    return text.getvalue()
