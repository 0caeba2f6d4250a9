"""Harm on purpose: python -m torture [--harms N] [--seed S] [--folder F] [--kind K]."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections import Counter
from pathlib import Path

from torture.rounds import DASK, LOCAL, kind_of, tortured, undisturbed
from torture.scene import compiled_clock

REPETITIONS = 3


def main() -> None:
    """Torture runs until so many harms were done, those of earlier calls included."""
    parser = argparse.ArgumentParser(prog="python -m torture", description=__doc__)
    parser.add_argument("--harms", type=int, default=1000)
    parser.add_argument("--seed", default="rings", help="what harms are drawn from")
    parser.add_argument("--folder", type=Path, default=Path("build/torture"))
    parser.add_argument("--kind", choices=(LOCAL, DASK), help="every fifth round is on Dask else")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # what is at hand is put away
    given.folder.mkdir(parents=True, exist_ok=True)
    tally = given.folder / "tally.jsonl"
    rounds = list(map(json.loads, tally.read_text().splitlines())) if tally.exists() else []
    shim = compiled_clock(given.folder)
    peace = undisturbed(given.folder / "runs", REPETITIONS)
    print(f"a run in peace takes {peace[1]:.0f} s; {len(rounds)} rounds were done before")  # noqa: T201
    while n_harms(rounds) < given.harms:
        number = len(rounds)
        kind = given.kind or kind_of(number)
        rounds.append(
            tortured(given.folder / "runs", given.seed, number, kind, REPETITIONS, peace, shim)
        )
        with tally.open("a", encoding="utf-8") as file:
            file.write(json.dumps(rounds[-1]) + "\n")
        print(  # noqa: T201
            f"round {number:3} {rounds[-1]['kind']:5} {sum(rounds[-1]['harms'].values()):3} harms, "
            f"{n_harms(rounds):5} in all; found: {rounds[-1]['found'] or 'nothing'}",
            flush=True,
        )
    done = sum((Counter(one["harms"]) for one in rounds), Counter[str]())
    for name, number in done.most_common():
        print(f"{number:6} {name}")  # noqa: T201
    raise SystemExit(any(one["found"] for one in rounds))


def n_harms(rounds: list[dict[str, dict[str, int]]]) -> int:
    """How many harms were done."""
    return sum(sum(one["harms"].values()) for one in rounds)


if __name__ == "__main__":
    main()
