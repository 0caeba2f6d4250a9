"""Tries inputs at doors, in a process of its own: whatever happens, somebody else counts it.

    python -m fuzz.child FOLDER DOOR SEED FIRST LAST [SECONDS]

Every line of standard output is a JSON table with what was tried. The input at hand lies in
FOLDER/input, so that it is there when this process is not. FOLDER/found keeps what broke something.
"""

from __future__ import annotations

import faulthandler
import json
import logging
import os
import resource
import shutil
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

BROKEN, OBJECTS = "objects", 100  # the door, and how many the tests try
MOST_SECONDS, LAST_SECONDS = 10, 120  # of the processor; and by the clock, when all ends
MOST_GROWTH, NOTED_GROWTH = 1 << 30, 1 << 26  # bytes of memory
LONGEST_LINE = 2_000


def main() -> None:
    """Try the inputs FIRST .. LAST - 1 of a seed at a door.

    The door ``all`` is every door and all objects, with the inputs that once broke something and as
    many others as each has for a test: one process, since libraries take longer than inputs.
    """
    folder, name, seed, first, last, *limit = sys.argv[1:]
    quiet()
    faulthandler.enable()
    faulthandler.register(signal.SIGALRM, chain=True)  # says where it hangs, then ends
    cap_memory()
    seconds = float(limit[0] if limit else "inf")
    if name == BROKEN:
        objects(Path(folder), seed, int(first), int(last), seconds)
        return
    from fuzz.doors import DOORS

    end = time.monotonic() + seconds
    if name != "all":
        door = DOORS[name]
        say(enter_all(door, mutants(door, seed, int(first), int(last)), Path(folder), end))
        return
    for door in DOORS.values():
        given = chain(corpus(door.name), mutants(door, seed, 0, door.count))
        say(enter_all(door, given, Path(folder), end))
    objects(Path(folder), seed, 0, OBJECTS, seconds)


def say(tally: dict[str, Any]) -> None:
    """Tell whoever counts."""
    print(json.dumps(tally), flush=True)  # noqa: T201


def enter_all(door: Any, given: Iterator[Any], folder: Path, end: float) -> dict[str, Any]:
    """Try inputs until there are no more, or no more time."""
    inputs, start = folder / "input", time.process_time()
    tally: dict[str, Any] = {"door": door.name, "inputs": 0, "accepted": 0}
    tally |= {"slowest": 0.0, "most": 0, "found": {}}
    for label, files in given:
        lay_down(files, inputs)
        (folder / "label").write_text(f"{door.name} {label}")
        memory = peak()
        fault, seconds = timed(door.enter, inputs)
        if seconds > MOST_SECONDS:  # loops may have been compiled meanwhile, but only once
            fault, seconds = timed(door.enter, inputs)
        tally["slowest"] = max(tally["slowest"], round(seconds, 3))
        if seconds > MOST_SECONDS:
            fault = f"it took {seconds:.0f} seconds"
        if (growth := peak() - memory) > MOST_GROWTH:
            fault = f"memory grew by {growth >> 20} MB"
        if growth > NOTED_GROWTH:
            forget_peak()
        tally["most"] = max(tally["most"], growth >> 20)
        tally["inputs"] += 1
        tally["accepted"] += fault == ""
        if fault:
            tally["found"].setdefault(fault, label)
            keep(inputs, folder / "found" / door.name / label)
        if time.monotonic() > end:
            break
    return {**tally, "seconds": round(time.process_time() - start, 2)}


def timed(enter: Any, inputs: Path) -> tuple[str | None, float]:
    """What went wrong, if anything, and the processor's seconds; a hang ends the process."""
    start = time.process_time()
    signal.setitimer(signal.ITIMER_REAL, LAST_SECONDS)
    try:
        fault = tried(enter, inputs)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return fault, time.process_time() - start


