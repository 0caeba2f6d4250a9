import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.commands import mistake, output
from graphrings.results.record import Cell
from graphrings.results.store import Store
from results.samples import WHEN, card, dataset, failure, method, record


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A run in its middle: MUTAG has begun, PTC has not."""
    with Store.write(tmp_path / "results.db") as store:
        store.register(card())
        store.add("small", record(seconds=40.0))
        store.start("small", Cell("MUTAG", "PGC", 0, 1), "worker-1", WHEN)
        store.fail("small", failure("MUTAG", "DGCNN", 0, 2, error="diverged,\n twice"))
        yield store


def test_markdown_rows_and_lines_for_people(store: Store) -> None:
    lines = output("status", "--store", store.path, "--format", "md").splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[:6]]
    assert cells[0][-2:] == ["Seconds per cell", "Time left"]
    assert cells[2] == ["MUTAG", "PGC", "1", "3", "1", "0", "40.0", "80 s"]
    assert cells[3] == ["MUTAG", "DGCNN", "0", "3", "0", "1", "-", "?"]
    assert lines[6] == "failed: DGCNN on MUTAG, repetition 1, fold 3: diverged, twice"
    assert lines[7:] == [
        "1 of 12 cells are finished, 1 are running, 1 have failed; at least 80 s left"
    ]


def test_a_table_names_its_experiment(store: Store) -> None:
    told = output("status", "small", "--store", store.path)
    assert "Cells of small" in told
    assert "at least 80 s left" in told


def test_a_file_stands_for_its_own_rows_and_datasets(store: Store, tmp_path: Path) -> None:
    """A run of a file is asked for by the same name, also where others share its experiment."""
    file = tmp_path / "part.toml"
    file.write_text(
        'name = "small"\ndatasets = ["PTC", "MUTAG"]\n[methods.DGCNN]\nmethod = "dgcnn"\n'
    )
    lines = output("status", file, "--store", store.path).splitlines()
    assert [line.split()[:2] for line in lines if "DGCNN" in line][:2] == [
        ["PTC", "DGCNN"],
        ["MUTAG", "DGCNN"],
    ]
    assert "PGC" not in "".join(lines)
    assert lines[-2] == "failed: DGCNN on MUTAG, repetition 1, fold 3: diverged, twice"
    assert lines[-1].startswith("0 of 6 cells are finished, 0 are running, 1 have failed")


def test_nothing_is_known_at_the_start(store: Store) -> None:
    store.register(card(name="new"))
    told = output("status", "new", "--store", store.path)
    assert told.endswith("0 have failed; the time left is not known yet\n")


def test_an_end_in_sight_is_told_without_a_bound(store: Store) -> None:
    store.register(card(name="one", datasets=(dataset("PTC"),), methods=(method("PGC"),)))
    store.add("one", record("PTC", "PGC", 0, 0, seconds=3600.0))
    told = output("status", "one", "--store", store.path)
    assert told.endswith(
        "1 of 3 cells are finished, 0 are running, 0 have failed; about 2.0 h left\n"
    )


def test_csv_has_a_row_per_group(store: Store) -> None:
    told = output("status", "--store", store.path, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(told)))
    assert len(rows) == 4
    assert (rows[0]["seconds_left"], rows[1]["seconds_left"]) == ("80.0", "")


def test_json_tells_groups_failures_and_the_total(store: Store) -> None:
    told = json.loads(output("status", "--store", store.path, "--format", "json"))
    assert told["experiment"] == "small"
    assert told["groups"][0]["running"] == 1
    assert told["failures"][0]["error"] == "diverged,\n twice"
    assert (told["failures"][0]["repetition"], told["failures"][0]["fold"]) == (1, 3)
    assert (told["total"]["seconds_left"], told["total"]["is_lower_bound"]) == (80.0, True)


def test_a_killed_run_is_not_running(store: Store) -> None:
    store.close()
    told = json.loads(output("status", "--store", store.path, "--format", "json"))
    assert told["total"]["running"] == 0


def test_a_clock_that_was_set_back_is_no_matter(store: Store) -> None:
    store.add("small", record("PTC", "PGC", 0, 0, seconds=-9e9, finished="1970-01-01T00:00:00"))
    told = output("status", "--store", store.path, "--format", "csv")
    assert "PTC,PGC,1,3,0,0,0.0,0.0\n" in told


def test_names_are_shown_as_they_are(store: Store) -> None:
    name = "[bold]<b>'\"|\n"
    rows = (method(name),)
    store.register(card(name=name, datasets=(dataset(name),), methods=rows))
    assert "[bold]<b>" in output("status", name, "--store", store.path)
    lines = output("status", name, "--store", store.path, "--format", "md").splitlines()
    assert len(lines) == 4
    assert "\\|" in lines[2]


@pytest.mark.parametrize("style", ["table", "md", "csv", "json"])
def test_an_experiment_may_have_no_rows_yet(store: Store, style: str) -> None:
    store.register(card(name="bare", datasets=(), methods=()))
    told = output("status", "bare", "--store", store.path, "--format", style)
    assert "MUTAG" not in told
    if style == "json":
        assert json.loads(told)["groups"] == []


def test_mistakes_are_one_line(store: Store, tmp_path: Path) -> None:
    assert "no such store" in mistake("status", "--store", tmp_path / "nowhere.db")
    store.register(card(name="other"))
    told = mistake("status", "--store", store.path)
    assert told == f"{store.path}: several experiments, 'small', 'other'; name one"
