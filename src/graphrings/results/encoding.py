"""Records and cards as plain values, of which rows of a store and lines of an export are made."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from graphrings.errors import StoreError
from graphrings.results import contents
from graphrings.results.packing import pack_predictions, unpack_predictions
from graphrings.results.record import (
    Cell,
    Curve,
    DatasetCard,
    ExperimentCard,
    Failure,
    MethodCard,
    Record,
    Setting,
    Trial,
)
from graphrings.tasks.predictions import Predictions
from graphrings.tasks.scores import score_predictions, scores_of_task

Fields = Mapping[str, Any]


def place(experiment: str, cell: Cell) -> dict[str, Any]:
    """The columns that say which cell a row is about."""
    return {
        "experiment": experiment,
        "dataset": cell.dataset,
        "method": cell.method,
        "repetition": int(cell.repetition),
        "fold": int(cell.fold),
    }


def cell_of(row: Fields) -> Cell:
    """Which cell a row is about."""
    contents.check(row, contents.CELL)
    return Cell(row["dataset"], row["method"], row["repetition"], row["fold"])


def record_fields(record: Record, task: str) -> dict[str, Any]:
    """A finished cell as JSON knows it, but for its cell, its curves, and packed predictions.

    A score of the task that is not defined here is None: so one can tell it from a score that is
    newer than the record.
    """
    scores = dict.fromkeys(scores_of_task(task)) | {
        name: _real(record, value) for name, value in record.scores.items()
    }
    return {
        "fingerprint": record.fingerprint,
        "n_training": int(record.n_training),
        "n_validation": int(record.n_validation),
        "n_test": int(record.n_test),
        "scores": scores,
        "chosen": int(record.chosen),
        "trials": [trial_fields(trial) for trial in record.trials],
        "test": None if record.test is None else pack_predictions(record.test),
        "validation": None if record.validation is None else pack_predictions(record.validation),
        "seconds": _real(record, record.seconds),
        "finished": record.finished,
        "versions": dict(record.versions),
    }


def record_of(cell: Cell, fields: Fields, curves: Iterable[Curve | None], task: str) -> Record:
    """The finished cell of some fields; scores that are newer than it are computed."""
    contents.check(fields, contents.RECORD)
    for trial in fields["trials"]:
        contents.check(trial, contents.TRIAL)
    trials = tuple(
        Trial(**trial, curve=curve) for trial, curve in zip(fields["trials"], curves, strict=True)
    )
    if not 0 <= fields["chosen"] < len(trials):
        raise ValueError(f"trial {fields['chosen']} was chosen of {len(trials)}")
    test, validation = (
        None if fields[part] is None else unpack_predictions(fields[part])
        for part in ("test", "validation")
    )
    return Record(
        cell=cell,
        fingerprint=fields["fingerprint"],
        n_training=fields["n_training"],
        n_validation=fields["n_validation"],
        n_test=fields["n_test"],
        trials=trials,
        chosen=fields["chosen"],
        scores=_all_scores(fields["scores"], test, task),
        test=test,
        validation=validation,
        seconds=fields["seconds"],
        versions=fields["versions"],
        finished=fields["finished"],
    )


def trial_fields(trial: Trial) -> dict[str, Any]:
    """A trial as JSON knows it, without its curve."""
    return {
        "setting": dict(trial.setting),
        "seed": int(trial.seed),
        "scores": {name: float(value) for name, value in trial.scores.items()},
        "seconds": float(trial.seconds),
        "epochs": None if trial.epochs is None else int(trial.epochs),
        "best_epoch": None if trial.best_epoch is None else int(trial.best_epoch),
    }


def failure_fields(failure: Failure) -> dict[str, Any]:
    """Why a cell failed, as JSON knows it."""
    return {
        "error": failure.error,
        "seconds": float(failure.seconds),
        "finished": failure.finished,
    }


def failure_of(cell: Cell, fields: Fields) -> Failure:
    """The cell that failed of some fields."""
    contents.check(fields, contents.FAILURE)
    return Failure(cell, fields["error"], fields["seconds"], fields["finished"])


def experiment_fields(card: ExperimentCard) -> dict[str, Any]:
    """What an experiment is, without its datasets and methods; a seed may have many digits."""
    return {
        "name": card.name,
        "task": card.task,
        "seed": str(int(card.seed)),
        "folds": card.folds,
        "n_folds": int(card.n_folds),
        "repetitions": int(card.repetitions),
    }


def experiment_of(
    fields: Fields, datasets: Iterable[DatasetCard], methods: Iterable[MethodCard]
) -> ExperimentCard:
    """The experiment of some fields."""
    contents.check(fields, contents.EXPERIMENT)
    card = ExperimentCard(
        name=fields["name"],
        task=fields["task"],
        seed=int(fields["seed"]),
        folds=fields["folds"],
        n_folds=fields["n_folds"],
        repetitions=fields["repetitions"],
        datasets=tuple(datasets),
        methods=tuple(methods),
    )
    contents.check_card(card)
    return card


def dataset_of(fields: Fields) -> DatasetCard:
    """The dataset of the fields that ``asdict`` gives."""
    contents.check(fields, contents.DATASET)
    lists = {name: tuple(fields[name]) for name in ("class_names", "class_counts")}
    return DatasetCard(**{**fields, **lists})


def method_of(fields: Fields) -> MethodCard:
    """The method of the fields that ``asdict`` gives."""
    fields = {"revision": 1, **fields}  # older stores and exports have none
    contents.check(fields, contents.METHOD)
    grid = {name: tuple(values) for name, values in fields["grid"].items()}
    return MethodCard(**{**fields, "grid": grid})


def dataset_row(experiment: str, card: DatasetCard) -> dict[str, Any]:
    """A dataset of an experiment as a row."""
    fields = asdict(card)
    kept = {name: fields.pop(name) for name in ("name", "fingerprint")}
    return {"experiment": experiment, **kept, "card": json.dumps(fields)}


def dataset_of_row(row: Fields) -> DatasetCard:
    """The dataset of a row."""
    kept = {name: row[name] for name in ("name", "fingerprint")}
    return dataset_of({**kept, **json.loads(row["card"])})


def method_row(experiment: str, card: MethodCard) -> dict[str, Any]:
    """A method of an experiment as a row."""
    mappings = {name: json.dumps(dict(getattr(card, name))) for name in ("settings", "grid")}
    return {"experiment": experiment, **vars(card), **mappings}


def method_of_row(row: Fields) -> MethodCard:
    """The method of a row."""
    kept = {name: row[name] for name in ("name", "method", "citation")}
    if "revision" in row.keys():  # noqa: SIM118, a row of SQLite; older tables have none
        kept["revision"] = row["revision"]
    mappings = {name: json.loads(row[name]) for name in ("settings", "grid")}
    return method_of({**kept, **mappings})


def sorted_json(setting: Setting) -> str:
    """A setting as text, the same whatever the order of its names."""
    return json.dumps(dict(setting), sort_keys=True)


def _all_scores(
    stored: Mapping[str, float | None], test: Predictions | None, task: str
) -> dict[str, float]:
    """The scores that are defined, with those that the list has got since they were stored."""
    scores = {name: value for name, value in stored.items() if value is not None}
    newer = [name for name in scores_of_task(task) if name not in stored]
    return scores if test is None else scores | score_predictions(test, task, newer)


def _real(record: Record, value: float) -> float:
    """A number that can be kept: SQLite takes NaN for nothing."""
    if math.isnan(value):
        raise StoreError(f"{record.cell}: a score that is not a number; it cannot be kept")
    return float(value)
