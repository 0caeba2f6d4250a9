"""Mistakes on purpose: python -m mutants [--number N] [--seed S] [--room R] [--again ENDING]."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections import Counter
from pathlib import Path
from time import perf_counter

from mutants.choice import ROOMS, chosen, files_that_notice
from mutants.trial import context, tried, tried_in_peace


def main() -> None:
    """Try mutants that have not been tried yet; the outcomes of all runs add up in one file."""
    parser = argparse.ArgumentParser(prog="python -m mutants", description=__doc__)
    parser.add_argument("--number", type=int, default=300, help="of mutants, all rooms together")
    parser.add_argument("--seed", default="rings", help="what mutants are drawn from")
    parser.add_argument("--folder", type=Path, default=Path("build/mutants"))
    parser.add_argument("--again", help="try those again that ended like this, such as survived")
    parser.add_argument("--room", choices=[room.name for room in ROOMS], help="only this one")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # a trial ends with us
    given.folder.mkdir(parents=True, exist_ok=True)
    outcomes = given.folder / "outcomes.jsonl"
    known = read(outcomes)
    processes, copy = context(), (given.folder / "copy").absolute()
    sample = [one for one in chosen(given.seed, given.number) if given.room in (None, one.room)]
    wanted = [
        one for one in sample if one.name not in known or known[one.name]["ending"] == given.again
    ]
    files = sorted({file for one in wanted for file in files_that_notice(one.path)})
    if files:
        ending, failing = tried_in_peace(processes, (given.folder / "said").absolute(), files)
        assert ending == "survived", f"{failing}: {ending} without any mistake"
    for one in wanted:
        start = perf_counter()
        ending, by = tried(processes, one, copy, files_that_notice(one.path))
        known[one.name] = {"room": one.room, "kind": one.mutant.kind, "ending": ending, "by": by}
        with outcomes.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"name": one.name, **known[one.name]}) + "\n")
        print(f"{ending:10} {perf_counter() - start:5.0f} s  {one.name}", flush=True)  # noqa: T201
    for room in ROOMS:
        ends = Counter(known[one.name]["ending"] for one in sample if one.room == room.name)
        print(f"{room.name:10} {dict(ends)}")  # noqa: T201


def read(path: Path) -> dict[str, dict[str, str]]:
    """What is known of mutants, by their names."""
    if not path.exists():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    return {entry.pop("name"): entry for entry in map(json.loads, lines)}


if __name__ == "__main__":
    main()
