import csv
import json
from pathlib import Path

import pytest

from cli.commands import mistake, output
from graphrings.cli.methods import methods
from graphrings.methods import METHODS
from graphrings.tasks import TASKS

DOCS = Path(__file__).parents[2] / "docs"


def test_every_method_has_a_row() -> None:
    rows = list(csv.DictReader(output("methods", "--format", "csv").splitlines()))
    assert [row["name"] for row in rows] == list(METHODS)
    assert {row["name"]: row["tried"] for row in rows}["pgc-dgcnn"] == "radius 1, 2, 3"
    assert all(row["summary"] for row in rows)
    assert "Kipf and Welling, ICLR 2017" in output("methods", "--format", "md")


def test_the_settings_of_a_method() -> None:
    rows = json.loads(output("methods", "gin", "--format", "json"))
    settings = {row["name"]: row for row in rows}
    assert settings["channels"]["default"] == "(32, 32, 32, 32)"
    assert settings["learning_rate"]["default"] == "0.001"
    assert settings["batch_size"]["allowed"] == "a whole number above 0"
    assert settings["patience"]["meaning"] == "epochs without improvement before training stops"
    assert not {"random_state", "network"} & set(settings)


def test_a_terminal_shows_a_setting_in_one_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    told = output("methods", "pgc-dgcnn")
    assert "the largest distance that a filter sees: a whole number, 0 or larger" in told
    assert "[default 2, tried 1, 2, 3]" in told


def test_what_a_method_sees_stands_above_its_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    eyes = "node labels and node attributes and edge labels and edge attributes"
    assert f"; sees {eyes}" in output("methods", "ecc")
    assert "; sees structure alone" in output("methods", "graphlet")


def test_a_method_may_have_other_settings_for_another_task() -> None:
    names = [
        {row["name"] for row in json.loads(output("methods", "wl", "--format", "json", *task))}
        for task in ((), ("--task", "regression"))
    ]
    assert "probability" in names[0] - names[1]
    assert "machine" in names[1] - names[0]


def test_the_option_knows_all_tasks() -> None:
    option = next(p for p in methods.params if p.name == "task")
    assert option.type.choices == tuple(TASKS)


def test_an_unknown_method_is_one_line() -> None:
    assert mistake("methods", "gaat").endswith("did you mean 'gat'?")


@pytest.mark.parametrize("name", METHODS)
def test_the_docs_have_every_method(name: str) -> None:
    page = (DOCS / "methods.md").read_text()
    assert f"`{name}`" in page
    assert METHODS[name].citation.split(",")[0].removeprefix("after ") in page


def test_the_docs_have_the_settings_as_the_code_has_them() -> None:
    assert output("methods", "pgc-dgcnn", "--format", "md") in (DOCS / "methods.md").read_text()
