"""A store of another version is refused, by its number, and left alone."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from graphrings.errors import StoreError
from graphrings.results import schema
from graphrings.results.store import Store
from results.samples import card, method


@pytest.fixture
def made(path: Path) -> Path:
    with Store.write(path) as store:
        store.register(card())
    return path


def ask(path: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


def test_a_new_store_is_signed_and_numbered(made: Path) -> None:
    assert ask(made, "PRAGMA application_id") == [(schema.APPLICATION,)]
    assert ask(made, "PRAGMA user_version") == [(schema.VERSION,)]


@pytest.mark.parametrize(("version", "age"), [(1, "an older"), (schema.VERSION + 1, "a newer")])
def test_a_store_of_another_version_is_refused(made: Path, version: int, age: str) -> None:
    ask(made, f"PRAGMA user_version = {version}")
    ask(made, "PRAGMA wal_checkpoint(TRUNCATE)")
    before = made.read_bytes()
    for opening in (Store.read, Store.write):
        with pytest.raises(StoreError) as caught:
            opening(made)
        assert str(caught.value) == (
            f"{made}: made by {age} graphrings (version {version} of the store; "
            f"this one reads version {schema.VERSION})"
        )
    assert made.read_bytes() == before


def test_a_store_without_revisions_is_read_as_it_is_and_upgraded_by_a_writer(made: Path) -> None:
    """Version 2 knew no checksums and no revisions: all of its rows are of the first."""
    ask(made, "ALTER TABLE methods DROP COLUMN revision")
    for table in schema.CHECKED:
        ask(made, f"ALTER TABLE {table} DROP COLUMN checksum")
    ask(made, "PRAGMA user_version = 2")
    with Store.read(made) as store:
        assert store.card("small") == card()
    assert ask(made, "PRAGMA user_version") == [(2,)]
    with Store.write(made) as store:
        store.register(card(methods=(method("New", revision=3),)))
    assert ask(made, "PRAGMA user_version") == [(schema.VERSION,)]
    with Store.read(made) as store:
        assert [one.revision for one in store.card("small").methods] == [1, 1, 3]


def test_making_the_tables_fails_as_a_whole(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "TABLES", (*schema.TABLES, "SELECT * FROM nowhere"))
    with pytest.raises(StoreError, match="no such table: nowhere"):
        Store.write(path)
    assert ask(path, "SELECT name FROM sqlite_master") == []
    monkeypatch.undo()
    with Store.write(path) as store:
        assert store.experiments() == []


@pytest.mark.parametrize(
    ("made_by", "named"),
    [
        ("CREATE TRIGGER t AFTER INSERT ON cells BEGIN DELETE FROM cells; END", "trigger 't'"),
        ("CREATE VIEW v AS SELECT * FROM cells", "view 'v'"),
    ],
)
def test_what_could_change_results_behind_ones_back_is_refused(
    made: Path, made_by: str, named: str
) -> None:
    ask(made, made_by)
    for opening in (Store.read, Store.write):
        with pytest.raises(StoreError) as caught:
            opening(made)
        assert str(caught.value) == f"{made}: holds {named}, which no store of results has"
