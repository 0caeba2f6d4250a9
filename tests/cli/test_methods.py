import csv
import json
from pathlib import Path

import pytest

from cli.commands import mistake, output
from graphrings.methods import METHODS

DOCS = Path(__file__).parents[2] / "docs"


def test_every_method_has_a_row() -> None:
    rows = list(csv.DictReader(output("methods", "--format", "csv").splitlines()))
    assert [row["name"] for row in rows] == list(METHODS)
    assert {row["name"]: row["tried"] for row in rows}["pgc-dgcnn"] == "radius 1, 2, 3"
    assert "Kipf and Welling, ICLR 2017" in output("methods", "--format", "md")


def test_the_settings_of_a_method() -> None:
    rows = json.loads(output("methods", "gin", "--format", "json"))
    found = {row["name"]: row["default"] for row in rows}
    assert found["channels"] == "(32, 32, 32, 32)"
    assert found["learning_rate"] == "0.001"
    assert not {"random_state", "network"} & set(found)


def test_an_unknown_method_is_one_line() -> None:
    assert mistake("methods", "gaat").endswith("did you mean 'gat'?")


@pytest.mark.parametrize("name", METHODS)
def test_the_docs_have_every_method(name: str) -> None:
    page = (DOCS / "methods.md").read_text()
    assert f"`{name}`" in page
    assert METHODS[name].citation.split(",")[0].removeprefix("after ") in page
