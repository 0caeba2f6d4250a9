"""The store: what is known of every cell, in one SQLite file that survives anything."""

from __future__ import annotations

import json
import sqlite3
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from types import TracebackType
from typing import Any, Self, TypeVar

from graphrings.errors import DamagedCellWarning, StoreError
from graphrings.results import database, encoding
from graphrings.results.checksums import check_row, signed
from graphrings.results.contents import check_record
from graphrings.results.differences import differences
from graphrings.results.packing import pack_curves, unpack_curves
from graphrings.results.record import Cell, ExperimentCard, Failure, Record

JSON_COLUMNS = ("scores", "trials", "versions")
RECORDS = "SELECT * FROM cells WHERE experiment = :experiment"
THIS_CELL = """
dataset = :dataset AND method = :method AND repetition = :repetition AND fold = :fold
"""
IN_ORDER = "ORDER BY dataset, method, repetition, fold"
STRAY = "(experiment IN (SELECT name FROM experiments)) IS NOT 1"  # of no experiment: damaged
DAMAGE = (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError)
KEY = ("experiment", "name")  # of datasets and methods
MOST_NAMED = 3  # damaged cells in a warning
Fields = Mapping[str, Any]
Read = TypeVar("Read")


class Store:
    """Results in one SQLite file (WAL).

    One process writes, any number reads meanwhile. An open store belongs to the process and the
    thread that opened it. Every change is one transaction, on the disk when the call returns;
    several ones may be made ``together``.

    Every row has a checksum. A cell that is damaged counts as not finished: readers leave it out
    with a warning, and the next run does it again. A writer looks before each change whether its
    file and its lock are still there.
    """

    def __init__(
        self, path: Path, connection: sqlite3.Connection, lock: sqlite3.Connection | None
    ) -> None:
        self.path = path
        self._connection = connection
        self._lock = lock
        self._places = self._identities()

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
        with self._decoding():
            self._check_counts("experiments")
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
                held = self._card(card.name).repetitions
                card = replace(card, repetitions=max(held, card.repetitions))
            self._put("experiments", encoding.experiment_fields(card), "name")
            for dataset in card.datasets:
                self._put("datasets", encoding.dataset_row(card.name, dataset), *KEY)
            for method in card.methods:
                self._put("methods", encoding.method_row(card.name, method), *KEY)

    def add(self, experiment: str, record: Record, *, replace: bool = False) -> bool:
        """Keep a finished cell; False if it is held already, which stays as it is.

        With ``replace`` the new record takes the place of the one that is held, without it only
        that of a damaged one.
        """
        with self._change(experiment, record.cell):
            self._delete("failures", experiment, record.cell)
            self._delete("running", experiment, record.cell)
            if not replace and self.record(experiment, record.cell) is not None:
                return False
            self._delete("cells", experiment, record.cell)
            fields = encoding.record_fields(record, self._task(experiment, record.cell))
            row = (
                encoding.place(experiment, record.cell)
                | fields
                | {name: json.dumps(fields[name]) for name in JSON_COLUMNS}
                | {"curves": pack_curves([trial.curve for trial in record.trials])}
            )
            self._put("cells", row)
            return True

    def fail(self, experiment: str, failure: Failure) -> None:
        """Keep why a cell could not be finished, unless another attempt did finish it."""
        with self._change(experiment, failure.cell):
            place = encoding.place(experiment, failure.cell)
            self._delete("failures", experiment, failure.cell)
            self._delete("running", experiment, failure.cell)
            if self._connection.execute(f"{RECORDS} AND {THIS_CELL}", place).fetchone() is None:
                self._put("failures", place | encoding.failure_fields(failure))

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
        with database.errors_in_one_line(self.path), self._transaction():
            yield

    def clear_running(self, experiment: str) -> None:
        """Take all marks of running cells away."""
        with self._change():
            self._connection.execute("DELETE FROM running WHERE experiment = ?", [experiment])

    def finished(self, experiment: str) -> set[Cell]:
        """The cells that need not be run any more."""
        return {record.cell for record in self.each_record(experiment, curves=False)}

    def records(self, experiment: str, *, curves: bool = True) -> list[Record]:
        """All finished cells, sorted; quicker and smaller without the curves of their trials."""
        return list(self.each_record(experiment, curves=curves))

    def each_record(
        self, experiment: str, *, curves: bool = True, part: ExperimentCard | None = None
    ) -> Iterator[Record]:
        """The finished cells one after the other, sorted: the curves of all may not fit.

        Of a ``part`` of the experiment's card there are only the cells that it has. A score that a
        record has not got, because it is newer, is computed from its predictions.
        """
        with self._decoding():
            places = self._places_of("cells", experiment)
            if experiment not in self.experiments():
                return
            card = self._card(experiment)  # read after the rows: it knows them all
            rows = self._rows("cells", places)
            for record in self._intact(rows, lambda row: _record_of_row(row, card, curves)):
                if part is None or part.has(record.cell):
                    yield record

    def record(self, experiment: str, cell: Cell) -> Record | None:
        """One finished cell; None if it is not finished."""
        with self._decoding():
            row = self._connection.execute(
                f"{RECORDS} AND {THIS_CELL}", encoding.place(experiment, cell)
            ).fetchone()
            if row is None:
                return None
            try:
                return _record_of_row(dict(row), self._card(experiment), curves=True)
            except DAMAGE:
                return None

    def failures(self, experiment: str, *, part: ExperimentCard | None = None) -> list[Failure]:
        """The cells that failed, sorted; of a ``part`` of the experiment's card, those it has."""
        with self._decoding():
            rows = self._rows("failures", self._places_of("failures", experiment))
            failures = self._intact(rows, _failure_of_row)
            return [failure for failure in failures if part is None or part.has(failure.cell)]

    def running(self, experiment: str) -> list[tuple[Cell, str, str]]:
        """The cells that are marked as running: cell, worker, start.

        The marks of a run that was killed stay; they mean nothing unless ``being_written``.
        """
        with self._decoding():
            rows = self._connection.execute(
                f"SELECT * FROM running WHERE experiment = ? {IN_ORDER}",  # noqa: S608
                [experiment],
            )
            return [(encoding.cell_of(row), row["worker"], row["started"]) for row in rows]

    def n_finished(self, experiment: str) -> dict[tuple[str, str], int]:
        """How many cells are finished, by dataset and method."""
        return Counter((cell.dataset, cell.method) for cell in self.finished(experiment))

    def seconds(self, experiment: str) -> dict[tuple[str, str], tuple[int, float]]:
        """Cells whose time is known and the mean seconds of one, by dataset and method.

        A cell that comes from an export without times has no date. A clock that was set back makes
        a time negative; such a cell counts as taking none.
        """
        times = defaultdict[tuple[str, str], list[float]](list)
        for record in self.each_record(experiment, curves=False):
            if record.finished:
                times[record.cell.dataset, record.cell.method].append(max(record.seconds, 0.0))
        return {group: (len(known), fmean(known)) for group, known in times.items()}

    def n_held(self, experiment: str) -> int:
        """How many rows of finished cells there are, sound or not."""
        with database.errors_in_one_line(self.path):
            (n,) = self._connection.execute(
                "SELECT count(*) FROM cells WHERE experiment = ?", [experiment]
            ).fetchone()
            return int(n)

    def damaged_pages(self) -> list[str]:
        """What SQLite finds wrong with the file; nothing in a sound one."""
        with database.errors_in_one_line(self.path):
            verdicts = [row[0] for row in self._connection.execute("PRAGMA integrity_check")]
            return [] if verdicts == ["ok"] else [" ".join(line.split()) for line in verdicts]

    def n_without_predictions(self, part: ExperimentCard) -> int:
        """How many finished cells do not say what the winner said of every test graph."""
        with database.errors_in_one_line(self.path):
            rows = self._connection.execute(
                "SELECT dataset, method, repetition, fold FROM cells "
                "WHERE experiment = ? AND test IS NULL",
                [part.name],
            )
            return sum(part.has(encoding.cell_of(row)) for row in rows)

    @contextmanager
    def _change(self, experiment: str = "", cell: Cell | None = None) -> Iterator[None]:
        """One transaction, or a part of the one around it."""
        with database.errors_in_one_line(self.path):
            inside = self._connection.in_transaction
            try:
                with nullcontext() if inside else self._transaction():
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
            except DAMAGE as error:
                raise StoreError(f"{self.path}: the store is damaged ({error})") from error

    def _places_of(self, table: str, experiment: str, order: str = IN_ORDER) -> list[int]:
        """Where the rows of an experiment are, sorted, and those that belong to none.

        They are found without an index, of which a flipped bit would hide a row.
        """
        self._check_counts(table)
        rows = self._connection.execute(
            f"SELECT rowid FROM {table} NOT INDEXED WHERE experiment = ? OR {STRAY} {order}",  # noqa: S608
            [experiment],
        )
        return [row[0] for row in rows]

    def _check_counts(self, table: str) -> None:
        """ValueError if a row of a table is hidden, which its index knows, or the other way.

        Both are counted by one statement: a writer may be adding rows.
        """
        n_rows, n_indexed = self._connection.execute(
            f"SELECT (SELECT count(*) FROM {table} NOT INDEXED), "  # noqa: S608
            f"(SELECT count(*) FROM {table} INDEXED BY sqlite_autoindex_{table}_1)"
        ).fetchone()
        if n_rows != n_indexed:
            raise ValueError(f"{n_rows:,} rows of {table}, {n_indexed:,} in their index")

    def _rows(self, table: str, places: Iterable[int]) -> Iterator[Fields]:
        """The rows in some places, one after the other; a writer may have deleted one meanwhile."""
        find = self._connection.execute
        for place in places:
            row = find(f"SELECT * FROM {table} WHERE rowid = ?", [place]).fetchone()  # noqa: S608
            if row is not None:
                yield dict(row)
            elif find(f"SELECT 1 FROM {table} WHERE +rowid = ?", [place]).fetchone():  # noqa: S608
                raise ValueError(f"row {place} of {table} is not where it should be")

    def _intact(self, rows: Iterable[Fields], decode: Callable[[Fields], Read]) -> Iterator[Read]:
        """What rows say, as far as they are sound; the others are named in one warning."""
        damaged = list[str]()
        for row in rows:
            try:
                sound = decode(row)
            except DAMAGE as error:
                damaged.append(f"{_named(row)} ({error})")
            else:
                yield sound
        if damaged:
            more = f", and {len(damaged) - MOST_NAMED} more" * (len(damaged) > MOST_NAMED)
            warnings.warn(
                f"{self.path}: damaged, left out, and done again by the next run: "
                f"{'; '.join(damaged[:MOST_NAMED])}{more}",
                DamagedCellWarning,
                stacklevel=3,
            )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All of it or nothing, in a store that is still there; else in one that takes its place.

        Whoever deletes or replaces the file of a store, or its lock, would let results vanish or a
        second writer in: what is known is kept, and the run ends.
        """
        trouble = self._trouble()
        with database.transaction(self._connection):
            yield
        if trouble:
            raise StoreError(trouble)

    def _trouble(self) -> str:
        """What has happened to the files of a writer since the last change, if anything."""
        before, now = self._places, self._identities()
        if now == before:
            return ""
        if now[0] == before[0]:
            self._places = now
            return (
                f"{self.path}: its lock {database.lock_path(self.path).name} was deleted or "
                "replaced, so that another run could write as well; this one ends"
            )
        place = database.rescue(self._connection, self.path)
        trouble = (
            f"{self.path}: the store was deleted, moved or replaced while a run was writing to "
            f"it; all that it held is in {place}"
        )
        self.close()
        self.path, self._lock = place, database.lock_for_writing(place)
        self._connection = database.open_writing(place)
        self._places = self._identities()
        return trouble

    def _identities(self) -> tuple[tuple[int, int] | None, ...]:
        """Which files a writer has open: the store, and its lock."""
        if self._lock is None:
            return ()
        return tuple(map(database.identity, (self.path, database.lock_path(self.path))))

    def _put(self, table: str, row: Mapping[str, Any], *key: str) -> None:
        """Add a row with its checksum, or replace the one that has the same key."""
        row = signed(row)
        news = ", ".join(f"{name} = excluded.{name}" for name in row if name not in key)
        replacing = f"ON CONFLICT ({', '.join(key)}) DO UPDATE SET {news}" if key else ""
        self._connection.execute(
            f"INSERT INTO {table} ({', '.join(row)}) "  # noqa: S608
            f"VALUES ({', '.join(f':{name}' for name in row)}) {replacing}",
            row,
        )

    def _card(self, experiment: str) -> ExperimentCard:
        """What an experiment that is known is made of."""
        head = self._connection.execute(
            "SELECT * FROM experiments NOT INDEXED WHERE name = ?", [experiment]
        ).fetchone()
        datasets, methods = (
            list(self._rows(table, self._places_of(table, experiment, "ORDER BY id")))
            for table in ("datasets", "methods")
        )
        for row in (dict(head), *datasets, *methods):
            _check_card_row(row)
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


def _record_of_row(row: Fields, card: ExperimentCard, curves: bool) -> Record:
    check_row(row)
    cell = encoding.cell_of(row)
    fields = {**row} | {name: json.loads(row[name]) for name in JSON_COLUMNS}
    packed = row["curves"] if curves else None
    drawn = [None] * len(fields["trials"]) if packed is None else unpack_curves(packed)
    record = encoding.record_of(cell, fields, drawn, card.task)
    check_record(record, card)
    return record


def _failure_of_row(row: Fields) -> Failure:
    check_row(row)
    return encoding.failure_of(encoding.cell_of(row), row)


def _check_card_row(row: Fields) -> None:
    try:
        check_row(row)
    except ValueError as error:
        raise ValueError(f"{row['name']}: {error}") from error


def _named(row: Fields) -> str:
    """Which cell a damaged row is about, as far as it can be told."""
    try:
        return str(encoding.cell_of(row))
    except DAMAGE:
        return "a cell without a readable name"


def _listed(names: list[str]) -> str:
    return ", ".join(map(repr, names))
