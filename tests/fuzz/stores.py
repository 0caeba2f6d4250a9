"""Stores and exports of results: a good one, edits of its rows and lines, and readers of all."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from fuzz.mutators import TOKENS, VALUES, Files, mutated_bytes, mutated_tree
from graphrings.results.checksums import signed
from graphrings.results.export import csv_lines
from graphrings.results.json_lines import json_lines
from graphrings.results.merge import merge
from graphrings.results.record import ExperimentCard, Record
from graphrings.results.soundness import examine
from graphrings.results.store import Store
from graphrings.tasks.predictions import Predictions
from graphrings.tasks.scores import score_predictions
from results.samples import TRIALS, card, failure, record

TABLES = ("experiments", "datasets", "methods", "cells", "cells", "cells", "failures")
HOW_IT_IS_KEPT = slice(18, 20)  # of SQLite's header: 2 for WAL, which no memory has


def of_classes() -> tuple[ExperimentCard, partial[Record]]:
    """An experiment, and what makes its records."""
    return card(), partial(record)


def of_values() -> tuple[ExperimentCard, partial[Record]]:
    """The same for a regression."""
    values = np.array([0.5, -1.25])
    said = Predictions(np.array([3, 8]), values, values + 0.1, 0)
    scores = score_predictions(said, "regression")
    trials = tuple(replace(trial, scores={"rmse": 0.1}) for trial in TRIALS)
    asked = [replace(one, class_names=(), class_counts=()) for one in card().datasets]
    made = card(task="regression", datasets=tuple(asked), folds="random")
    parts = {"test": said, "validation": said, "scores": scores, "trials": trials}
    return made, partial(record, **parts)


@cache
def good_stores() -> list[bytes]:
    """A store of classes and one of values, with finished cells and one that failed."""
    return [filled(*make()) for make in (of_classes, of_values)]


def filled(made: ExperimentCard, finished: Callable[..., Record]) -> bytes:
    """A store of some cells."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "x.db"
        with Store.write(path) as store:
            store.register(made)
            for fold in range(3):
                store.add("small", finished("MUTAG", "PGC", 0, fold))
            store.add("small", finished("PTC", "DGCNN", 0, 1))
            store.fail("small", failure("PTC", "PGC", 0, 0))
        content = bytearray(path.read_bytes())
    content[HOW_IT_IS_KEPT] = b"\1\1"
    return bytes(content)


def lines_of(content: bytes) -> bytes:
    """A store as JSON lines."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "x.db"
        path.write_bytes(content)
        with Store.read(path) as store:
            return "".join(json_lines(store, "small")).encode()


def store_seeds() -> list[Files]:
    """Stores."""
    return [{"x.db": content} for content in good_stores()]


def export_seeds() -> list[Files]:
    """Exports."""
    return [{"x.jsonl": lines_of(content)} for content in good_stores()]


def edited_store(rng: Random, files: Files) -> Files:
    """Other values in rows, mostly with a checksum that is right; or other bytes in the file."""
    if rng.random() < 0.25:
        return {"x.db": mutated_bytes(rng, files["x.db"])}
    connection = sqlite3.connect(":memory:")
    connection.row_factory = sqlite3.Row
    connection.deserialize(files["x.db"])
    for _ in range(rng.choice((1, 1, 2, 3))):
        edit_row(rng, connection, rng.choice(TABLES))
    connection.commit()
    content = connection.serialize()
    connection.close()
    return {"x.db": content}


def edit_row(rng: Random, connection: sqlite3.Connection, table: str) -> None:
    """Change one value of a row, where the table lets it be changed."""
    rows = connection.execute(f"SELECT rowid AS place, * FROM {table}").fetchall()  # noqa: S608
    if not rows:
        return
    row = dict(rng.choice(rows))
    place = row.pop("place")
    column = rng.choice(sorted(row.keys() - {"id"}))
    row[column] = edited_value(rng, row[column])
    if rng.random() < 0.9:
        row = signed(row)
    names = ", ".join(f"{name} = ?" for name in row)
    try:
        connection.execute(
            f"UPDATE {table} SET {names} WHERE rowid = ?",  # noqa: S608
            [*row.values(), place],
        )
    except (sqlite3.IntegrityError, OverflowError):
        return


def edited_value(rng: Random, value: Any) -> Any:
    """JSON with one place changed, packed bytes with others inside, or something else."""
    if isinstance(value, str) and value[:1] in ("{", "[") and rng.random() < 0.8:
        with suppress(ValueError):  # it was changed before
            return json.dumps(mutated_tree(rng, json.loads(value)))
    if isinstance(value, bytes) and rng.random() < 0.8:
        with suppress(zlib.error):  # it was changed before
            return zlib.compress(mutated_bytes(rng, zlib.decompress(value)))
    other = rng.choice([*VALUES, *TOKENS])
    return json.dumps(other) if isinstance(other, list | dict) else other


def edited_export(rng: Random, files: Files) -> Files:
    """One line with one place of its tree changed, or other bytes anywhere."""
    content = files["x.jsonl"]
    if rng.random() < 0.3:
        return {"x.jsonl": mutated_bytes(rng, content)}
    lines = content.splitlines(keepends=True)
    k = rng.randrange(len(lines))
    lines[k] = json.dumps(mutated_tree(rng, json.loads(lines[k]))).encode() + b"\n"
    return {"x.jsonl": b"".join(lines)}


def read_store(path: Path) -> object:
    """Look a store over, then read all that it holds, as the commands do."""
    lines = list(examine(path).lines())
    with Store.read(path) as store:
        for name in store.experiments():
            lines += [*json_lines(store, name), *csv_lines(store, name)]
            store.finished(name), store.running(name), store.seconds(name)
    return lines


def read_export(path: Path) -> object:
    """Make a store of an export."""
    output = path.with_suffix(".db")
    merge([path], output)
    return output.stat().st_size
