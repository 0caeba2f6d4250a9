"""A few seconds of harm; ``make torture`` does a thousand."""

from pathlib import Path

import pytest

from torture import rounds
from torture.rounds import LOCAL, has_traceback, tortured, undisturbed
from torture.scene import compiled_clock


@pytest.mark.slow
def test_a_run_under_harm_ends_as_one_in_peace(tmp_path: Path) -> None:
    peace = undisturbed(tmp_path, 1)
    done = tortured(tmp_path, "tests", 0, LOCAL, 1, peace, compiled_clock(tmp_path), most_runs=1)
    assert done["found"] == []
    assert sum(done["harms"].values()) > 0


@pytest.mark.slow
def test_a_store_that_lost_its_cells_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is compared with what was expected; here nothing was run at all."""
    monkeypatch.setattr(rounds, "end_in_peace", lambda *_: [])
    done = tortured(tmp_path, "tests", 0, LOCAL, 1, ("", 1e9), None, most_runs=0)
    assert done["found"] == ["the store is not that of a run in peace"]


TRACKERS = """Traceback (most recent call last):
  File "/lib/python3.11/multiprocessing/resource_tracker.py", line 239, in main
    cache[rtype].remove(name)
KeyError: '/loky-1-x'
"""
OURS = """Traceback (most recent call last):
  File "/src/graphrings/protocol/run.py", line 1, in run
ValueError: resource_tracker.py
"""


@pytest.mark.parametrize(
    ("said", "counts"),
    [
        ("Error: it is gone\n", False),
        (TRACKERS, False),
        (TRACKERS + TRACKERS, False),
        (OURS, True),
        (TRACKERS + OURS, True),
        (OURS + TRACKERS, True),
    ],
)
def test_the_tracker_of_semaphores_may_complain(said: str, counts: bool) -> None:
    assert has_traceback(said) is counts
