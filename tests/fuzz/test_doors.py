"""A few seconds of inputs at every door; ``make fuzz`` tries them for hours."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fuzz.child import BROKEN
from fuzz.doors import DOORS
from fuzz.runs import child, said_of

SEED = "tests"
CORPUS = Path(__file__).parent / "corpus"


def findings(folder: Path, *words: object) -> dict[str, str]:
    """What a child found; that it has found nothing it must have lived to say."""
    ended = child(folder, *words)
    if ended.returncode:
        label = (folder / "label").read_text() if (folder / "label").exists() else "the start"
        return {said_of(ended): label}
    tallies = [json.loads(line) for line in ended.stdout.splitlines()]
    assert [tally["door"] for tally in tallies] == [*DOORS, BROKEN]
    assert all(tally["inputs"] > 0 for tally in tallies)
    return {
        f"{tally['door']}: {fault}": label
        for tally in tallies
        for fault, label in tally["found"].items()
    }


@pytest.mark.slow
def test_no_input_and_no_public_call_breaks_anything(tmp_path: Path) -> None:
    """Read, or refused in one line: no traceback, no signal, no ten seconds, no gigabyte.

    Inputs that once broke something, others at every door, and objects that contradict themselves.
    """
    assert findings(tmp_path, "all", SEED, 0, 0) == {}


def test_every_input_that_once_broke_something_has_a_door() -> None:
    assert {path.name for path in CORPUS.iterdir()} <= DOORS.keys()
