from pathlib import Path

import pytest

from cli.commands import output, run
from graphrings.results.store import Store
from results.samples import card, record


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "results.db"
    with Store.write(path) as made:
        made.register(card())
        made.add("small", record())
        made.add("small", record("PTC", "PGC", 0, 0))
    return path


def test_a_sound_store(store: Path) -> None:
    assert output("check", store).splitlines() == [
        "small: 2 of 12 cells are finished, all sound",
        f"{store}: sound",
    ]


def test_a_damaged_cell_is_named_and_the_status_says_so(store: Path) -> None:
    with Store.write(store) as made:
        made._connection.execute("UPDATE cells SET seconds = 3 WHERE dataset = 'PTC'")
    said = run("check", store)
    assert said.exit_code == 1
    assert said.output.splitlines() == [
        "small: 2 of 12 cells are finished, 1 of them sound",
        "small: damaged, left out, and done again by the next run: "
        "PGC on PTC, repetition 1, fold 1 (its checksum does not fit)",
        f"{store}: damaged",
    ]


def test_a_note_is_said_once_however_often_a_store_is_read(store: Path) -> None:
    with Store.write(store) as made:
        made._connection.execute("UPDATE cells SET seconds = 3 WHERE dataset = 'PTC'")
    said = run("status", "--store", store)
    assert said.stderr.count("note: ") == 1
    assert "damaged, left out, and done again by the next run: PGC on PTC" in said.stderr
