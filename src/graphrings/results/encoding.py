"""Records and cards as rows of a store, and back, to the last bit of every number."""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from graphrings.errors import StoreError
from graphrings.results.record import (
    Cell,
    Curve,
    DatasetCard,
    ExperimentCard,
    Failure,
    MethodCard,
    Record,
    Scores,
    Setting,
    Trial,
)

Row = Mapping[str, Any]


def place(experiment: str, cell: Cell) -> dict[str, Any]:
    """The columns that say which cell a row is about."""
    return {
        "experiment": experiment,
        "dataset": cell.dataset,
        "method": cell.method,
        "repetition": int(cell.repetition),
        "fold": int(cell.fold),
    }


def cell_of(row: Row) -> Cell:
    """Which cell a row is about."""
    return Cell(row["dataset"], row["method"], row["repetition"], row["fold"])


def record_row(experiment: str, record: Record) -> dict[str, Any]:
    """A finished cell as a row."""
    won = record.trials[record.chosen]
    return place(experiment, record.cell) | {
        "fingerprint": record.fingerprint,
        "n_training": int(record.n_training),
        "n_validation": int(record.n_validation),
        "n_test": int(record.n_test),
        "accuracy": _real(record, record.test.accuracy),
        "balanced_accuracy": _real(record, record.test.balanced_accuracy),
        "macro_f1": _real(record, record.test.macro_f1),
        "log_loss": _real(record, record.test.log_loss),
        "auroc": _real(record, record.test.auroc),
        "confusion": json.dumps([[int(n) for n in counts] for counts in record.test.confusion]),
        "setting": sorted_json(won.setting),
        "epochs": _whole(won.epochs),
        "best_epoch": _whole(won.best_epoch),
        "chosen": int(record.chosen),
        "trials": json.dumps([trial_json(trial) for trial in record.trials]),
        "seconds": _real(record, record.seconds),
        "finished": record.finished,
        "versions": json.dumps(dict(record.versions)),
        "curves": _packed(record.trials),
    }


def record_of(row: Row, curves: bytes | None) -> Record:
    """The finished cell of a row; the curves of its trials stand apart."""
    cell = cell_of(row)
    try:
        plain = json.loads(row["trials"])
        drawn = _unpacked(curves) if curves else [None] * len(plain)
        trials = (Trial(**trial, curve=c) for trial, c in zip(plain, drawn, strict=True))
        return Record(
            cell=cell,
            fingerprint=row["fingerprint"],
            n_training=row["n_training"],
            n_validation=row["n_validation"],
            n_test=row["n_test"],
            trials=tuple(trials),
            chosen=row["chosen"],
            test=_scores_of(row),
            seconds=row["seconds"],
            versions=json.loads(row["versions"]),
            finished=row["finished"],
        )
    except (ValueError, TypeError, zlib.error) as error:
        raise ValueError(f"{cell}: {error}") from error


def failure_row(experiment: str, failure: Failure) -> dict[str, Any]:
    """A cell that failed as a row."""
    return place(experiment, failure.cell) | {
        "error": failure.error,
        "seconds": float(failure.seconds),
        "finished": failure.finished,
    }


def failure_of(row: Row) -> Failure:
    """The cell that failed of a row."""
    return Failure(cell_of(row), row["error"], row["seconds"], row["finished"])


def experiment_row(card: ExperimentCard) -> dict[str, Any]:
    """What an experiment is, without its datasets and methods."""
    return {
        "name": card.name,
        "seed": str(int(card.seed)),
        "folds": card.folds,
        "n_folds": int(card.n_folds),
        "repetitions": int(card.repetitions),
    }


def dataset_row(experiment: str, card: DatasetCard) -> dict[str, Any]:
    """A dataset of an experiment as a row."""
    rest = asdict(card)
    return {
        "experiment": experiment,
        "name": rest.pop("name"),
        "fingerprint": rest.pop("fingerprint"),
        "card": json.dumps(rest),
    }


def dataset_of(row: Row) -> DatasetCard:
    """The dataset of a row."""
    rest = json.loads(row["card"])
    rest["class_names"] = tuple(rest["class_names"])
    rest["class_counts"] = tuple(rest["class_counts"])
    return DatasetCard(name=row["name"], fingerprint=row["fingerprint"], **rest)


def method_row(experiment: str, card: MethodCard) -> dict[str, Any]:
    """A method of an experiment as a row."""
    return {
        "experiment": experiment,
        "name": card.name,
        "method": card.method,
        "settings": json.dumps(dict(card.settings)),
        "grid": json.dumps(dict(card.grid)),
        "citation": card.citation,
    }


def method_of(row: Row) -> MethodCard:
    """The method of a row."""
    grid = {key: tuple(values) for key, values in json.loads(row["grid"]).items()}
    settings = json.loads(row["settings"])
    return MethodCard(row["name"], row["method"], settings, grid, row["citation"])


def trial_json(trial: Trial) -> dict[str, Any]:
    """A trial as JSON knows it, without its curve."""
    return {
        "setting": dict(trial.setting),
        "seed": int(trial.seed),
        "accuracy": float(trial.accuracy),
        "log_loss": None if trial.log_loss is None else float(trial.log_loss),
        "seconds": float(trial.seconds),
        "epochs": _whole(trial.epochs),
        "best_epoch": _whole(trial.best_epoch),
    }


def sorted_json(setting: Setting) -> str:
    """A setting as text, the same whatever the order of its names."""
    return json.dumps(dict(setting), sort_keys=True)


def _scores_of(row: Row) -> Scores:
    return Scores(
        accuracy=row["accuracy"],
        balanced_accuracy=row["balanced_accuracy"],
        macro_f1=row["macro_f1"],
        log_loss=row["log_loss"],
        auroc=row["auroc"],
        confusion=tuple(map(tuple, json.loads(row["confusion"]))),
    )


def _real(record: Record, value: float | None) -> float | None:
    """A number for SQLite, which takes NaN for nothing."""
    if value is None:
        return None
    if math.isnan(value):
        raise StoreError(f"{record.cell}: a score that is not a number; it cannot be kept")
    return float(value)


def _whole(value: int | None) -> int | None:
    return None if value is None else int(value)


def _packed(trials: tuple[Trial, ...]) -> bytes | None:
    """The curves of all trials as compressed JSON."""
    if all(trial.curve is None for trial in trials):
        return None
    curves = [trial.curve and _columns(trial.curve) for trial in trials]
    return zlib.compress(json.dumps(curves).encode())


def _unpacked(packed: bytes) -> list[Curve | None]:
    curves = json.loads(zlib.decompress(packed))
    return [curve and Curve(*map(tuple, curve)) for curve in curves]


def _columns(curve: Curve) -> list[list[float]]:
    columns = (
        curve.train_loss,
        curve.train_accuracy,
        curve.validation_loss,
        curve.validation_accuracy,
    )
    return [[float(value) for value in column] for column in columns]
