"""A step that takes long is shown on a terminal, and nowhere else."""

import time
from io import StringIO

import pytest
import rich.console

from graphrings.cli import waiting as room
from graphrings.cli.waiting import waiting


class Terminal(StringIO):
    """Standard error of somebody who looks on."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    made = Terminal()
    monkeypatch.setattr(room, "PATIENCE", 0.05)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr", made)
    assert rich.console.Console(stderr=True).is_terminal
    return made


def test_a_long_step_is_shown_as_it_is_named(terminal: Terminal) -> None:
    with waiting("wl of [bold]graphs\x1b[31m"):
        time.sleep(0.4)
    assert r"wl of [bold]graphs\x1b[31m" in terminal.getvalue()


def test_a_short_step_is_not(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "PATIENCE", 60.0)
    with waiting("wl of graphs"):
        pass
    assert "wl" not in terminal.getvalue()


def test_an_error_ends_it(terminal: Terminal) -> None:
    with pytest.raises(ValueError, match="broken"), waiting("wl of graphs"):
        raise ValueError("broken")
    time.sleep(0.1)
    assert "wl" not in terminal.getvalue()


def test_without_a_terminal_nothing_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(room, "PATIENCE", 0.0)
    with waiting("wl of graphs"):
        time.sleep(0.05)
    assert capsys.readouterr() == ("", "")
