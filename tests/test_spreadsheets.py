"""Cells that a spreadsheet would compute are counted, and made text where that is asked for."""

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphrings as gr
from cli.commands import mistake, run
from graphrings.errors import DatasetNote
from graphrings.graphs.tables.rejected import Rejected, write_rejected
from graphrings.results.store import Store
from graphrings.spreadsheets import Cells, is_formula
from results.samples import card, dataset, method, record

CALL = '=HYPERLINK("http://x")'


@pytest.mark.parametrize(
    "cell", [CALL, "+1+1", "-x", "@SUM(A1)", "\t=1", "\r=1", "=", "\uff1d1", "-1;=2", "+"]
)
def test_what_may_be_computed(cell: str) -> None:
    assert is_formula(cell)


@pytest.mark.parametrize("cell", ["", "C=O", "-1", "+1.5", "-1e-5", "-inf", "a", 5, -1.5, None])
def test_numbers_and_text_are_not(cell: object) -> None:
    assert not is_formula(cell)


@given(st.lists(st.text() | st.floats() | st.none()))
def test_what_is_safe_says_the_same_behind_an_apostrophe(row: list[object]) -> None:
    kept, safe = Cells(), Cells(safe=True)
    assert repr(kept.row(row)) == repr(row)
    shown = safe.row(row)
    assert not any(map(is_formula, shown))
    changed = [(a, b) for a, b in zip(row, shown, strict=True) if a is not b]
    assert all(b == f"'{a}" for a, b in changed)
    assert len(changed) == kept.n_formulas == safe.n_formulas


@pytest.mark.parametrize("more", [(), ("--predictions",)])
def test_exports(tmp_path: Path, more: tuple[str, ...]) -> None:
    path = tmp_path / "results.db"
    with Store.write(path) as store:
        store.register(card(datasets=(dataset("@data"),), methods=(method(CALL),)))
        store.add("small", record("@data", CALL, 0, 0))
    plain = run("export", "--store", path, *more)
    safe = run("export", "--store", path, "--spreadsheet-safe", *more)
    said, changed = (list(csv.DictReader(io.StringIO(done.stdout))) for done in (plain, safe))
    assert (said[0]["dataset"], said[0]["method"]) == ("@data", CALL)
    assert (changed[0]["dataset"], changed[0]["method"]) == ("'@data", f"'{CALL}")
    n = 2 * len(said)
    assert plain.stderr.startswith(f"note: {n} cells look like formulas to a spreadsheet; import")
    assert safe.stderr == f"note: an apostrophe stands before {n} cells that look like formulas\n"
    assert "is for csv, not for jsonl" in mistake(
        "export", "--store", path, "--spreadsheet-safe", "--format", "jsonl"
    )


@pytest.mark.slow
def test_predictions_keep_what_a_user_gave_unless_asked(tmp_path: Path) -> None:
    pytest.importorskip("rdkit")
    model, table = tmp_path / "model", tmp_path / "rows.csv"
    molecules = gr.from_smiles(["CC", "CO", "CCC", "CCO"], ["a", "b", "a", "b"])
    gr.ForestClassifier(n_trees=5).fit(molecules).save(model)
    table.write_text(f"smiles,@note\nCC,-1\nCO,{CALL.replace(chr(34), chr(39))}\n")
    kept = run("predict", model, table, "--smiles", "smiles", "--jobs", 1)
    safe = run("predict", model, table, "--smiles", "smiles", "--jobs", 1, "--spreadsheet-safe")
    assert kept.stdout.splitlines()[0].startswith("smiles,@note,")
    assert safe.stdout.splitlines()[0].startswith("smiles,'@note,")
    assert [line.split(",")[1] for line in safe.stdout.splitlines()[1:]] == [
        "-1",
        "'=HYPERLINK('http://x')",
    ]
    assert safe.stdout.replace(",'@", ",@").replace(",'=", ",=") == kept.stdout
    assert "2 cells look like formulas" in kept.stderr
    words = "predict", model, table, "--spreadsheet-safe", "--format", "jsonl"
    assert "is for csv and tsv, not for jsonl" in mistake(*words)


def test_tables(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    with Store.write(path) as store:
        store.register(card(datasets=(dataset("MUTAG"),), methods=(method(CALL),)))
        store.add("small", record("MUTAG", CALL, 0, 0))
    for words in (("table", "--store", path), ("status", "--store", path)):
        plain = run(*words, "--format", "csv")
        safe = run(*words, "--format", "csv", "--spreadsheet-safe")
        said, changed = (list(csv.DictReader(io.StringIO(done.stdout))) for done in (plain, safe))
        assert (
            {row["method"] for row in changed}
            == {f"'{row['method']}" for row in said}
            == {f"'{CALL}"}
        )
        assert "look like formulas to a spreadsheet; import" in plain.stderr
        assert "an apostrophe stands before" in safe.stderr
        assert "is for csv, not for md" in mistake(*words, "--spreadsheet-safe", "--format", "md")


def test_explanations(tmp_path: Path) -> None:
    graphs = gr.load("MUTAG")[:12]
    named = graphs.changed(label_names=tuple(f"@{name}" for name in graphs.label_names))
    gr.write(named, tmp_path / "X.npz", "graphrings")
    gr.ForestClassifier(n_trees=2).fit(named).save(tmp_path / "model")
    words = ("explain", tmp_path / "model", tmp_path / "X.npz", "--graph", 0, "-o")
    plain, safe = tmp_path / "plain.csv", tmp_path / "safe.csv"
    assert "import them as text" in run(*words, plain).stderr
    assert "an apostrophe stands before" in run(*words, safe, "--spreadsheet-safe").stderr
    labels = {row["label"] for row in csv.DictReader(io.StringIO(plain.read_text()))}
    changed = {row["label"] for row in csv.DictReader(io.StringIO(safe.read_text()))}
    assert changed == {f"'{label}" if label else "" for label in labels}
    assert "expected -o FILE.csv" in mistake(*words, tmp_path / "x.html", "--spreadsheet-safe")


def test_rejected_rows_stay_as_they_are_and_are_counted(tmp_path: Path) -> None:
    rows = [Rejected(2, "does not parse", CALL), Rejected(3, "does not parse", "C1")]
    with pytest.warns(DatasetNote, match=r"r.csv: 1 cells look like formulas to a spreadsheet; im"):
        write_rejected(tmp_path / "r.csv", rows)
    with (tmp_path / "r.csv").open(newline="") as file:
        assert [row[2] for row in csv.reader(file)] == ["text", CALL, "C1"]
    write_rejected(tmp_path / "r.csv", rows[1:])
