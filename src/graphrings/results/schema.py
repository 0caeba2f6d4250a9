"""The tables of a store."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from graphrings.results.checksums import COLUMN, checksum

APPLICATION = 0x47725267  # "GrRg", which says whose SQLite file this is
VERSION = 4

# Scores and trials are JSON: a cell is written and read as a whole, a new score needs no new
# column, and SQL can ask for one all the same: json_extract(scores, '$.accuracy').
TABLES = (
    """
    CREATE TABLE experiments (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        task TEXT NOT NULL,
        seed TEXT NOT NULL, -- a seed may have more than 64 bits
        folds TEXT NOT NULL,
        n_folds INTEGER NOT NULL,
        repetitions INTEGER NOT NULL,
        checksum TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE datasets (
        id INTEGER PRIMARY KEY,
        experiment TEXT NOT NULL REFERENCES experiments (name),
        name TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        card TEXT NOT NULL, -- JSON, what else is known of the dataset
        checksum TEXT NOT NULL,
        UNIQUE (experiment, name),
        UNIQUE (experiment, name, fingerprint)
    )
    """,
    """
    CREATE TABLE methods (
        id INTEGER PRIMARY KEY,
        experiment TEXT NOT NULL REFERENCES experiments (name),
        name TEXT NOT NULL,
        method TEXT NOT NULL,
        settings TEXT NOT NULL, -- JSON
        grid TEXT NOT NULL, -- JSON
        citation TEXT NOT NULL,
        revision INTEGER NOT NULL DEFAULT 1, -- of what the method computes
        checksum TEXT NOT NULL,
        UNIQUE (experiment, name)
    )
    """,
    """
    CREATE TABLE cells (
        experiment TEXT NOT NULL,
        dataset TEXT NOT NULL,
        method TEXT NOT NULL,
        repetition INTEGER NOT NULL,
        fold INTEGER NOT NULL,
        fingerprint TEXT NOT NULL,
        n_training INTEGER NOT NULL,
        n_validation INTEGER NOT NULL,
        n_test INTEGER NOT NULL,
        scores TEXT NOT NULL, -- JSON, on the test fold, by name; null where one is not defined
        chosen INTEGER NOT NULL, -- the number of the trial that won, from 0
        trials TEXT NOT NULL, -- JSON
        test BLOB, -- packed predictions
        validation BLOB, -- packed predictions
        seconds REAL NOT NULL,
        finished TEXT NOT NULL,
        versions TEXT NOT NULL, -- JSON
        curves BLOB, -- compressed JSON, four lists for every trial
        checksum TEXT NOT NULL,
        PRIMARY KEY (experiment, dataset, method, repetition, fold),
        FOREIGN KEY (experiment, dataset, fingerprint)
            REFERENCES datasets (experiment, name, fingerprint),
        FOREIGN KEY (experiment, method) REFERENCES methods (experiment, name)
    )
    """,
    """
    CREATE TABLE failures (
        experiment TEXT NOT NULL,
        dataset TEXT NOT NULL,
        method TEXT NOT NULL,
        repetition INTEGER NOT NULL,
        fold INTEGER NOT NULL,
        error TEXT NOT NULL,
        seconds REAL NOT NULL,
        finished TEXT NOT NULL,
        checksum TEXT NOT NULL,
        PRIMARY KEY (experiment, dataset, method, repetition, fold),
        FOREIGN KEY (experiment, dataset) REFERENCES datasets (experiment, name),
        FOREIGN KEY (experiment, method) REFERENCES methods (experiment, name)
    )
    """,
    """
    CREATE TABLE running (
        experiment TEXT NOT NULL,
        dataset TEXT NOT NULL,
        method TEXT NOT NULL,
        repetition INTEGER NOT NULL,
        fold INTEGER NOT NULL,
        worker TEXT NOT NULL,
        started TEXT NOT NULL,
        PRIMARY KEY (experiment, dataset, method, repetition, fold),
        FOREIGN KEY (experiment, dataset) REFERENCES datasets (experiment, name),
        FOREIGN KEY (experiment, method) REFERENCES methods (experiment, name)
    )
    """,
)


CHECKED = ("experiments", "datasets", "methods", "cells", "failures")  # rows with a checksum


def create(connection: sqlite3.Connection) -> None:
    """Make the tables and sign the file as ours."""
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
    for statement in TABLES:
        connection.execute(statement)


def upgrade(connection: sqlite3.Connection) -> None:
    """Give tables of an older version, one that can still be read, what they lack."""
    for older in range(version(connection), VERSION):
        UPGRADES[older](connection)
        connection.execute(f"PRAGMA user_version = {older + 1}")


def version(connection: sqlite3.Connection) -> int:
    """The version of the tables; 0 where there are none."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def is_empty(connection: sqlite3.Connection) -> bool:
    """Whether nothing was ever put into this database."""
    (n_objects,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return int(n_objects) == 0 and version(connection) == 0 and _application(connection) == 0


def is_ours(connection: sqlite3.Connection) -> bool:
    """Whether the database is a store of results."""
    return _application(connection) == APPLICATION


def _application(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA application_id").fetchone()[0])


def foreign_objects(connection: sqlite3.Connection) -> list[str]:
    """What a store never has and what could change results behind its back: triggers, views."""
    found = connection.execute(
        "SELECT type, name FROM sqlite_master WHERE type NOT IN ('table', 'index')"
    )
    return [f"{row[0]} {row[1]!r}" for row in found]


def _count_revisions(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE methods ADD COLUMN revision INTEGER NOT NULL DEFAULT 1")


def _sign_rows(connection: sqlite3.Connection) -> None:
    for table in CHECKED:
        connection.execute(f"ALTER TABLE {table} ADD COLUMN {COLUMN} TEXT NOT NULL DEFAULT ''")
        rows = connection.execute(f"SELECT rowid AS number, * FROM {table}").fetchall()  # noqa: S608
        signatures = [
            (checksum({name: row[name] for name in row.keys()[1:]}), row["number"]) for row in rows
        ]
        connection.executemany(f"UPDATE {table} SET {COLUMN} = ? WHERE rowid = ?", signatures)  # noqa: S608


UPGRADES: dict[int, Callable[[sqlite3.Connection], None]] = {
    2: _count_revisions,
    3: _sign_rows,
}
