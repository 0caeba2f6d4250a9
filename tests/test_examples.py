import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "examples"
EXAMPLES = sorted([*FOLDER.glob("*.py"), *FOLDER.glob("tutorials/*.py")])

THEIRS = "ignore:`torch.jit.script` is deprecated:DeprecationWarning"  # PyTorch Geometric's


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_run_and_say_something(path: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-W", THEIRS, path],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) >= 2


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 4
