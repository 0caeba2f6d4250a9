"""Hours of inputs: python -m fuzz [--seconds N] [--seed S] [--folder F] [DOOR...]."""

from __future__ import annotations

import argparse
import secrets
import time
from pathlib import Path

from fuzz.child import BROKEN
from fuzz.runs import run, totals

SLICE = 120  # seconds at a door before it is the next one's turn


def main() -> None:
    """Try inputs at the doors in turn; what all runs have tried adds up in FOLDER/tally.jsonl.

    All doors get the same time, so the quick ones see more inputs. The status is 1 if any broke.
    """
    from fuzz.doors import DOORS

    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=3600, help="for all doors together")
    parser.add_argument("--seed", default=secrets.token_hex(4), help="what inputs are drawn from")
    parser.add_argument("--folder", type=Path, default=Path("build/fuzz"))
    parser.add_argument("doors", nargs="*", metavar="DOOR", help=", ".join([*DOORS, BROKEN]))
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    doors = given.doors or [*DOORS, BROKEN]
    first, found, end = dict.fromkeys(doors, 0), 0, time.monotonic() + given.seconds
    print(f"seed {given.seed}; what breaks something is kept in {given.folder / 'found'}")  # noqa: T201
    while (left := end - time.monotonic()) > 0:
        for door in doors:
            tally = run(given.folder, door, given.seed, first[door], min(SLICE, left / len(doors)))
            first[door] += tally["inputs"]
            found += len(tally["found"])
            for fault, label in tally["found"].items():
                print(f"    {door} {label}: {fault}", flush=True)  # noqa: T201
    show(given.folder)
    raise SystemExit(found > 0)


def show(folder: Path) -> None:
    """Print what all runs have tried."""
    inputs = 0
    for door, tally in totals(folder).items():
        inputs += tally["inputs"]
        rate = tally["inputs"] / max(tally["seconds"], 1e-9)
        print(  # noqa: T201
            f"{door:10} {tally['inputs']:9,} inputs, {tally['accepted']:8,} accepted, "
            f"{rate:5,.0f} a second, slowest {tally['slowest']:5.2f} s, most {tally['most']} MB, "
            f"{len(tally['found'])} found"
        )
    print(f"{inputs:,} inputs in all runs")  # noqa: T201


if __name__ == "__main__":
    main()
