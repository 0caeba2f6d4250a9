"""A step that takes long is shown on a terminal, and nowhere else."""

import time
from io import StringIO

import pytest

from graphrings.cli import waiting as room
from graphrings.cli.waiting import waiting


class Terminal(StringIO):
    """Standard error of somebody who looks on."""

    def isatty(self) -> bool:
        """It is one."""
        return True


def looked_at(monkeypatch: pytest.MonkeyPatch, patience: float) -> Terminal:
    """Put a terminal in the place of standard error, from inside a test: pytest has its own."""
    monkeypatch.setattr(room, "PATIENCE", patience)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    return terminal


def test_a_long_step_is_shown_as_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = looked_at(monkeypatch, 0.05)
    with waiting("wl of [bold]graphs\x1b[31m"):
        time.sleep(0.4)
    assert r"wl of [bold]graphs\x1b[31m" in terminal.getvalue()


def test_a_short_step_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = looked_at(monkeypatch, 60.0)
    with waiting("wl of graphs"):
        pass
    assert terminal.getvalue() == ""


def test_an_error_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = looked_at(monkeypatch, 0.3)
    with pytest.raises(ValueError, match="broken"), waiting("wl of graphs"):
        raise ValueError("broken")
    time.sleep(0.4)
    assert terminal.getvalue() == ""


def test_without_a_terminal_nothing_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(room, "PATIENCE", 0.0)
    with waiting("wl of graphs"):
        time.sleep(0.05)
    assert capsys.readouterr() == ("", "")
