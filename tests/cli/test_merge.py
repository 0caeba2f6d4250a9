from pathlib import Path

import pytest

from cli.commands import mistake, output
from graphrings.results.store import Store
from results.samples import card, failure, record


@pytest.fixture
def first(tmp_path: Path) -> Path:
    """A store with one finished cell."""
    with Store.write(tmp_path / "a.db") as store:
        store.register(card())
        store.add("small", record())
    return tmp_path / "a.db"


def test_a_store_and_an_export_become_one_store(first: Path, tmp_path: Path) -> None:
    with Store.write(tmp_path / "b.db") as store:
        store.register(card())
        store.add("small", record("PTC", "PGC", 0, 0))
        store.fail("small", failure("PTC", "PGC", 0, 1))
    output("export", "--store", tmp_path / "b.db", "-o", tmp_path / "b.jsonl.gz")
    merged = tmp_path / "all.db"
    told = output("merge", first, tmp_path / "b.jsonl.gz", "-o", merged)
    assert told == f"{merged}: 2 cells of small are finished, 1 have failed\n"
    assert "2 of 12 cells are finished" in output("status", "--store", merged)


def test_mistakes_are_one_line_and_leave_no_file(first: Path, tmp_path: Path) -> None:
    merged = tmp_path / "all.db"
    assert mistake("merge", tmp_path / "no.db", "-o", merged).endswith("no such file or directory")
    with Store.write(tmp_path / "b.db") as store:
        store.register(card())
        store.add("small", record(n_training=5))
    told = mistake("merge", first, tmp_path / "b.db", "-o", merged)
    assert told.endswith("before it: PGC on MUTAG, repetition 1, fold 1")
    assert not merged.exists()
    assert mistake("merge", first, "-o", first).startswith(f"{first}: exists already")
    assert "Missing argument 'FILE...'" in mistake("merge", "-o", merged)
    assert "Missing option '-o'" in mistake("merge", first)


def test_a_row_is_left_out(first: Path, tmp_path: Path) -> None:
    merged = tmp_path / "rest.db"
    told = output("merge", first, "-o", merged, "--without", "PGC")
    assert told == f"{merged}: 0 cells of small are finished\n"