def objects(folder: Path, seed: str, first: int, last: int, seconds: float) -> None:
    """Build broken objects by hypothesis' strategies and call every public function with them."""
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded
    from hypothesis import strategies as st

    from fuzz.broken import KINDS, faults, parts_of

    good = {kind: make() for kind, (make, _, _) in KINDS.items()}
    for kind, parts in good.items():  # compile, and see that there is nothing to find in good ones
        assert not (fault := list(faults(kind, parts, Random(0), 1000))), fault  # noqa: S311
    drawn = st.sampled_from(sorted(KINDS)).flatmap(
        lambda kind: st.tuples(st.just(kind), parts_of(good[kind]))
    )
    tally: dict[str, Any] = {"door": BROKEN, "inputs": 0, "accepted": 0}
    tally |= {"slowest": 0.0, "most": 0, "found": {}}
    start = time.process_time()
    end = time.monotonic() + seconds

    def attempt(case: tuple[str, dict[str, Any]]) -> None:
        if time.monotonic() > end:
            raise TimeIsUp
        number = first + tally["inputs"]
        label = f"{case[0]}-{seed}-{number}"
        lay_down({"case": repr(case).encode()}, folder / "input")
        (folder / "label").write_text(label)
        signal.setitimer(signal.ITIMER_REAL, LAST_SECONDS)
        found = list(faults(*case, Random(label)))  # noqa: S311
        signal.setitimer(signal.ITIMER_REAL, 0)
        tally["inputs"] += 1
        tally["found"] |= {f"{case[0]} {fault}": label for fault in found}
        if found:
            keep(folder / "input", folder / "found" / BROKEN / label)

    configured = settings(
        max_examples=min(last - first, 10**9),
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    with suppress(TimeIsUp):
        seeded(f"{seed} {first}")(configured(given(drawn)(attempt)))()
    say({**tally, "seconds": round(time.process_time() - start, 2)})


class TimeIsUp(BaseException):
    """What ends hypothesis, which would go on with what is an error."""


def tried(enter: Any, inputs: Path) -> str | None:
    """Nothing if the input was refused in one line, "" if it was accepted, else what went wrong."""
    from graphrings.errors import GraphRingsError

    try:
        enter(inputs)
    except GraphRingsError as error:
        text = str(error)
        if "\n" in text or len(text) > LONGEST_LINE or not text:
            return f"a message that is not one line: {text[:80]!r}"
        return None
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames if "graphrings" in frame.filename] or frames
        place = f"{Path(own[-1].filename).name}:{own[-1].lineno}"
        return f"{type(error).__name__} at {place}: {str(error)[:80]}"
    return ""


def mutants(door: Any, seed: str, first: int, last: int) -> Iterator[tuple[str, Any]]:
    """The changed inputs of a door, each of which depends on its number alone."""
    seeds = door.seeds()
    for number in range(first, last):
        rng = Random(f"{door.name} {seed} {number}")  # noqa: S311
        yield f"{seed}-{number}", door.mutate(rng, rng.choice(seeds))


def corpus(name: str) -> Iterator[tuple[str, Any]]:
    """The inputs that once broke something."""
    from fuzz.doors import contents

    for path in sorted((Path(__file__).parent / "corpus" / name).glob("*")):
        yield path.name, contents(path)


def lay_down(files: dict[str, bytes], folder: Path) -> None:
    """Write the files of an input into a folder that holds nothing else.

    A folder that stays costs far less than one that is made anew for every input.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry)
            else:
                Path(entry).unlink()
    for name, content in files.items():
        path = folder / name
        if "/" in name:
            path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def keep(inputs: Path, place: Path) -> None:
    """Copy an input to where somebody looks for it."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(inputs, place)


def peak() -> int:
    """The most memory that this process has had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def forget_peak() -> None:
    """Measure from what there is now, so that a second input that takes as much is noticed too."""
    Path("/proc/self/clear_refs").write_text("5")


def cap_memory() -> None:
    """Keep the machine from harm: 6 GB more than there are now are refused by the system."""
    now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + (6 << 30), resource.RLIM_INFINITY))


def quiet() -> None:
    """No notes and no log of rdkit among the results."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    try:
        from rdkit import RDLogger
    except ImportError:
        return
    RDLogger.DisableLog("rdApp.*")


if __name__ == "__main__":
    main()
