"""One round: the same experiment, run under harm until it may end in peace, then compared."""

from __future__ import annotations

import subprocess
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from torture.harms import HARMS, harms_for
from torture.scene import Scene, moment, scene, wait_until_empty

PATIENCE = 600  # seconds that a run in peace may take
GRACE = 30  # seconds until the last process is gone
MOST_HARMED_RUNS = 6
ENDINGS = {0, 1, 2, 130}  # done, cells have failed, one line that says why, asked to end
DEADLY = {"SIGKILL of the command", "SIGKILL of everything", "SIGINT, SIGTERM or SIGHUP"}
TRACEBACK = "Traceback (most recent call last)"
TRACKER = "resource_tracker.py"
LOCAL, DASK = "local", "dask"


def kind_of(number: int) -> str:
    """Where a round runs, if nobody says."""
    return DASK if number % 5 == 4 else LOCAL


def commands(kind: str, scene: Scene) -> list[object]:
    """The run that is tortured."""
    where = ["--cluster", "local"] if kind == DASK else []
    return ["run", "torture.toml", "--store", scene.store, "--jobs", 2, "--retry-failed", *where]


def exported(scene: Scene) -> str:
    """All that the store holds but for times."""
    words = ("export", "--store", scene.store, "--format", "jsonl", "--no-times")
    text, said = scene.start(*words).communicate(timeout=PATIENCE)
    return text or said


def undisturbed(place: Path, repetitions: int) -> tuple[str, float]:
    """What a run in peace leaves, and how long it takes by the clock."""
    with scene(place, "peace", repetitions, None) as calm:
        start = time.monotonic()
        ended = calm.start(*commands(LOCAL, calm))
        said = ended.communicate(timeout=PATIENCE)[1]
        assert ended.returncode == 0, said
        seconds = time.monotonic() - start
        return exported(calm), seconds


def tortured(
    place: Path,
    seed: str,
    number: int,
    kind: str,
    repetitions: int,
    peace: tuple[str, float],
    shim: Path | None,
    most_runs: int = MOST_HARMED_RUNS,
) -> dict[str, Any]:
    """One round: what was done to it, and what was found; nothing should be."""
    rng = Random(f"{seed} {number}")  # noqa: S311
    harms, found, runs = Counter[str](), list[str](), 0
    expected, seconds = peace
    with scene(place, f"{seed}-{number}", repetitions, shim) as stage:
        for _ in range(most_runs):
            runs += 1
            status = harmed(stage, kind, rng, seconds / 40, harms, found)
            if status == 0:
                break
        stage.set_clock(0)
        found += end_in_peace(stage, kind)
        if living := wait_until_empty(stage, GRACE):
            found.append(f"{len(living)} processes are left")
        if exported(stage) != expected:
            found.append("the store is not that of a run in peace")
        if left := stage.left():
            found.append(f"files are left: {', '.join(left)}")
    return {
        "round": number,
        "seed": seed,
        "kind": kind,
        "runs": runs,
        "harms": harms,
        "found": found,
    }


def harmed(
    stage: Scene, kind: str, rng: Random, mean: float, harms: Counter[str], found: list[str]
) -> int:
    """A run that is harmed at random moments until it ends; its exit status."""
    run = stage.start(*commands(kind, stage))
    names, weights = harms_for(stage)
    killed, end = False, time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            run.wait(moment(rng, mean))
            break
        except subprocess.TimeoutExpired:
            name = rng.choices(names, weights)[0]
            HARMS[name][1](stage, run.pid, rng, min(1.0, moment(rng, mean)))
            harms[name] += 1
            killed = killed or name in DEADLY
    else:
        found.append(f"a run under harm had not ended after {PATIENCE} seconds")
        HARMS["SIGKILL of everything"][1](stage, run.pid, rng, 0)
    wait_until_empty(stage, GRACE)  # a worker ends with its parent, not before
    said = run.communicate()[1]
    if has_traceback(said) or not (killed or run.returncode in ENDINGS):
        found.append(f"status {run.returncode}: {' | '.join(said.splitlines()[-3:])}"[:300])
    return run.returncode


def has_traceback(said: str) -> bool:
    """Whether a process of the run has told of an error in Python's way.

    Python's tracker of semaphores does not count: killed and started again it knows nothing of
    those that it is to forget, says so with a traceback for each, and clears away the rest.
    """
    return any(TRACKER not in block.split("Error")[0] for block in said.split(TRACEBACK)[1:])


def end_in_peace(stage: Scene, kind: str) -> list[str]:
    """Run what is left, undisturbed."""
    run = stage.start(*commands(kind, stage))
    try:
        said = run.communicate(timeout=PATIENCE)[1]
    except subprocess.TimeoutExpired:
        run.kill()
        run.communicate()
        return [f"the last run had not ended after {PATIENCE} seconds"]
    return [] if run.returncode == 0 else [f"the last run: status {run.returncode}: {said[-200:]}"]
