"""Hours of inputs: python -m fuzz [--seconds N] [--seed S] [--folder F] [DOOR...]."""

from __future__ import annotations

import argparse
import secrets
from pathlib import Path

from fuzz.child import BROKEN
from fuzz.runs import run


def main() -> None:
    """Try inputs at every door in turn, and say what came out; the status is 1 if any broke."""
    from fuzz.doors import DOORS

    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=3600, help="for all doors together")
    parser.add_argument("--seed", default=secrets.token_hex(4), help="what inputs are drawn from")
    parser.add_argument("--folder", type=Path, default=Path("build/fuzz"))
    parser.add_argument("doors", nargs="*", metavar="DOOR", help=", ".join([*DOORS, BROKEN]))
    given = parser.parse_args()
    doors, found, inputs = given.doors or [*DOORS, BROKEN], 0, 0
    print(f"seed {given.seed}; what breaks something is kept in {given.folder / 'found'}")  # noqa: T201
    for door in doors:
        tally = run(given.folder, door, given.seed, given.seconds / len(doors))
        found, inputs = found + len(tally["found"]), inputs + tally["inputs"]
        print(  # noqa: T201
            f"{door:10} {tally['inputs']:9,} inputs, {tally['accepted']:8,} accepted, slowest "
            f"{tally['slowest']:5.2f} s, {len(tally['found'])} found",
            flush=True,
        )
        for fault, label in tally["found"].items():
            print(f"    {label}: {fault}")  # noqa: T201
    print(f"{inputs:,} inputs, {found} found")  # noqa: T201
    raise SystemExit(found > 0)


if __name__ == "__main__":
    main()
