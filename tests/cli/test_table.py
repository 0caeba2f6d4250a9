import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest

import graphrings as gr
from cli.commands import mistake, output, run
from graphrings.results.record import Cell
from graphrings.results.results import Results
from graphrings.results.store import Store
from report.measured import asked, card, failure, records

HELD = {
    ("pgc-dgcnn", "MUTAG"): [[0.6, 0.8], [0.8, 1.0]],
    ("dgcnn", "MUTAG"): [[0.5, 0.6], [0.7, None]],
}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with one experiment."""
    path = tmp_path / "results.db"
    fill(path, "trial")
    return path


def fill(path: Path, name: str) -> None:
    with Store.write(path) as opened:
        opened.register(replace(card(), name=name))
        for record in records(HELD):
            opened.add(name, record)
        opened.fail(name, failure("MUTAG", "dgcnn", 1, 1))


def test_a_table_for_people(store: Path) -> None:
    told = output("table", "--store", store)
    assert "80.00±14.14 / 16.33" in told
    assert "(3/4 folds, 1 failed)" in told
    assert "paper 87.22±1.43" in told
    assert "note: stratified folds: 2 repetitions of 2\n" in told


def test_the_store_of_the_working_directory_is_the_default(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(store.parent)
    assert output("table", "trial") == output("table", "--store", store)


def test_a_table_of_the_paper(store: Path) -> None:
    told = output("table", "--store", store, "--like", "table3", "--format", "md")
    assert told.splitlines()[0].split("|")[1:-1][-1].strip() == "IMDB-MULTI"
    assert "PSCN" in told


def test_some_rows_and_columns(store: Path) -> None:
    chosen = "table", "--store", store, "--format", "csv", "--method", "dgcnn"
    rows = list(csv.DictReader(io.StringIO(run(*chosen, "--dataset", "MUTAG").stdout)))
    assert [(row["method"], row["folds"]) for row in rows] == [("dgcnn", "3")]
    turned = run(*chosen, "--method", "pgc-dgcnn", "--dataset", "MUTAG").stdout
    rows = list(csv.DictReader(io.StringIO(turned)))
    assert [row["method"] for row in rows] == ["dgcnn", "pgc-dgcnn"]  # in the order asked for
    assert "trial has no method 'dgccn'; expected one of" in mistake(
        "table", "--store", store, "--method", "dgccn"
    )
    assert "trial has no dataset 'PTC'" in mistake("table", "--store", store, "--dataset", "PTC")
    told = mistake("table", "--store", store, "--method", "dgcnn", "--like", "table2")
    assert "like has the rows and columns of the paper" in told


def test_a_file_stands_for_its_rows_and_datasets(tmp_path: Path) -> None:
    path, file = tmp_path / "results.db", tmp_path / "part.toml"
    fill(path, "tables")
    file.write_text('name = "tables"\ndatasets = ["MUTAG", "PTC"]\n[methods.dgcnn]\n[methods.wl]\n')
    chosen = "--store", path, "--format", "csv"
    for asked_for in (file, "table2"):
        rows = list(csv.DictReader(io.StringIO(run("table", asked_for, *chosen).stdout)))
        names = ["dgcnn"] if asked_for == file else ["dgcnn", "pgc-dgcnn"]  # in its order
        assert [row["method"] for row in rows] == names
    against = run("table", file, *chosen, "--against", "pgc-dgcnn").stdout
    rows = list(csv.DictReader(io.StringIO(against)))  # of the experiment, though not of the file
    assert [row["method"] for row in rows] == ["dgcnn"]
    rows = list(csv.DictReader(io.StringIO(run("table", file, "table2", *chosen).stdout)))
    assert [row["method"] for row in rows] == ["dgcnn", "pgc-dgcnn"]  # the rows of both
    assert "table2 and demo are of several experiments: tables, demo" in mistake(
        "table", "table2", "demo", *chosen
    )
    assert "'tables' is not the file of an experiment" in mistake(
        "table", "table2", "tables", *chosen
    )
    assert "no experiment 'table4'; there is 'tables'" in mistake("table", "table4", *chosen)
    assert "no experiment 'demo'; there is 'tables'" in mistake("table", "demo", *chosen)
    file.write_text('name = "tables"\ndatasets = ["MUTAG"]\n[methods.wl]\n')
    assert "nothing of" in mistake("table", file, *chosen)
    assert f"nothing of {file} yet" in mistake("table", "table2", file, *chosen)
    assert len(gr.table(path, Path("table2")).rows) == len(gr.table(path, "table2").rows) > 0
    with Store.read(path) as held, pytest.raises(gr.errors.SettingError, match="is for a store"):
        gr.table(Results.of(held), "table2")


def test_csv_has_its_notes_apart(store: Path) -> None:
    done = run("table", "--store", store, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [(row["method"], row["folds"]) for row in rows] == [("pgc-dgcnn", "4"), ("dgcnn", "3")]
    assert done.stderr.startswith("note: mean over the test folds")


@pytest.mark.parametrize(
    ("style", "start"), [("html", "<table class="), ("latex", r"\begin{table}"), ("md", "| Method")]
)
def test_other_formats(store: Path, style: str, start: str) -> None:
    for more in ([], ["--ranks"], ["--against", "dgcnn"]):
        assert output("table", "--store", store, "--format", style, *more).startswith(start)


def test_against_a_method(store: Path) -> None:
    told = output("table", "--store", store, "--against", "dgcnn")
    assert "minus that of dgcnn" in told
    assert "+13.33" in told  # 10, 20 and 10
    assert "3/4 folds in common: pgc-dgcnn on MUTAG" in told


def test_against_a_method_that_is_not_among_the_rows_asked_for(store: Path) -> None:
    told = output("table", "--store", store, "--against", "dgcnn")
    assert output("table", "--store", store, "--against", "dgcnn", "--method", "pgc-dgcnn") == told
    both = ("--method", "dgcnn", "--method", "pgc-dgcnn")
    assert output("table", "--store", store, "--against", "dgcnn", *both) == told


def test_ranks(store: Path) -> None:
    told = output("table", "--store", store, "--ranks")
    assert "not ranked, no dataset is complete: dgcnn" in told
    assert "nothing to rank" in told


def test_another_score(store: Path) -> None:
    assert "test macro F1, percent" in output("table", "--store", store, "--score", "macro_f1")
    assert "lower is better" in output("table", "--store", store, "--score", "log_loss")
    assert "7 cells keep neither MCC nor" in output("table", "--store", store, "--score", "mcc")


def test_a_score_of_another_task_is_a_mistake(store: Path) -> None:
    told = mistake("table", "--store", store, "--score", "rmse")
    assert told.startswith("'rmse' is not a score of classification; expected one of accuracy, ")
    assert "did you mean 'macro_f1'?" in mistake("table", "--store", store, "--score", "macrof1")


def test_scores_of_values(tmp_path: Path) -> None:
    values = card(("a", "b"), ("ESOL",), 1, 1, task="regression")
    path = tmp_path / "values.db"
    with Store.write(path) as opened:
        opened.register(values)
        for name, predicted in (("a", [1.0, 2.0, 4.0]), ("b", [1.0, 3.0, 4.0])):
            cell = Cell("ESOL", name, 0, 0)
            opened.add(values.name, asked(cell, [1.0, 2.0, 3.0], predicted, n_classes=0))
    assert "test RMSE, lower is better" in output("table", "--store", path)
    told = output("table", "--store", path, "--score", "mae")
    assert "0.333" in told
    assert "0.667" in told
    assert "exact p 1.000" in output("table", "--store", path, "--against", "b")


def test_an_unknown_method_is_a_mistake_with_the_nearest(store: Path) -> None:
    assert mistake("table", "--store", store, "--against", "pgc") == (
        "no method is called 'pgc'; did you mean 'pgc-dgcnn'?; known: pgc-dgcnn, dgcnn"
    )


def test_two_tables_at_once_are_refused(store: Path) -> None:
    told = mistake("table", "--store", store, "--against", "dgcnn", "--ranks")
    assert told.startswith("--against and --ranks are two tables")


def test_one_of_several_experiments_must_be_named(store: Path) -> None:
    fill(store, "second")
    told = mistake("table", "--store", store)
    assert "'trial'" in told
    assert "'second'" in told
    assert output("table", "second", "--store", store).startswith("second: ")


def test_an_unknown_experiment_is_a_mistake(store: Path) -> None:
    assert "'trial'" in mistake("table", "trail", "--store", store)


def test_a_store_that_is_not_there_is_a_mistake_and_not_made(tmp_path: Path) -> None:
    assert str(tmp_path / "none.db") in mistake("table", "--store", tmp_path / "none.db")
    assert not list(tmp_path.glob("none.db*"))


def test_the_validation_folds_have_a_table_of_their_own(store: Path) -> None:
    """No number of the paper stands in it."""
    told = output("table", "--store", store, "--validation", "--format", "md")
    assert "87.22" not in told
    told = mistake("table", "--store", store, "--validation", "--ranks")
    assert told == "validation is a table of its own; ask for it without the others"
