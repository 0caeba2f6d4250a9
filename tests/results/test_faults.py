"""Whatever happens to the machine or the file, finished cells stay and the error is one line."""

import os
import random
import re
import signal
import sqlite3
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from struct import unpack

import pytest

from fuzz.stores import good_stores
from graphrings.errors import DamagedCellWarning, StoreError
from graphrings.results.json_lines import json_lines
from graphrings.results.record import Cell
from graphrings.results.store import Store
from results.processes import first_line, spawn
from results.samples import card, record

NOBODY = 65534


def make_store(path: Path, n_cells: int = 3) -> None:
    with Store.write(path) as store:
        store.register(card())
        for fold in range(n_cells):
            store.add("small", record("MUTAG", "PGC", 0, fold))


def add_folds(store: Store, n_folds: int) -> None:
    for fold in range(n_folds):
        store.add("small", record("PTC", "PGC", 0, fold))


def mistake(opening: Callable[[Path], Store], path: Path) -> str:
    """The one line that refuses a store."""
    with pytest.raises(StoreError) as caught:
        opening(path)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)
    return str(caught.value).replace(str(path), "STORE")


def is_sound(path: Path) -> bool:
    connection = sqlite3.connect(path)
    try:
        return connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    finally:
        connection.close()


@contextmanager
def held_by_another(path: Path) -> Iterator[subprocess.Popen[str]]:
    process = spawn("hold", path)
    try:
        assert first_line(process) == "ready"
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that any user may enter."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@contextmanager
def somebody_else() -> Iterator[None]:
    """Be a user for whom permissions mean something: for the superuser they do not."""
    if os.geteuid() != 0:
        yield
        return
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


def test_a_store_that_is_not_there_is_told(path: Path) -> None:
    told = mistake(Store.read, path)
    assert told == "STORE: no such store of results; `graphrings run` makes one"
    assert not path.exists()


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    path = tmp_path / "no" / "results.db"
    assert mistake(Store.write, path) == f"STORE: no such folder {tmp_path / 'no'}"


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    for opening in (Store.read, Store.write):
        assert mistake(opening, tmp_path) == "STORE: a folder; expected a store of results"


@pytest.mark.parametrize("content", [b"accuracy,0.8\n" * 100, b"x", bytes(5000)])
def test_a_file_that_is_not_sqlite_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    for opening in (Store.read, Store.write):
        assert mistake(opening, path).startswith("STORE: not a store of results: it is no SQLite")
    assert path.read_bytes() == content
    assert list(path.parent.glob("results*")) == [path]


def test_a_database_of_another_program_is_refused(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE cells (x)")
    connection.close()
    before = path.read_bytes()
    for opening in (Store.read, Store.write):
        assert mistake(opening, path) == (
            "STORE: a database of another program; expected a store of results"
        )
    assert path.read_bytes() == before
    assert list(path.parent.glob("results*")) == [path]


def test_an_empty_file_may_become_a_store(path: Path) -> None:
    """A run that was killed before its first transaction leaves one."""
    path.touch()
    assert mistake(Store.read, path) == "STORE: an empty file; expected a store of results"
    make_store(path)
    assert is_sound(path)


@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_a_store_that_was_cut_off_is_refused(path: Path, share: float) -> None:
    make_store(path)
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])
    before = path.read_bytes()
    for opening in (Store.read, Store.write):
        assert mistake(opening, path).startswith("STORE: the store is damaged")
    assert path.read_bytes() == before


def test_a_store_with_an_overwritten_page_is_refused(path: Path) -> None:
    """A writer looks at all pages; a reader stumbles over the page when it comes there."""
    make_store(path)
    connection = sqlite3.connect(path)
    query = "SELECT rootpage FROM sqlite_master WHERE name = 'cells'"
    (page,) = connection.execute(query).fetchone()
    connection.close()
    content = bytearray(path.read_bytes())
    content[4096 * (page - 1) : 4096 * page] = b"\x55" * 4096
    path.write_bytes(content)
    assert mistake(Store.write, path).startswith("STORE: the store is damaged")
    with Store.read(path) as store, pytest.raises(StoreError, match="the store is damaged"):
        store.records("small")
    assert path.read_bytes() == content


def test_a_read_only_folder_can_be_read_but_not_written(open_folder: Path) -> None:
    path = open_folder / "results.db"
    make_store(path)
    open_folder.chmod(0o555)
    with somebody_else():
        with Store.read(path) as store:
            assert len(store.records("small")) == 3
            assert not store.being_written
        assert mistake(Store.write, path) == "STORE: the folder is read-only"
    open_folder.chmod(0o755)
    assert sorted(file.name for file in open_folder.iterdir()) == ["results.db", "results.db.lock"]


def test_a_read_only_file_can_be_read_but_not_written(open_folder: Path) -> None:
    path = open_folder / "results.db"
    make_store(path)
    path.chmod(0o444)
    open_folder.chmod(0o777)
    with somebody_else():
        with Store.read(path) as store:
            assert len(store.records("small")) == 3
        assert mistake(Store.write, path) == "STORE: the store is read-only"


def test_a_read_only_lock_is_no_lock(open_folder: Path) -> None:
    """SQLite would take a lock for reading on it, which any number of writers may hold."""
    path = open_folder / "results.db"
    lock = open_folder / "results.db.lock"
    lock.touch()
    lock.chmod(0o444)
    open_folder.chmod(0o777)
    with somebody_else():
        assert mistake(Store.write, path) == f"STORE: its lock {lock} is read-only".replace(
            str(path), "STORE"
        )


