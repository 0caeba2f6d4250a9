"""A few seconds of inputs at every door; ``make fuzz`` tries them for hours."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fuzz.child import BROKEN
from fuzz.runs import child, said_of

SEED = "tests"
CORPUS = Path(__file__).parent / "corpus"


def findings(folder: Path, *words: object) -> dict[str, str]:
    """What a child found; that it has found nothing it must have lived to say."""
    folder.mkdir(exist_ok=True)
    ended = child(folder, *words)
    if ended.returncode:
        label = (folder / "label").read_text() if (folder / "label").exists() else "the start"
        return {said_of(ended): label}
    found: dict[str, str] = {}
    for line in ended.stdout.splitlines():
        tally = json.loads(line)
        assert tally["inputs"] > 0
        found |= {f"{tally['door']}: {fault}": label for fault, label in tally["found"].items()}
    return found


@pytest.mark.slow
def test_changed_inputs_are_read_or_refused_in_one_line(tmp_path: Path) -> None:
    """No traceback, no signal, no ten seconds, no gigabyte."""
    assert findings(tmp_path, "all", SEED, 0, 0) == {}


@pytest.mark.slow
def test_inputs_that_once_broke_something_are_refused_in_one_line(tmp_path: Path) -> None:
    assert findings(tmp_path, "all", "corpus", 0, 0) == {}


@pytest.mark.slow
def test_no_public_call_crashes_python(tmp_path: Path) -> None:
    """Arrays that contradict each other are refused where an object is built."""
    assert findings(tmp_path, BROKEN, SEED, 0, 150) == {}
