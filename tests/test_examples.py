import runpy
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "examples"
EXAMPLES = sorted([*FOLDER.glob("*.py"), *FOLDER.glob("tutorials/*.py")])
# Their processes import the file again; and one that shows that a bare Python runs them.
IN_A_PROCESS = {"01_rings_of_a_molecule", "05_compare_methods", "08_own_method"}

THEIRS = "ignore:`torch.jit.script` is deprecated:DeprecationWarning"  # PyTorch Geometric's


def by_name(path: Path) -> str:
    return path.stem


@pytest.mark.slow
@pytest.mark.parametrize("path", [p for p in EXAMPLES if p.stem in IN_A_PROCESS], ids=by_name)
def test_examples_run_and_say_something(path: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-W", THEIRS, path],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) >= 2


@pytest.mark.slow
@pytest.mark.filterwarnings(THEIRS)
@pytest.mark.parametrize("path", [p for p in EXAMPLES if p.stem not in IN_A_PROCESS], ids=by_name)
def test_examples_without_processes_run_here(
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """The same, without waiting for all libraries again."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(path)])
    runpy.run_path(str(path), run_name="__main__")
    out, err = capfd.readouterr()
    assert err == ""
    assert len(out.splitlines()) >= 2


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 4
    assert {path.stem for path in EXAMPLES} > IN_A_PROCESS
