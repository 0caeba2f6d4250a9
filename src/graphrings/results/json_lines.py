"""All that a store holds of an experiment as JSON lines, from which a store can be made again.

The first line is the experiment's card; every other line is a finished cell or one that failed.
Repetitions, folds and epochs count from 1 there, as in all that people read; ``chosen`` is a place
in the list of trials, from 0.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from typing import Any

from graphrings.errors import StoreError
from graphrings.results.contents import check_record
from graphrings.results.encoding import (
    dataset_of,
    experiment_fields,
    experiment_of,
    failure_fields,
    failure_of,
    method_of,
    record_fields,
    record_of,
    trial_fields,
)
from graphrings.results.record import Cell, Curve, ExperimentCard, Failure, Record, Trial
from graphrings.results.store import Store
from graphrings.tasks import TASKS

FORMAT = 1
TIMES = {"seconds": 0.0, "finished": "", "versions": {}}  # what two runs of a cell do not share
PACKED = ("test", "validation")
Entry = ExperimentCard | tuple[str, Record] | tuple[str, Failure]


def json_lines(
    store: Store,
    experiment: str,
    *,
    times: bool = True,
    curves: bool = True,
    part: ExperimentCard | None = None,
) -> Iterator[str]:
    """The card, one line per finished cell, and one per cell that failed; ``part`` is of a card."""
    card = part or store.card(experiment)
    yield _line("experiment", _card_fields(card), times=True)
    for record in store.each_record(experiment, curves=curves, part=card):
        yield _line("finished", _record_line(card, record, curves=curves), times=times)
    for failure in store.failures(experiment, part=card):
        fields = cell_fields(failure.cell) | failure_fields(failure)
        yield _line("failed", {"experiment": experiment, **fields}, times=times)


def read_json_lines(lines: Iterable[str], source: str) -> Iterator[Entry]:
    """What such lines hold; each finished or failed cell with the name of its experiment."""
    cards: dict[str, ExperimentCard] = {}
    for number, line in enumerate(lines, 1):
        try:
            fields = json.loads(line)
            kind = fields.pop("kind")
            if kind == "experiment":
                card = _card_of(fields)
                yield cards.setdefault(card.name, card)
                continue
            name = fields.pop("experiment")
            if name not in cards:
                raise ValueError(f"experiment {name!r} has no line before its cells")
            if kind not in READERS:
                raise ValueError(f"kind = {kind!r}; expected experiment, finished or failed")
            yield name, READERS[kind](_cell_of(fields, cards[name]), fields, cards[name])
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            what = f"no {error}" if isinstance(error, KeyError) else str(error)
            raise StoreError(
                f"{source}:{number}: not a line of `graphrings export --format jsonl` ({what})"
            ) from error
    if not cards:
        raise StoreError(f"{source}: no experiment; expected the lines of an export")


def cell_fields(cell: Cell) -> dict[str, Any]:
    """A cell as people read it: repetition and fold count from 1."""
    return cell._replace(repetition=cell.repetition + 1, fold=cell.fold + 1)._asdict()


def _line(kind: str, fields: dict[str, Any], *, times: bool) -> str:
    if not times:
        for part in (fields, *fields.get("trials", [])):
            for name in TIMES:
                part.pop(name, None)
    return json.dumps({"kind": kind, **fields}) + "\n"


def _card_fields(card: ExperimentCard) -> dict[str, Any]:
    parts = {name: list(map(asdict, getattr(card, name))) for name in ("datasets", "methods")}
    return {"format": FORMAT, **experiment_fields(card), **parts}


def _card_of(fields: dict[str, Any]) -> ExperimentCard:
    if (version := fields["format"]) != FORMAT:
        raise ValueError(f"format {version} of the lines; this graphrings reads {FORMAT}")
    if fields["task"] not in TASKS:
        raise ValueError(f"task = {fields['task']!r}; expected one of {', '.join(TASKS)}")
    datasets, methods = map(dataset_of, fields["datasets"]), map(method_of, fields["methods"])
    return experiment_of(fields, datasets, methods)


def _cell_of(fields: dict[str, Any], card: ExperimentCard) -> Cell:
    cell = Cell(*(fields.pop(name) for name in Cell._fields))
    fingerprints = {dataset.name: dataset.fingerprint for dataset in card.datasets}
    if cell.method not in [method.name for method in card.methods]:
        raise ValueError(f"method {cell.method!r} is not one of its experiment")
    if cell.dataset not in fingerprints:
        raise ValueError(f"dataset {cell.dataset!r} is not one of its experiment")
    if fields.get("fingerprint", wanted := fingerprints[cell.dataset]) != wanted:
        raise ValueError(f"fingerprint {fields['fingerprint']}; expected {wanted}")
    if not 1 <= cell.repetition <= card.repetitions or not 1 <= cell.fold <= card.n_folds:
        raise ValueError(
            f"repetition {cell.repetition}, fold {cell.fold} of an experiment with "
            f"{card.repetitions} repetitions of {card.n_folds} folds"
        )
    return cell._replace(repetition=cell.repetition - 1, fold=cell.fold - 1)


def _record_line(card: ExperimentCard, record: Record, *, curves: bool) -> dict[str, Any]:
    fields = record_fields(record, card.task)
    packed = {name: fields[name] and b64encode(fields[name]).decode() for name in PACKED}
    trials = [_trial_line(trial, curves=curves) for trial in record.trials]
    return {
        "experiment": card.name,
        **cell_fields(record.cell),
        **fields,
        **packed,
        "trials": trials,
    }


def _trial_line(trial: Trial, *, curves: bool) -> dict[str, Any]:
    fields = trial_fields(trial)
    if trial.best_epoch is not None:
        fields["best_epoch"] = trial.best_epoch + 1
    if curves:
        fields["curve"] = trial.curve and {
            name: list(map(float, values)) for name, values in vars(trial.curve).items()
        }
    return fields


def _record_of(cell: Cell, fields: dict[str, Any], card: ExperimentCard) -> Record:
    curves = []
    for trial in fields["trials"]:
        curve = trial.pop("curve", None)
        curves.append(curve and Curve(**{name: tuple(values) for name, values in curve.items()}))
        trial.setdefault("seconds", TIMES["seconds"])
        if trial["best_epoch"] is not None:
            trial["best_epoch"] -= 1
    packed = {name: fields[name] and b64decode(fields[name], validate=True) for name in PACKED}
    record = record_of(cell, {**TIMES, **fields, **packed}, curves, card.task)
    check_record(record, card)
    return record


def _failure_of(cell: Cell, fields: dict[str, Any], card: ExperimentCard) -> Failure:
    del card
    return failure_of(cell, {**TIMES, **fields})


READERS: dict[str, Callable[[Cell, dict[str, Any], ExperimentCard], Any]] = {
    "finished": _record_of,
    "failed": _failure_of,
}
