"""Commands that stand beside figures still do something."""

import re
import shlex
from importlib.util import find_spec
from pathlib import Path

import pytest
from benchmarks.judged import main as judged

from graphrings.protocol.experiment import read_experiment
from graphrings.protocol.shipped import experiment_path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
COMMAND = re.compile(r"`python -m benchmarks\.(\w+)([^`]*)`")
COMMANDS = {found.groups() for page in PAGES for found in COMMAND.finditer(page.read_text())}
JUDGED = sorted(words for module, words in COMMANDS if module == "judged")


def test_every_benchmark_on_a_page_exists() -> None:
    modules = {module for module, _ in COMMANDS}
    assert len(modules) > 10
    assert all(find_spec(f"benchmarks.{module}") for module in modules)


@pytest.mark.parametrize("words", JUDGED)
def test_rows_that_are_judged_are_those_of_the_experiment(
    words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    given = judged.make_context("judged", shlex.split(words)).params
    experiment = read_experiment(experiment_path(given["experiment"]))
    assert experiment.chosen(given["datasets"], given["rows"]).methods
