"""Names from elsewhere reach a terminal as text, by whatever command and in whatever format."""

import ast
import json
import sys
from collections import Counter
from io import StringIO
from pathlib import Path

import networkx as nx
import pytest

import graphrings as gr
from cli.commands import run
from graphrings.cli import output as sinks
from graphrings.cli.running import Bar
from graphrings.graphs.fetch import ProgressBar
from graphrings.learning.progress import TrainingProgress
from graphrings.results.record import Cell, Failure
from graphrings.results.store import Store
from graphrings.tasks import CLASSIFICATION
from results.samples import card, dataset, failure, method, record

SOURCE = Path(gr.__file__).parent
ODD = "speed [/m] \x1b[2J[link=http://x]y[/link] \u202e\x07"
SPELLED = r"speed [/m] \x1b[2J[link=http://x]y[/link] \u202e\x07"
OBEYED = "\x1b\x07\u202e"


class Terminal(StringIO):
    """A stream that somebody looks at."""

    def isatty(self) -> bool:
        """It is one."""
        return True


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store in which experiment, dataset, method and error have odd names."""
    path = tmp_path / "odd.db"
    odd = card(name=ODD, datasets=(dataset(ODD),), methods=(method(ODD),))
    with Store.write(path) as opened:
        opened.register(odd)
        opened.add(ODD, record(ODD, ODD, 0, 0))
        opened.fail(ODD, failure(ODD, ODD, 0, 1))
    return path


@pytest.fixture
def graphs(tmp_path: Path) -> Path:
    """A dataset whose file has an odd name."""
    path = tmp_path / f"{ODD.replace('/', '')}.npz"
    made = [nx.path_graph(3), nx.star_graph(3), nx.path_graph(4), nx.cycle_graph(4)]
    gr.write(gr.from_networkx(made, ["a", "b", "a", "b"]), path)
    return path


def test_commands_print_through_one_file() -> None:
    """What is said to people passes ``say`` and its like, which spell out what is no text."""
    places = {
        f"{path.stem}:{node.lineno}"
        for path in (SOURCE / "cli").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute)
        and node.attr in ("echo", "secho", "echo_via_pager")
        and path.stem != "output"
    }
    assert places == set()


def test_what_rich_shows_is_no_markup() -> None:
    """Every column of a progress bar that shows a text from elsewhere says so."""
    calls = [
        node
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "TextColumn"
        and "task.description" in ast.unparse(node)
    ]
    assert calls
    assert all("markup=False" in ast.unparse(call) for call in calls)


@pytest.mark.parametrize("style", ["table", "md", "csv", "json"])
def test_status(store: Path, style: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sinks, "is_watched", lambda: True)
    assert_harmless("status", "--store", store, "--format", style)


@pytest.mark.parametrize("style", ["table", "md", "latex", "csv", "html"])
def test_table(store: Path, style: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sinks, "is_watched", lambda: True)
    assert_harmless("table", "--store", store, "--format", style)


@pytest.mark.parametrize("style", ["csv", "jsonl"])
def test_exports_on_a_terminal(store: Path, style: str, monkeypatch: pytest.MonkeyPatch) -> None:
    as_it_is = run("export", "--store", store, "--format", style)
    monkeypatch.setattr(sinks, "is_watched", lambda: True)
    assert_harmless("export", "--store", store, "--format", style)
    if style == "csv":
        assert ODD in as_it_is.stdout  # for a program nothing changes
    else:
        assert json.loads(as_it_is.stdout.splitlines()[0])["name"] == ODD


def test_check_and_merge(store: Path, tmp_path: Path) -> None:
    assert_harmless("check", store)
    assert_harmless("merge", store, "-o", tmp_path / "new\x1b[31m.db")


@pytest.mark.parametrize(
    "words",
    [("info",), ("audit",), ("rings",), ("kernel", "-o", "{folder}/g.npz"), ("convert",)],
    ids=lambda words: words[0],
)
def test_commands_on_a_dataset(words: tuple[str, ...], graphs: Path, tmp_path: Path) -> None:
    more = [word.format(folder=tmp_path) for word in words[1:]]
    to = [tmp_path / "again\x1b.npz"] if words[0] == "convert" else []
    assert_harmless(words[0], graphs, *to, *more)


def test_a_forecast(graphs: Path, tmp_path: Path) -> None:
    path = tmp_path / "odd [m].toml"
    path.write_text(f"datasets = [{json.dumps(str(graphs))}]\nn_folds = 2\n[methods.wl]\n")
    done = run("run", path, "--dry-run", "--store", tmp_path / "s.db")
    assert not any(sign in done.output for sign in OBEYED)


@pytest.mark.parametrize("terminal", [True, False])
def test_a_failed_cell_while_a_run_is_on(terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal() if terminal else StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    with Bar({}, Counter({(ODD, ODD): 2}), quiet=False) as bar:
        bar.move(Failure(Cell(ODD, ODD, 0, 0), ODD, 1.0, ""))
        bar.say(f"failed: {ODD}")
    assert_shown(stream.getvalue())


def test_bars_of_downloads_and_trainings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", stream := Terminal())
    monkeypatch.setenv("TERM", "xterm")
    download = ProgressBar(ODD)
    download._start().stop()
    assert_shown(stream.getvalue())
    monkeypatch.setattr(sys, "stderr", stream := Terminal())
    with TrainingProgress(2, CLASSIFICATION, True, ODD):
        pass
    assert_shown(stream.getvalue())


def assert_harmless(*words: object) -> None:
    """The command goes well, and all that it prints is text with the markup as it was."""
    done = run(*words)
    assert done.exit_code == 0, done.output
    assert not any(sign in done.output for sign in OBEYED)


def assert_shown(text: str) -> None:
    """The name is there, spelled out; the codes of the bar itself are nobody's business."""
    assert SPELLED in text.replace("\n", " ")
    assert "\x1b[2J" not in text
    assert "\x1b]8" not in text
