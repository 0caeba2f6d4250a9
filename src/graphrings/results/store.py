"""The store: what is known of every cell, in one SQLite file that survives anything."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import TracebackType
from typing import Self

from graphrings.errors import StoreError
from graphrings.results import database, encoding
from graphrings.results.differences import differences
from graphrings.results.packing import pack_curves, unpack_curves
from graphrings.results.record import Cell, ExperimentCard, Failure, Record

JSON_COLUMNS = ("scores", "trials", "versions")
RECORDS = """
SELECT dataset, method, repetition, fold, fingerprint, n_training, n_validation, n_test, scores,
    chosen, trials, test, validation, seconds, finished, versions,
    CASE WHEN :curves THEN curves END AS curves, task
FROM cells JOIN experiments ON experiments.name = experiment
WHERE experiment = :experiment
"""
THIS_CELL = """
dataset = :dataset AND method = :method AND repetition = :repetition AND fold = :fold
"""


class Store:
    """Results in one SQLite file (WAL).

    One process writes, any number reads meanwhile. An open store belongs to the process and the
    thread that opened it. Every change is one transaction, on the disk when the call returns;
    several ones may be made ``together``.
    """

    def __init__(
        self, path: Path, connection: sqlite3.Connection, lock: sqlite3.Connection | None
    ) -> None:
        self.path = path
        self._connection = connection
        self._lock = lock

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Open a store that exists, without any right to change it."""
        path = Path(path)
        with database.errors_in_one_line(path):
            return cls(path, database.open_reading(path), None)

    @classmethod
    def write(cls, path: str | Path) -> Self:
        """Open a store as its only writer; make it if there is none."""
        path = Path(path)
        with database.errors_in_one_line(path):
            database.check_writable(path)
            lock = database.lock_for_writing(path)
            try:
                connection = database.open_writing(path)
            except BaseException:
                lock.close()
                raise
        store = cls(path, connection, lock)
        try:
            store._forget_dead_runs()
        except BaseException:
            store.close()
            raise
        return store

    def close(self) -> None:
        """Close the file and let the next writer in."""
        self._connection.close()
        if self._lock is not None:
            self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def being_written(self) -> bool:
        """Whether a run has the store open for writing now, in this process or another."""
        with database.errors_in_one_line(self.path):
            return self._lock is not None or database.is_locked(self.path)

    def experiments(self) -> list[str]:
        """The names of all experiments, oldest first."""
        with database.errors_in_one_line(self.path):
            rows = self._connection.execute("SELECT name FROM experiments ORDER BY id")
            return [row["name"] for row in rows]

    def choose(self, experiment: str | None) -> str:
        """The experiment of that name, or the only one there is."""
        known = self.experiments()
        if not known:
            raise StoreError(f"{self.path}: no experiment yet; `graphrings run` adds one")
        if experiment is None and len(known) > 1:
            raise StoreError(f"{self.path}: several experiments, {_listed(known)}; name one")
        if experiment is not None and experiment not in known:
            raise StoreError(
                f"{self.path}: no experiment {experiment!r}; there is {_listed(known)}"
            )
        return known[0] if experiment is None else experiment

    def card(self, experiment: str) -> ExperimentCard:
        """What an experiment is made of."""
        self.choose(experiment)
        with self._decoding():
            return self._card(experiment)

    def register(self, card: ExperimentCard) -> None:
        """Add an experiment, or what is new in it; refuse one that means other cells."""
        with self._change():
            if card.name in self.experiments():
                self._refuse_differences(card)
            self._connection.execute(
                """
                INSERT INTO experiments (name, task, seed, folds, n_folds, repetitions)
                VALUES (:name, :task, :seed, :folds, :n_folds, :repetitions)
                ON CONFLICT (name) DO UPDATE
                SET repetitions = max(repetitions, excluded.repetitions)
                """,
                encoding.experiment_fields(card),
            )
            self._connection.executemany(
                """
                INSERT INTO datasets (experiment, name, fingerprint, card)
                VALUES (:experiment, :name, :fingerprint, :card)
                ON CONFLICT (experiment, name) DO UPDATE SET card = excluded.card
                """,
                [encoding.dataset_row(card.name, dataset) for dataset in card.datasets],
            )
            self._connection.executemany(
                """
                INSERT INTO methods (experiment, name, method, settings, grid, citation, revision)
                VALUES (:experiment, :name, :method, :settings, :grid, :citation, :revision)
                ON CONFLICT (experiment, name) DO UPDATE SET citation = excluded.citation
                """,
                [encoding.method_row(card.name, method) for method in card.methods],
            )

    def add(self, experiment: str, record: Record, *, replace: bool = False) -> bool:
        """Keep a finished cell; False if it is held already, which stays as it is.

        With ``replace`` the new record takes the place of the one that is held.
        """
        with self._change(experiment, record.cell):
            if replace:
                self._delete("cells", experiment, record.cell)
            fields = encoding.record_fields(record, self._task(experiment, record.cell))
            added = self._connection.execute(
                """
                INSERT INTO cells VALUES (
                    :experiment, :dataset, :method, :repetition, :fold, :fingerprint,
                    :n_training, :n_validation, :n_test, :scores, :chosen, :trials, :test,
                    :validation, :seconds, :finished, :versions, :curves
                )
                ON CONFLICT (experiment, dataset, method, repetition, fold) DO NOTHING
                """,
                encoding.place(experiment, record.cell)
                | fields
                | {name: json.dumps(fields[name]) for name in JSON_COLUMNS}
                | {"curves": pack_curves([trial.curve for trial in record.trials])},
            )
            self._delete("failures", experiment, record.cell)
            self._delete("running", experiment, record.cell)
            return added.rowcount == 1

    def fail(self, experiment: str, failure: Failure) -> None:
        """Keep why a cell could not be finished, unless another attempt did finish it."""
        with self._change(experiment, failure.cell):
            self._delete("failures", experiment, failure.cell)
            self._connection.execute(
                """
                INSERT INTO failures
                SELECT :experiment, :dataset, :method, :repetition, :fold, :error, :seconds,
                    :finished
                WHERE NOT EXISTS (
                    SELECT 1 FROM cells
                    WHERE experiment = :experiment AND dataset = :dataset AND method = :method
                        AND repetition = :repetition AND fold = :fold
                )
                """,
                encoding.place(experiment, failure.cell) | encoding.failure_fields(failure),
            )
            self._delete("running", experiment, failure.cell)

    def start(self, experiment: str, cell: Cell, worker: str, started: str) -> None:
        """Mark a cell as one that a worker is at."""
        with self._change(experiment, cell):
            self._connection.execute(
                """
                INSERT OR REPLACE INTO running
                VALUES (:experiment, :dataset, :method, :repetition, :fold, :worker, :started)
                """,
                encoding.place(experiment, cell) | {"worker": worker, "started": started},
            )

    @contextmanager
    def together(self) -> Iterator[None]:
        """Make all changes inside in one transaction: they are kept together, or not at all."""
        with (
            database.errors_in_one_line(self.path),
            database.transaction(self._connection),
        ):
            yield

    def clear_running(self, experiment: str) -> None:
        """Take all marks of running cells away."""
        with self._change():
            self._connection.execute("DELETE FROM running WHERE experiment = ?", [experiment])

    def finished(self, experiment: str) -> set[Cell]:
        """The cells that need not be run any more."""
        with database.errors_in_one_line(self.path):
            rows = self._connection.execute(
                "SELECT dataset, method, repetition, fold FROM cells WHERE experiment = ?",
                [experiment],
            )
            return set(map(encoding.cell_of, rows))

    def records(self, experiment: str, *, curves: bool = True) -> list[Record]:
        """All finished cells, sorted; quicker and smaller without the curves of their trials."""
        return list(self.each_record(experiment, curves=curves))

    def each_record(self, experiment: str, *, curves: bool = True) -> Iterator[Record]:
        """The finished cells one after the other, sorted: the curves of all may not fit.

        A score that a record has not got, because it is newer, is computed from its predictions.
        """
        with self._decoding():
            rows = self._connection.execute(
                f"{RECORDS} ORDER BY dataset, method, repetition, fold",
                {"curves": curves, "experiment": experiment},
            )
            for row in rows:
                yield _record_of_row(row)

    def record(self, experiment: str, cell: Cell) -> Record | None:
        """One finished cell; None if it is not finished."""
        with self._decoding():
            row = self._connection.execute(
                f"{RECORDS} AND {THIS_CELL}", {"curves": True, **encoding.place(experiment, cell)}
            ).fetchone()
            return None if row is None else _record_of_row(row)

    def failures(self, experiment: str) -> list[Failure]:
        """The cells that failed, sorted."""
        with database.errors_in_one_line(self.path):
            rows = self._connection.execute(
                """
                SELECT * FROM failures WHERE experiment = ?
                ORDER BY dataset, method, repetition, fold
                """,
                [experiment],
            )
            return [encoding.failure_of(encoding.cell_of(row), row) for row in rows]

    def running(self, experiment: str) -> list[tuple[Cell, str, str]]:
        """The cells that are marked as running: cell, worker, start.

        The marks of a run that was killed stay; they mean nothing unless ``being_written``.
        """
        with database.errors_in_one_line(self.path):
            rows = self._connection.execute(
                """
                SELECT * FROM running WHERE experiment = ?
                ORDER BY dataset, method, repetition, fold
                """,
                [experiment],
            )
            return [(encoding.cell_of(row), row["worker"], row["started"]) for row in rows]

    def n_finished(self, experiment: str) -> dict[tuple[str, str], int]:
        """How many cells are finished, by dataset and method."""
        with database.errors_in_one_line(self.path):
            rows = self._connection.execute(
                """
                SELECT dataset, method, count(*) FROM cells
                WHERE experiment = ? GROUP BY dataset, method
                """,
                [experiment],
            )
            return {(dataset, method): n for dataset, method, n in rows}

    def seconds(self, experiment: str) -> dict[tuple[str, str], tuple[int, float]]:
        """Cells whose time is known and the mean seconds of one, by dataset and method.

        A cell that comes from an export without times has no date. A clock that was set back makes
        a time negative; such a cell counts as taking none.
        """
        with database.errors_in_one_line(self.path):
            rows = self._connection.execute(
                """
                SELECT dataset, method, count(*), avg(max(seconds, 0.0)) FROM cells
                WHERE experiment = ? AND finished != '' GROUP BY dataset, method
                """,
                [experiment],
            )
            return {(dataset, method): (n, mean) for dataset, method, n, mean in rows}

    def n_without_predictions(self, experiment: str) -> int:
        """How many finished cells do not say what the winner said of every test graph."""
        with database.errors_in_one_line(self.path):
            (n,) = self._connection.execute(
                "SELECT count(*) FROM cells WHERE experiment = ? AND test IS NULL", [experiment]
            ).fetchone()
            return int(n)

    @contextmanager
    def _change(self, experiment: str = "", cell: Cell | None = None) -> Iterator[None]:
        """One transaction, or a part of the one around it."""
        with database.errors_in_one_line(self.path):
            inside = self._connection.in_transaction
            try:
                with nullcontext() if inside else database.transaction(self._connection):
                    yield
            except sqlite3.IntegrityError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
                    raise
                raise StoreError(
                    f"{self.path}: {cell} is no cell of experiment {experiment!r} as it was "
                    f"registered ({error})"
                ) from error

    @contextmanager
    def _decoding(self) -> Iterator[None]:
        """Reading what may be damaged in ways that SQLite does not see."""
        with database.errors_in_one_line(self.path):
            try:
                yield
            except (ValueError, TypeError, KeyError) as error:
                raise StoreError(f"{self.path}: the store is damaged ({error})") from error

    def _card(self, experiment: str) -> ExperimentCard:
        """What an experiment that is known is made of."""
        find = self._connection.execute
        head = find("SELECT * FROM experiments WHERE name = ?", [experiment]).fetchone()
        datasets = find("SELECT * FROM datasets WHERE experiment = ? ORDER BY id", [experiment])
        methods = find("SELECT * FROM methods WHERE experiment = ? ORDER BY id", [experiment])
        return encoding.experiment_of(
            head,
            map(encoding.dataset_of_row, datasets),
            map(encoding.method_of_row, methods),
        )

    def _task(self, experiment: str, cell: Cell) -> str:
        """The task of an experiment that a cell is said to be of."""
        row = self._connection.execute(
            "SELECT task FROM experiments WHERE name = ?", [experiment]
        ).fetchone()
        if row is None:
            raise StoreError(f"{self.path}: {cell} is no cell of experiment {experiment!r}")
        return str(row["task"])

    def _refuse_differences(self, card: ExperimentCard) -> None:
        if changes := differences(self.card(card.name), card):
            raise StoreError(
                f"{self.path}: experiment {card.name!r} is another one there (held -> wanted): "
                f"{'; '.join(changes)}; give it another name, use another store, or make one "
                "without old rows (`graphrings merge --without`)"
            )

    def _forget_dead_runs(self) -> None:
        """Take the marks of runs away that did not end well: nobody but us is running."""
        with self._change():
            self._connection.execute("DELETE FROM running")

    def _delete(self, table: str, experiment: str, cell: Cell) -> None:
        assert table in ("cells", "failures", "running")
        self._connection.execute(
            f"DELETE FROM {table} WHERE experiment = :experiment AND {THIS_CELL}",  # noqa: S608
            encoding.place(experiment, cell),
        )


def _record_of_row(row: sqlite3.Row) -> Record:
    fields = dict(row)
    cell = encoding.cell_of(fields)
    try:
        fields |= {name: json.loads(row[name]) for name in JSON_COLUMNS}
        n_trials, packed = len(fields["trials"]), row["curves"]
        curves = [None] * n_trials if packed is None else unpack_curves(packed)
        return encoding.record_of(cell, fields, curves, row["task"])
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"{cell}: {error}") from error


def _listed(names: list[str]) -> str:
    return ", ".join(map(repr, names))
