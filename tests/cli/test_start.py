import sys
from typing import Any

import pytest

from graphrings.cli import running, start


class Pressed:
    """Somebody presses Ctrl-C while the commands are loaded."""

    @staticmethod
    def find_spec(name: str, *_: Any) -> None:
        """Interrupt the import of the commands."""
        if name == "graphrings.cli.main":
            raise KeyboardInterrupt


def test_an_interrupt_while_commands_are_loaded_is_quiet(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    import graphrings.cli

    monkeypatch.delitem(sys.modules, "graphrings.cli.main", raising=False)
    monkeypatch.delattr(graphrings.cli, "main", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Pressed, *sys.meta_path])
    with pytest.raises(SystemExit) as ended:
        start.main()
    assert ended.value.code == running.INTERRUPTED == start.INTERRUPTED
    assert "".join(capfd.readouterr()) == ""


def test_the_script_runs_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["anything", "--version"])
    with pytest.raises(SystemExit) as ended:
        start.main()
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("graphrings")
