"""A store of an older version is brought up to date, one of a newer version is left alone."""

import sqlite3
from pathlib import Path

import pytest

from graphrings.errors import StoreError
from graphrings.results import schema
from graphrings.results.store import Store
from results.samples import card, record


def add_a_note(connection: sqlite3.Connection) -> None:
    """A change that a later version might bring."""
    connection.execute("ALTER TABLE experiments ADD COLUMN note TEXT NOT NULL DEFAULT 'none'")


def stumble(connection: sqlite3.Connection) -> None:
    """A change that does not work out."""
    connection.execute("CREATE TABLE half_done (x)")
    connection.execute("SELECT * FROM nowhere")


def ask(path: Path, sql: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


@pytest.fixture
def old(path: Path) -> Path:
    """A store of version 1 with a record."""
    with Store.write(path) as store:
        store.register(card())
        store.add("small", record())
    return path


@pytest.fixture
def later(old: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same, seen by a graphrings whose version is 2."""
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, add_a_note))
    return old


def test_a_new_store_is_signed_and_numbered(old: Path) -> None:
    assert ask(old, "PRAGMA application_id") == [(schema.APPLICATION,)]
    assert ask(old, "PRAGMA user_version") == [(len(schema.MIGRATIONS),)]


def test_a_writer_brings_an_older_store_up_to_date(later: Path) -> None:
    for _ in range(2):  # the second time there is nothing to do
        with Store.write(later) as store:
            assert store.records("small") == [record()]
    assert ask(later, "SELECT name, note FROM experiments") == [("small", "none")]
    assert ask(later, "PRAGMA user_version") == [(2,)]


def test_a_reader_leaves_an_older_store_as_it_is(later: Path) -> None:
    before = later.read_bytes()
    with Store.read(later) as store:
        assert store.records("small") == [record()]
        (row,) = store._connection.execute("SELECT note FROM experiments")
        assert row["note"] == "none"
        with pytest.raises(StoreError, match="read-only"):
            store.clear_running("small")
    assert later.read_bytes() == before


def test_a_migration_that_fails_leaves_nothing_behind(
    later: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, stumble))
    with pytest.raises(StoreError, match="no such table: nowhere"):
        Store.write(later)
    assert ask(later, "PRAGMA user_version") == [(1,)]
    assert ask(later, "SELECT name FROM sqlite_master WHERE name = 'half_done'") == []
    monkeypatch.undo()
    with Store.write(later) as store:
        assert store.records("small") == [record()]


def test_a_store_of_the_future_is_refused(later: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.write(later):
        pass
    monkeypatch.undo()
    before = later.read_bytes()
    for opening in (Store.read, Store.write):
        with pytest.raises(StoreError) as caught:
            opening(later)
        assert str(caught.value) == (
            f"{later}: made by a newer graphrings (version 2 of the store; this one knows up to 1)"
        )
    assert later.read_bytes() == before
