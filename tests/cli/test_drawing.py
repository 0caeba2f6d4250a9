import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from cli.commands import mistake, run


def pictures(path: Path) -> list[str]:
    """The words above every graph of a picture."""
    root = ET.fromstring(path.read_text())  # noqa: S314, our own
    return [text.text or "" for text in root.findall("{*}text")]


def test_info_draws_a_few_graphs_of_every_class(tmp_path: Path) -> None:
    done = run("info", "MUTAG", "--draw", tmp_path / "few.svg")
    assert done.exit_code == 0
    assert "2 rows of graphs, a class each" in done.stderr
    words = pictures(tmp_path / "few.svg")
    classes = [word.split(": ")[1] for word in words]
    assert classes == ["not mutagenic (-1)"] * 6 + ["mutagenic (1)"] * 6


def test_the_audit_draws_twins_side_by_side(tmp_path: Path) -> None:
    """Radius 0 and no round: graphs of the same atoms are twins."""
    arguments = ("--radius", "0", "--rounds", "0", "--draw", tmp_path / "twins.svg")
    done = run("audit", "MUTAG", *arguments)
    assert done.exit_code == 0
    words = pictures(tmp_path / "twins.svg")
    targets = [word.split(": ")[1] for word in words]
    assert sorted(targets[:2]) == ["mutagenic (1)", "not mutagenic (-1)"]


def test_without_conflicts_there_is_nothing_to_draw(tmp_path: Path) -> None:
    done = run("audit", "MUTAG", "--draw", tmp_path / "twins.svg")
    assert "no twins of different targets to draw" in done.stderr
    assert not list(tmp_path.glob("*.svg"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["MUTAG", "MUTAG", "--draw", "a.svg"], "--draw is for one dataset; there are 2."),
        (["MUTAG", "--draw", "a.png"], "an unknown ending; expected .svg."),
    ],
)
@pytest.mark.parametrize("verb", ["info", "audit"])
def test_what_cannot_be_drawn_is_refused(verb: str, arguments: list[str], said: str) -> None:
    assert said in mistake(verb, *arguments)