def test_what_a_killed_run_left_in_its_log_is_read_in_a_read_only_folder(
    open_folder: Path,
) -> None:
    path = open_folder / "results.db"
    with held_by_another(path):
        pass
    assert (open_folder / "results.db-wal").stat().st_size > 0
    open_folder.chmod(0o555)
    with somebody_else(), Store.read(path) as store:
        assert store.experiments() == ["small"]
    open_folder.chmod(0o755)


def test_a_log_that_cannot_be_read_is_told(open_folder: Path) -> None:
    """Without it the results would be old ones."""
    path = open_folder / "results.db"
    with held_by_another(path):
        pass
    (open_folder / "results.db-shm").unlink()
    open_folder.chmod(0o555)
    with somebody_else():
        assert mistake(Store.read, path).startswith("STORE: the store ")
    open_folder.chmod(0o755)


def test_two_writers_in_one_process_are_refused(path: Path) -> None:
    with Store.write(path):
        assert mistake(Store.write, path).startswith("another run is writing to STORE")
    with Store.write(path):
        pass


def test_two_writers_are_refused(path: Path) -> None:
    with held_by_another(path):
        began = time.monotonic()
        assert mistake(Store.write, path) == (
            "another run is writing to STORE; wait for it, or use another store"
        )
        assert time.monotonic() - began < 2


def test_a_link_leads_to_the_same_lock(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.db"
    with Store.write(path):
        link.symlink_to(path)
        assert mistake(Store.write, link).startswith("another run is writing")


def test_a_store_can_be_read_while_another_writes(path: Path) -> None:
    with held_by_another(path) as process, Store.read(path) as store:
        assert store.being_written
        assert [cell for cell, _, _ in store.running("small")] == [Cell("MUTAG", "PGC", 0, 0)]
        process.kill()
        process.wait()
        assert not store.being_written
    with Store.write(path) as store:
        assert store.running("small") == []


def test_a_writer_killed_at_any_moment_loses_nothing(path: Path) -> None:
    rng = random.Random(4)  # noqa: S311, moments, not secrets
    n_said = 0
    for _ in range(5):
        process = spawn("write_on", path)
        if rng.random() < 0.8:
            first_line(process)
            n_said += 1
        time.sleep(rng.uniform(0, 0.08))
        process.send_signal(signal.SIGKILL)
        said, _ = process.communicate()
        n_said += said.count("\n")
        with Store.read(path) as store:
            folds = {cell.fold for cell in store.finished("small")}
            assert len(store.records("small")) == len(folds)
        assert folds == set(range(len(folds)))
        assert n_said <= len(folds)  # what was said to be on the disk is there
        n_said = len(folds)
    assert n_said > 5
    assert is_sound(path)


@pytest.mark.parametrize("most_bytes", [20_000, 100_000, 300_000])
def test_a_full_disk_damages_nothing(path: Path, most_bytes: int) -> None:
    """At first there is no room for the tables, then for some cells in the log."""
    process = spawn("fill", path, most_bytes)
    line, _ = process.communicate()
    assert process.returncode == 0
    fold, told = line.rstrip("\n").split(" ", 1)
    assert told.startswith(f"{path}: the disk ")
    assert "full" in told
    assert "what the store holds already is safe" in told
    with Store.write(path) as store:
        folds = {cell.fold for cell in store.finished("small")}
        assert folds == set(range(int(fold)))
        store.register(card(n_folds=100_000))
        assert store.add("small", record("MUTAG", "PGC", 0, max(0, int(fold))))
    assert is_sound(path)


def test_a_database_that_may_not_grow_keeps_what_it_has(path: Path) -> None:
    """The other way in which SQLite says that there is no room."""
    make_store(path)
    with Store.write(path) as store:
        store._connection.execute("PRAGMA max_page_count = 1")  # as many as there are now
        with pytest.raises(StoreError, match="the disk is full; what the store holds already is"):
            add_folds(store, 100)
        folds = {cell.fold for cell in store.finished("small") if cell.dataset == "PTC"}
        assert folds == set(range(len(folds)))
    assert is_sound(path)


def flipped(content: bytes) -> Iterator[bytes]:
    """A store with a bit flipped where it could hide a row: in names, and in counts of pages."""
    (size,) = unpack(">H", content[16:18])
    counts = [page + 4 for page in range(size, len(content), size)]  # behind each header: entries
    names = [match.start() for match in re.finditer(b"small", content)]
    for place in (*counts, *names):
        changed = bytearray(content)
        changed[place] ^= 1
        yield bytes(changed)


def test_no_flipped_bit_hides_a_row_without_a_word(tmp_path: Path) -> None:
    """Neither one of a table nor one of its index, which could not find the row any more."""
    path = tmp_path / "x.db"

    def told() -> list[str]:
        with Store.read(path) as store:
            return [line for name in store.experiments() for line in json_lines(store, name)]

    path.write_bytes(good_stores()[0])
    whole, n_noticed = told(), 0
    for content in flipped(good_stores()[0]):
        path.write_bytes(content)
        with warnings.catch_warnings():
            warnings.simplefilter("error", DamagedCellWarning)
            try:
                assert told() == whole
            except (StoreError, DamagedCellWarning):
                n_noticed += 1
    assert n_noticed >= 20
