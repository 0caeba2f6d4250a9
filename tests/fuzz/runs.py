"""Children that try inputs, started again where one of them ends too soon."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fuzz.child import keep

TESTS = Path(__file__).parents[1]
MEMORY = Path("/dev/shm")  # noqa: S108, a folder that is no disk, on Linux
NO_END = 10**12
TALLY = "tally.jsonl"  # a line for every slice of a run
NOTHING = {"inputs": 0, "accepted": 0, "seconds": 0.0, "slowest": 0.0, "most": 0}


def child(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """Run a child to its end, one thread for everything in it."""
    paths = [str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])]
    single = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    own = {"PYTHONPATH": os.pathsep.join(paths), "GRAPHRINGS_CACHE": str(folder / "cache")}
    return subprocess.run(
        [sys.executable, "-m", "fuzz.child", str(folder), *map(str, words)],
        capture_output=True,
        text=True,
        env={**os.environ, **single, **own, "GRAPHRINGS_DATA": ""},
        check=False,
    )


def run(folder: Path, door: str, seed: str, first: int, seconds: float) -> dict[str, Any]:
    """Try inputs from a number on for so long; a child that died is a finding, the next goes on."""
    whole: dict[str, Any] = {"door": door, "seed": seed, "first": first}
    whole |= {"inputs": 0, "accepted": 0, "seconds": 0.0, "slowest": 0.0, "most": 0, "found": {}}
    end = time.monotonic() + seconds
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as scratch:
        place = Path(scratch)
        while (left := end - time.monotonic()) > 0:
            ended = child(place, door, seed, first + whole["inputs"], NO_END, left)
            if (place / "found").exists():
                shutil.copytree(place / "found", folder / "found", dirs_exist_ok=True)
            if ended.returncode == 0:
                tally = json.loads(ended.stdout.splitlines()[-1])
                for count in ("inputs", "accepted", "seconds"):
                    whole[count] += tally[count]
                for most in ("slowest", "most"):
                    whole[most] = max(whole[most], tally[most])
                whole["found"] = tally["found"] | whole["found"]
                break
            label = (place / "label").read_text().rpartition(" ")[2]
            whole["found"][said_of(ended)] = label
            keep(place / "input", folder / "found" / door / label)
            whole["inputs"] = int(label.rpartition("-")[2]) + 1 - first
    with (folder / TALLY).open("a", encoding="utf-8") as file:
        file.write(json.dumps(whole) + "\n")
    return whole


def totals(folder: Path) -> dict[str, dict[str, Any]]:
    """What all runs of a folder have tried, by door."""
    whole: dict[str, dict[str, Any]] = {}
    path = folder / TALLY
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    for tally in map(json.loads, lines):
        door = whole.setdefault(tally["door"], {**tally, **NOTHING, "found": {}})
        for count in ("inputs", "accepted", "seconds"):
            door[count] += tally[count]
        for most in ("slowest", "most"):
            door[most] = max(door[most], tally[most])
        door["found"] |= tally["found"]
    return whole


def said_of(ended: subprocess.CompletedProcess[str]) -> str:
    """How a child ended: by which signal, or what its last lines say."""
    if ended.returncode < 0:
        name = signal.Signals(-ended.returncode).name
    else:
        name = f"status {ended.returncode}"
    return f"{name}: {' | '.join(ended.stderr.strip().splitlines()[:6])[:400]}"
