import csv
import gzip
import io
import json
from pathlib import Path

import pytest

from cli.commands import mistake, output, run
from graphrings.results.store import Store
from results.samples import card, failure, record

NAME = "Gr\u00fcn, \"<b>\"\n'x'"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with one experiment, a finished and a failed cell."""
    path = tmp_path / "results.db"
    with Store.write(path) as store:
        store.register(card())
        store.add("small", record())
        store.fail("small", failure("PTC", "PGC", 0, 1))
    return path


def test_csv_goes_to_standard_output(path: Path) -> None:
    (row,) = csv.DictReader(io.StringIO(output("export", "--store", path)))
    assert (row["dataset"], row["accuracy"], row["seconds"]) == ("MUTAG", "0.5", "4.0")
    assert output("export", "small", "--store", path) == output("export", "--store", path)


def test_a_file_stands_for_its_own_rows_and_datasets(path: Path, tmp_path: Path) -> None:
    file = tmp_path / "part.toml"
    file.write_text('name = "small"\ndatasets = ["PTC"]\n[methods.PGC]\nmethod = "pgc-dgcnn"\n')
    lines = output("export", file, "--store", path, "--format", "jsonl").splitlines()
    card, failed = map(json.loads, lines)
    assert [data["name"] for data in card["datasets"]] == ["PTC"]
    assert (failed["kind"], failed["dataset"]) == ("failed", "PTC")


def test_json_lines_also_tell_what_failed(path: Path) -> None:
    told = output("export", "--store", path, "--format", "jsonl", "--no-curves")
    _, done, failed = map(json.loads, told.splitlines())
    assert (done["kind"], failed["kind"]) == ("finished", "failed")
    assert "curve" not in done["trials"][1]


def test_some_datasets_and_rows(path: Path, tmp_path: Path) -> None:
    """In every format; the parts of an experiment, merged, are the whole of it."""
    with Store.write(path) as store:
        store.add("small", record("PTC", "DGCNN", 0, 0, test=None))
    some = "export", "--store", path, "--dataset", "PTC"
    (row,) = csv.DictReader(io.StringIO(output(*some)))
    assert (row["dataset"], row["method"]) == ("PTC", "DGCNN")
    done = run(*some, "--predictions")
    assert len(done.stdout.splitlines()) == 1
    assert "no predictions: 1" in done.stderr
    assert run("export", "--store", path, "--predictions", "--method", "PGC").stderr == ""
    card, failed = map(
        json.loads, output(*some, "--method", "PGC", "--format", "jsonl").splitlines()
    )
    assert [data["name"] for data in card["datasets"]] == ["PTC"]
    assert (failed["kind"], failed["method"]) == ("failed", "PGC")
    assert "small has no dataset 'PCT'; expected one of" in mistake(*some[:-1], "PCT")

    parts = tmp_path / "mutag.jsonl.gz", tmp_path / "ptc.jsonl.gz"
    for part, name in zip(parts, ("MUTAG", "PTC"), strict=True):
        output("export", "--store", path, "--dataset", name, "-o", part)
    output("merge", *parts, "-o", tmp_path / "whole.db")
    whole = "export", "--format", "jsonl", "--store"
    assert output(*whole, tmp_path / "whole.db") == output(*whole, path)


def test_times_can_be_left_out(path: Path) -> None:
    for style in ("csv", "jsonl"):
        told = output("export", "--store", path, "--format", style, "--no-times")
        assert "seconds" not in told
        assert "2026-11-16" not in told


def test_the_end_of_a_name_says_the_format(path: Path, tmp_path: Path) -> None:
    for name, style in (("a.csv.gz", "csv"), ("a.jsonl.gz", "jsonl"), ("a.jsonl", "jsonl")):
        file = tmp_path / name
        assert output("export", "--store", path, "-o", file) == ""
        content = file.read_bytes()
        text = (gzip.decompress(content) if name.endswith(".gz") else content).decode()
        assert text == output("export", "--store", path, "--format", style)
    output("export", "--store", path, "--format", "csv", "-o", tmp_path / "b.jsonl")
    assert (tmp_path / "b.jsonl").read_text() == output("export", "--store", path)


def test_predictions_have_a_row_per_test_graph(path: Path) -> None:
    told = output("export", "--store", path, "--predictions")
    first, second = csv.DictReader(io.StringIO(told))
    assert (first["graph"], first["fold"], first["truth"], first["predicted"]) == (
        "3",
        "1",
        "a",
        "b",
    )
    assert json.loads(second["probabilities"]) == {"a": 0.3, "b": 0.7}
    lines = output("export", "--store", path, "--predictions", "--format", "jsonl").splitlines()
    assert json.loads(lines[1])["probabilities"] == {"a": 0.3, "b": 0.7}


def test_cells_without_predictions_are_noted(path: Path) -> None:
    with Store.write(path) as store:
        store.add("small", record("PTC", "PGC", 0, 0, test=None))
    done = run("export", "--store", path, "--predictions")
    assert (done.exit_code, done.stdout.count("\n")) == (0, 3)
    assert done.stderr == "note: cells left out because they have no predictions: 1\n"


def test_a_file_is_replaced_by_what_would_be_printed(path: Path, tmp_path: Path) -> None:
    file = tmp_path / "out" / "results.csv"
    file.parent.mkdir()
    file.write_text("before")
    assert output("export", "--store", path, "-o", file) == ""
    assert file.read_text(encoding="utf-8") == output("export", "--store", path)
    assert list(file.parent.iterdir()) == [file]


def test_what_fails_half_way_leaves_the_file_as_it_was(path: Path, tmp_path: Path) -> None:
    file = tmp_path / "out" / "results.csv"
    file.parent.mkdir()
    file.write_text("before")
    with Store.write(path) as store:
        store._connection.execute("UPDATE methods SET grid = '{}' WHERE name = 'PGC'")
    told = mistake("export", "--store", path, "-o", file)
    assert told == f"{path}: the store is damaged (PGC: its checksum does not fit)"
    assert file.read_text() == "before"
    assert list(file.parent.iterdir()) == [file]


def test_the_store_itself_is_never_overwritten(path: Path) -> None:
    before = path.read_bytes()
    told = mistake("export", "--store", path, "-o", path)
    assert told == f"{path}: the store itself; expected another file to write"
    assert path.read_bytes() == before


def test_one_of_several_experiments_must_be_named(path: Path) -> None:
    with Store.write(path) as store:
        store.register(card(name="other"))
    told = mistake("export", "--store", path)
    assert told == f"{path}: several experiments, 'small', 'other'; name one"
    assert output("export", "other", "--store", path).count("\n") == 1
    assert "no experiment 'third'; there is 'small'" in mistake("export", "third", "--store", path)


def test_a_store_that_is_not_there_is_a_mistake(tmp_path: Path) -> None:
    path = tmp_path / "nowhere.db"
    assert mistake("export", "--store", path).startswith(f"{path}: no such store of results")


def test_a_folder_that_is_not_there_is_a_mistake(path: Path, tmp_path: Path) -> None:
    told = mistake("export", "--store", path, "-o", tmp_path / "no" / "file.csv")
    assert told.endswith("No such file or directory")


def test_strange_names_can_be_read_back(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    made = card(name=NAME)
    with Store.write(path) as store:
        store.register(made)
        store.add(NAME, record(versions={NAME: NAME}))
    (row,) = csv.DictReader(io.StringIO(output("export", NAME, "--store", path)))
    assert json.loads(row["versions"]) == {NAME: NAME}
    assert " no experiment " in mistake("export", "<b>\n", "--store", path)
