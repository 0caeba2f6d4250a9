"""A lock between processes that the operating system frees when its holder dies."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

FOREVER = 20 * 24 * 3600.0  # seconds; SQLite counts milliseconds in 31 bits


def take_lock(path: Path, patience: float = FOREVER) -> sqlite3.Connection:
    """Lock a file, which is made if need be, until the connection is closed.

    It is an open transaction on an empty SQLite database: the same on every platform, and gone
    with its process, however that ends. The file stays: to delete it would let two holders in.
    TimeoutError if another keeps it.
    """
    connection = sqlite3.connect(path, timeout=patience, isolation_level=None)
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        connection.close()
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            raise TimeoutError(f"{path}: another process holds this lock") from error
        raise
    return connection


@contextmanager
def locked(path: Path, patience: float = FOREVER) -> Iterator[None]:
    """Hold the lock of a file."""
    with closing(take_lock(path, patience)):
        yield
