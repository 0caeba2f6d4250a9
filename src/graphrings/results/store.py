"""The store: what is known of every cell, in one SQLite file that survives anything."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from graphrings.errors import StoreError
from graphrings.results import database, encoding
from graphrings.results.differences import differences
from graphrings.results.record import Cell, ExperimentCard, Failure, Record


class Store:
    """Results in one SQLite file (WAL).

    One process writes, any number reads meanwhile. An open store belongs to the process and the
    thread that opened it. Every change is one transaction, on the disk when the call returns.
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
        with database.told(path):
            return cls(path, database.open_reading(path), None)

    @classmethod
    def write(cls, path: str | Path) -> Self:
        """Open a store as its only writer; make it if there is none."""
        path = Path(path)
        with database.told(path):
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
        with database.told(self.path):
            return self._lock is not None or database.is_locked(self.path)

    def experiments(self) -> list[str]:
        """The names of all experiments, oldest first."""
        with database.told(self.path):
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
                INSERT INTO experiments (name, seed, folds, n_folds, repetitions)
                VALUES (:name, :seed, :folds, :n_folds, :repetitions)
                ON CONFLICT (name) DO UPDATE
                SET repetitions = max(repetitions, excluded.repetitions)
                """,
                encoding.experiment_row(card),
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
                INSERT INTO methods (experiment, name, method, settings, grid, citation)
                VALUES (:experiment, :name, :method, :settings, :grid, :citation)
                ON CONFLICT (experiment, name) DO UPDATE SET citation = excluded.citation
                """,
                [encoding.method_row(card.name, method) for method in card.methods],
            )

    def add(self, experiment: str, record: Record) -> bool:
        """Keep a finished cell; False if it is held already, which stays as it is."""
        with self._change(experiment, record.cell):
            added = self._connection.execute(
                """
                INSERT INTO cells VALUES (
                    :experiment, :dataset, :method, :repetition, :fold, :fingerprint,
                    :n_training, :n_validation, :n_test, :accuracy, :balanced_accuracy,
                    :macro_f1, :log_loss, :auroc, :confusion, :setting, :epochs, :best_epoch,
                    :chosen, :trials, :seconds, :finished, :versions, :curves
                )
                ON CONFLICT (experiment, dataset, method, repetition, fold) DO NOTHING
                """,
                encoding.record_row(experiment, record),
            )
            self._forget_failure(experiment, record.cell)
            self._forget_running(experiment, record.cell)
            return added.rowcount == 1

    def fail(self, experiment: str, failure: Failure) -> None:
        """Keep why a cell could not be finished, unless another attempt did finish it."""
        with self._change(experiment, failure.cell):
            self._forget_failure(experiment, failure.cell)
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
                encoding.failure_row(experiment, failure),
            )
            self._forget_running(experiment, failure.cell)

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

    def clear_running(self, experiment: str) -> None:
        """Take all marks of running cells away."""
        with self._change():
            self._connection.execute("DELETE FROM running WHERE experiment = ?", [experiment])

    def finished(self, experiment: str) -> set[Cell]:
        """The cells that need not be run any more."""
        with database.told(self.path):
            rows = self._connection.execute(
                "SELECT dataset, method, repetition, fold FROM cells WHERE experiment = ?",
                [experiment],
            )
            return set(map(encoding.cell_of, rows))

    def records(self, experiment: str, *, curves: bool = True) -> list[Record]:
        """All finished cells, sorted; quicker and smaller without the curves of their trials."""
        return list(self.each_record(experiment, curves=curves))

    def each_record(self, experiment: str, *, curves: bool = True) -> Iterator[Record]:
        """The finished cells one after the other, sorted: the curves of all may not fit."""
        with self._decoding():
            rows = self._connection.execute(
                """
                SELECT dataset, method, repetition, fold, fingerprint, n_training, n_validation,
                    n_test, accuracy, balanced_accuracy, macro_f1, log_loss, auroc, confusion,
                    chosen, trials, seconds, finished, versions, CASE WHEN ? THEN curves END
                FROM cells WHERE experiment = ?
                ORDER BY dataset, method, repetition, fold
                """,
                [curves, experiment],
            )
            for row in rows:
                yield encoding.record_of(row, row[-1])

    def failures(self, experiment: str) -> list[Failure]:
        """The cells that failed, sorted."""
        with database.told(self.path):
            rows = self._connection.execute(
                """
                SELECT * FROM failures WHERE experiment = ?
                ORDER BY dataset, method, repetition, fold
                """,
                [experiment],
            )
            return list(map(encoding.failure_of, rows))

    def running(self, experiment: str) -> list[tuple[Cell, str, str]]:
        """The cells that are marked as running: cell, worker, start.

        The marks of a run that was killed stay; they mean nothing unless ``being_written``.
        """
        with database.told(self.path):
            rows = self._connection.execute(
                """
                SELECT * FROM running WHERE experiment = ?
                ORDER BY dataset, method, repetition, fold
                """,
                [experiment],
            )
            return [(encoding.cell_of(row), row["worker"], row["started"]) for row in rows]

    def seconds(self, experiment: str) -> dict[tuple[str, str], tuple[int, float]]:
        """Finished cells and the mean seconds of one, by dataset and method.

        A clock that was set back makes a time negative; such a cell counts as taking none.
        """
        with database.told(self.path):
            rows = self._connection.execute(
                """
                SELECT dataset, method, count(*), avg(max(seconds, 0.0)) FROM cells
                WHERE experiment = ? GROUP BY dataset, method
                """,
                [experiment],
            )
            return {(dataset, method): (n, mean) for dataset, method, n, mean in rows}

    @contextmanager
    def _change(self, experiment: str = "", cell: Cell | None = None) -> Iterator[None]:
        """One transaction, whose errors are told in one line."""
        with database.told(self.path):
            try:
                with database.transaction(self._connection):
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
        with database.told(self.path):
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
        return ExperimentCard(
            name=experiment,
            seed=int(head["seed"]),
            folds=head["folds"],
            n_folds=head["n_folds"],
            repetitions=head["repetitions"],
            datasets=tuple(map(encoding.dataset_of, datasets)),
            methods=tuple(map(encoding.method_of, methods)),
        )

    def _refuse_differences(self, card: ExperimentCard) -> None:
        if found := differences(self.card(card.name), card):
            raise StoreError(
                f"{self.path}: experiment {card.name!r} is another one there (held -> wanted): "
                f"{'; '.join(found)}; give it another name or use another store"
            )

    def _forget_dead_runs(self) -> None:
        """Take the marks of runs away that did not end well: nobody but us is running."""
        with self._change():
            self._connection.execute("DELETE FROM running")

    def _forget_failure(self, experiment: str, cell: Cell) -> None:
        self._connection.execute(
            """
            DELETE FROM failures
            WHERE experiment = :experiment AND dataset = :dataset AND method = :method
                AND repetition = :repetition AND fold = :fold
            """,
            encoding.place(experiment, cell),
        )

    def _forget_running(self, experiment: str, cell: Cell) -> None:
        self._connection.execute(
            """
            DELETE FROM running
            WHERE experiment = :experiment AND dataset = :dataset AND method = :method
                AND repetition = :repetition AND fold = :fold
            """,
            encoding.place(experiment, cell),
        )


def _listed(names: list[str]) -> str:
    return ", ".join(map(repr, names))
