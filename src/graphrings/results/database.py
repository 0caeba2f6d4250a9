"""Opening the SQLite file of a store: whose it is, how it is locked, what went wrong."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from graphrings.errors import StoreError
from graphrings.locks import take_lock
from graphrings.results import schema

PATIENCE = 10.0  # seconds to wait while another connection closes or recovers the file
LOCK_PATIENCE = 0.25  # seconds; whoever asks if the lock is held has it for an instant
BASE_CODE = 0xFF  # an extended code of SQLite carries the plain one in its low byte

CAUSES = {
    sqlite3.SQLITE_NOTADB: "not a store of results: it is no SQLite file, or a damaged one",
    sqlite3.SQLITE_CORRUPT: "the store is damaged",
    sqlite3.SQLITE_FULL: "the disk is full; what the store holds already is safe",
    sqlite3.SQLITE_IOERR: "the disk fails or is full; what the store holds already is safe",
    sqlite3.SQLITE_READONLY: "the store is read-only",
    sqlite3.SQLITE_CANTOPEN: "the store cannot be opened; may its folder be written?",
    sqlite3.SQLITE_BUSY: "another program holds the store",
}


def code(error: sqlite3.Error) -> int:
    """The plain code of an error; -1 where SQLite was not asked at all."""
    full: int = getattr(error, "sqlite_errorcode", -1)
    return full if full < 0 else full & BASE_CODE


@contextmanager
def errors_in_one_line(path: Path) -> Iterator[None]:
    """Raise what SQLite refuses as a StoreError of one line."""
    try:
        yield
    except sqlite3.Error as error:
        cause = CAUSES.get(code(error))
        raise StoreError(f"{path}: {f'{cause} ({error})' if cause else error}") from error
    except (OverflowError, UnicodeEncodeError) as error:  # a number or a name beyond SQLite
        raise StoreError(f"{path}: cannot be kept: {error}") from error
    except UnicodeDecodeError as error:  # what SQLite says of a damaged name
        raise StoreError(f"{path}: {CAUSES[sqlite3.SQLITE_CORRUPT]} ({error})") from error
    except PermissionError as error:
        raise StoreError(f"{path}: {error.strerror}") from error


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All of it or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def open_reading(path: Path) -> sqlite3.Connection:
    """A connection that never writes, to a store that exists."""
    if path.is_dir():
        raise StoreError(f"{path}: a folder; expected a store of results")
    if not path.exists():
        raise StoreError(f"{path}: no such store of results; `graphrings run` makes one")
    connection = _readable(path)
    try:
        _check(connection, path)
        connection.execute("PRAGMA query_only = ON")
    except BaseException:
        connection.close()
        raise
    return connection


def open_writing(path: Path) -> sqlite3.Connection:
    """A connection to a store, which is made if there is none; the lock must be held."""
    connection = _connect(path, "mode=rwc")
    try:
        is_new = _is_new(connection, path)
        if not is_new:
            _check(connection, path)
            _check_pages(connection, path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        with transaction(connection):
            (schema.create if is_new else schema.upgrade)(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def check_writable(path: Path) -> None:
    """Refuse a file that is no store, and a place where none can be, before anything is made."""
    if not path.parent.is_dir():
        raise StoreError(f"{path}: no such folder {path.parent}")
    if not os.access(path.parent, os.W_OK):
        raise StoreError(f"{path}: the folder is read-only")
    if not path.exists():
        return
    if path.is_dir():
        raise StoreError(f"{path}: a folder; expected a store of results")
    if not os.access(path, os.W_OK):
        raise StoreError(f"{path}: the store is read-only")
    if (n_names := path.stat().st_nlink) > 1:
        raise StoreError(
            f"{path}: a file with {n_names} names (hard links), which another run could write by "
            "another one; expected one name"
        )
    connection = _readable(path)
    try:
        if not _is_new(connection, path):
            _check(connection, path)
    finally:
        connection.close()


def lock_for_writing(path: Path) -> sqlite3.Connection:
    """Be the only writer until the connection is closed."""
    lock = lock_path(path)
    if lock.exists() and not os.access(lock, os.W_OK):
        raise StoreError(f"{path}: its lock {lock} is read-only")
    try:
        return take_lock(lock, LOCK_PATIENCE)
    except TimeoutError as error:
        raise StoreError(
            f"another run is writing to {path}; wait for it, or use another store"
        ) from error


def is_locked(path: Path) -> bool:
    """Whether somebody holds the writer's lock now."""
    lock = lock_path(path)
    if not lock.exists():
        return False
    connection = sqlite3.connect(f"{lock.as_uri()}?mode=ro", uri=True, timeout=0)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error as error:
        if code(error) == sqlite3.SQLITE_BUSY:
            return True
        raise
    finally:
        connection.close()
    return False


