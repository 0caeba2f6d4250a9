"""A lock between processes that the operating system frees when its holder dies."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FOREVER = 20 * 24 * 3600.0  # seconds; SQLite counts milliseconds in 31 bits


@contextmanager
def locked(path: Path, patience: float = FOREVER) -> Iterator[None]:
    """Hold the lock of a file, which is made if need be; TimeoutError where another keeps it.

    It is an open transaction on an empty SQLite database: the same on every platform, and gone
    with its process, also after a SIGKILL.
    """
    connection = sqlite3.connect(path, timeout=patience, isolation_level=None)
    try:
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            raise TimeoutError(f"{path}: another process holds this lock") from error
        yield
    finally:
        connection.close()
