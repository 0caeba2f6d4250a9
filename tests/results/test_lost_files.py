"""A writer notices when its files are taken away, and loses nothing."""

import os
import shutil
from pathlib import Path

import pytest

from graphrings.errors import StoreError
from graphrings.results.database import lock_path
from graphrings.results.record import Cell
from graphrings.results.store import Store
from results.samples import card, record

FIRST, SECOND = Cell("MUTAG", "PGC", 0, 0), Cell("PTC", "PGC", 0, 1)


@pytest.fixture
def writer(path: Path) -> Store:
    store = Store.write(path)
    store.register(card())
    store.add("small", record(*FIRST))
    return store


@pytest.mark.parametrize("how", ["deleted", "moved", "replaced", "with its folder"])
def test_a_store_that_is_taken_away_is_rescued(
    tmp_path: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    folder = tmp_path / "folder"
    folder.mkdir()
    path = folder / "results.db"
    with Store.write(path) as store:
        store.register(card())
        store.add("small", record(*FIRST))
        if how == "deleted":
            path.unlink()
        elif how == "with its folder":
            shutil.rmtree(folder)
        else:
            path.rename(folder / "elsewhere.db")
        if how == "replaced":
            shutil.copy(folder / "elsewhere.db", path)
        with pytest.raises(StoreError, match="was deleted, moved or replaced") as caught:
            store.add("small", record(*SECOND))
        store.clear_running("small")  # as a run does at its end: it goes to the rescued store
    place = Path(str(caught.value).rpartition("is in ")[2])
    with Store.read(place) as rescued:
        assert rescued.finished("small") == {FIRST, SECOND}
        assert rescued.records("small") == [record(*FIRST), record(*SECOND)]


def test_a_lock_that_is_deleted_ends_the_run_after_its_cell(writer: Store, path: Path) -> None:
    lock_path(path).unlink()
    with pytest.raises(StoreError, match=r"its lock results.db.lock was deleted or replaced"):
        writer.add("small", record(*SECOND))
    writer.close()
    with Store.read(path) as store:
        assert store.finished("small") == {FIRST, SECOND}


def test_a_store_with_two_names_has_no_second_writer(writer: Store, path: Path) -> None:
    os.link(path, path.with_name("link.db"))
    with pytest.raises(StoreError, match="a file with 2 names"):
        Store.write(path.with_name("link.db"))
    writer.close()
