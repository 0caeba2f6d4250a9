"""What a store holds of an experiment as flat rows: one per cell, or one per predicted graph."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from graphrings.errors import StoreError
from graphrings.results.encoding import sorted_json
from graphrings.results.json_lines import TIMES, cell_fields
from graphrings.results.record import ExperimentCard, Record
from graphrings.results.store import Store
from graphrings.spreadsheets import Cells
from graphrings.tasks.predictions import Predictions
from graphrings.tasks.scores import scores_of_task
from graphrings.whole_files import whole_file

GZIP = ".gz"


def csv_lines(
    store: Store,
    experiment: str,
    *,
    times: bool = True,
    cells: Cells | None = None,
    part: ExperimentCard | None = None,
) -> Iterator[str]:
    """A heading, and one row per finished cell with every score of the task."""
    card, cells = part or store.card(experiment), cells or Cells()
    scores = scores_of_task(card.task)
    columns = [
        name for name in (*CELL_COLUMNS, *scores, *MORE_COLUMNS) if times or name not in TIMES
    ]
    yield _csv_line(columns)
    for record in store.each_record(experiment, curves=False, part=card):
        row = flat(record)
        yield _csv_line(cells.row(row.get(name) for name in columns))


def flat(record: Record) -> dict[str, Any]:
    """A record as one row; repetition, fold and best epoch count from 1."""
    won = record.trials[record.chosen]
    return {
        **cell_fields(record.cell),
        "n_training": record.n_training,
        "n_validation": record.n_validation,
        "n_test": record.n_test,
        **record.scores,
        "setting": sorted_json(won.setting),
        "epochs": won.epochs,
        "best_epoch": None if won.best_epoch is None else won.best_epoch + 1,
        "seed": won.seed,
        "fingerprint": record.fingerprint,
        "seconds": record.seconds,
        "finished": record.finished,
        "versions": json.dumps(dict(record.versions), sort_keys=True),
    }


CELL_COLUMNS = (
    "dataset",
    "method",
    "repetition",
    "fold",
    "n_training",
    "n_validation",
    "n_test",
)
MORE_COLUMNS = (
    "setting",
    "epochs",
    "best_epoch",
    "seed",
    "fingerprint",
    "seconds",
    "finished",
    "versions",
)


def prediction_lines(
    store: Store,
    experiment: str,
    style: str = "csv",
    cells: Cells | None = None,
    part: ExperimentCard | None = None,
) -> Iterator[str]:
    """A row for every graph of every test fold: its target and what the winner said of it.

    Cells without predictions have no rows.
    """
    card, cells = part or store.card(experiment), cells or Cells()
    if style == "csv":
        yield _csv_line(PREDICTION_COLUMNS)
    for record in store.each_record(experiment, curves=False, part=card):
        for row in predicted_graphs(card, record):
            if style == "csv":
                probabilities = row["probabilities"]
                said = "" if probabilities is None else json.dumps(probabilities)
                yield _csv_line(cells.row((row | {"probabilities": said}).values()))
            else:
                yield json.dumps(row) + "\n"


PREDICTION_COLUMNS = (
    "dataset",
    "graph",
    "repetition",
    "fold",
    "method",
    "truth",
    "predicted",
    "probabilities",
    "margin",
)


def predicted_graphs(card: ExperimentCard, record: Record) -> Iterator[dict[str, Any]]:
    """The graphs of a test fold. Classes go by their names; graphs count from 0, as in Python."""
    if record.test is None:
        return
    (classes,) = (data.class_names for data in card.datasets if data.name == record.cell.dataset)
    place = cell_fields(record.cell)
    for i, graph in enumerate(record.test.graphs.tolist()):
        row = {"graph": graph, **place, **_said(record.test, i, classes)}
        yield {name: row[name] for name in PREDICTION_COLUMNS}


def _said(test: Predictions, i: int, classes: tuple[str, ...]) -> dict[str, Any]:
    """What is known of one graph; single precision is written with as few digits as it needs."""
    truth, predicted = (values[i].item() for values in (test.truth, test.predicted))
    return {
        "truth": classes[truth] if classes else truth,
        "predicted": classes[predicted] if classes else predicted,
        "probabilities": None
        if test.probabilities is None
        else {name: float(str(p)) for name, p in zip(classes, test.probabilities[i], strict=True)},
        "margin": None if test.margin is None else float(str(test.margin[i])),
    }


def write_lines(lines: Iterable[str], path: Path, store: Path) -> None:
    """Write all lines or nothing: the file is replaced when they are complete.

    A name that ends in .gz is compressed; the same lines give the same bytes.
    """
    if path.exists() and path.samefile(store):
        raise StoreError(f"{path}: the store itself; expected another file to write")
    with whole_file(path) as place, place.open("wb") as file:
        if path.suffix == GZIP:
            with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
                packed.writelines(line.encode() for line in lines)
        else:
            file.writelines(line.encode() for line in lines)


def _csv_line(values: Iterable[Any]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(values)
    return text.getvalue()
