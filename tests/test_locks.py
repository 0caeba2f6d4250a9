import subprocess
import sys
from pathlib import Path

import pytest

from graphrings.locks import locked

HOLD = """
import sys, time
from pathlib import Path
from graphrings.locks import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(10)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "some.lock"


def test_a_lock_is_held_by_one_at_a_time(path: Path) -> None:
    with (
        locked(path),
        pytest.raises(TimeoutError, match="another process holds this lock"),
        locked(path, patience=0.05),
    ):
        pass
    with locked(path, patience=0.05):
        pass


def test_an_error_inside_frees_it(path: Path) -> None:
    with pytest.raises(ZeroDivisionError), locked(path):
        raise ZeroDivisionError
    with locked(path, patience=0.05):
        pass


def test_a_killed_holder_holds_nothing(path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLD, path], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(TimeoutError), locked(path, patience=0.05):
            pass
        holder.kill()
        with locked(path, patience=5):
            pass