def lock_path(path: Path) -> Path:
    """The file that is locked; the same for every link to a store."""
    real = path.resolve()
    return real.with_name(real.name + ".lock")


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"{path.resolve().as_uri()}?{mode}"
    connection = sqlite3.connect(uri, uri=True, timeout=PATIENCE, isolation_level=None)
    connection.row_factory = sqlite3.Row
    connection.text_factory = _text
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
    except BaseException:
        connection.close()
        raise
    return connection


def _text(content: bytes) -> str:
    """Text that is damaged stays readable, and fits no checksum."""
    return content.decode("utf-8", "surrogateescape")


def _readable(path: Path) -> sqlite3.Connection:
    """A connection that needs no right to write.

    It may be opened for writing all the same: only such a connection takes the two files of the
    write-ahead log away when it is the last to close. Where they cannot be made and no log is
    left to read, the file is taken as one that nobody changes.
    """
    connection = _connect(path, "mode=rw")
    try:
        schema.is_empty(connection)
    except sqlite3.Error as error:
        connection.close()
        refused = code(error) in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
        if refused and not _has_log(path):
            return _connect(path, "mode=ro&immutable=1")
        raise
    return connection


def _has_log(path: Path) -> bool:
    real = path.resolve()
    log = real.with_name(real.name + "-wal")
    return log.exists() and log.stat().st_size > 0


def _is_new(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether a store may be made here: SQLite takes a file of a few bytes for an empty one."""
    has_pages = _pragma(connection, "PRAGMA page_count") > 0
    return schema.is_empty(connection) and (has_pages or path.stat().st_size == 0)


def _check(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse what is not ours, what is from the future, and what was cut off."""
    if _is_new(connection, path):
        raise StoreError(f"{path}: an empty file; expected a store of results")
    if _pragma(connection, "PRAGMA page_count") == 0:
        raise StoreError(f"{path}: {CAUSES[sqlite3.SQLITE_NOTADB]}")
    if not schema.is_ours(connection):
        raise StoreError(f"{path}: a database of another program; expected a store of results")
    if foreign := schema.foreign_objects(connection):
        raise StoreError(f"{path}: holds {foreign[0]}, which no store of results has")
    version = schema.version(connection)
    if version != schema.VERSION and version not in schema.UPGRADES:
        age = "a newer" if version > schema.VERSION else "an older"
        raise StoreError(
            f"{path}: made by {age} graphrings (version {version} of the store; "
            f"this one reads version {schema.VERSION})"
        )
    # SQLite reads the missing end of a last page as zeros; a log may hold the whole of it.
    if path.stat().st_size % _pragma(connection, "PRAGMA page_size") and not _has_log(path):
        raise StoreError(f"{path}: {CAUSES[sqlite3.SQLITE_CORRUPT]} (its end is missing)")


def _pragma(connection: sqlite3.Connection, question: str) -> int:
    return int(connection.execute(question).fetchone()[0])


def _check_pages(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse to add to a damaged store."""
    (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise StoreError(f"{path}: the store is damaged ({' '.join(verdict.split())})")


def identity(path: Path) -> tuple[int, int] | None:
    """Which file a path leads to now; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def rescue(connection: sqlite3.Connection, path: Path) -> Path:
    """Write all that an open store holds, whose file is no longer there, into a new one beside."""
    folder = path.parent if path.parent.is_dir() else Path(tempfile.gettempdir())
    place = Path(tempfile.mkdtemp(prefix=f"{path.name}.rescued.", dir=folder)) / path.name
    connection.execute("VACUUM INTO ?", [str(place)])
    return place
