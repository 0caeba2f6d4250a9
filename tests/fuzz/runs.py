"""Children that try inputs, started again where one of them ends too soon."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from fuzz.child import keep

TESTS = Path(__file__).parents[1]
NO_END = 10**12


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


def run(folder: Path, door: str, seed: str, seconds: float, last: int = NO_END) -> dict[str, Any]:
    """Try inputs for so long; a child that died is a finding, and the next one goes on."""
    folder.mkdir(parents=True, exist_ok=True)
    whole: dict[str, Any] = {"door": door, "inputs": 0, "accepted": 0, "slowest": 0.0, "found": {}}
    first, end = 0, time.monotonic() + seconds
    while first < last and (left := end - time.monotonic()) > 0:
        ended = child(folder, door, seed, first, last, left)
        if ended.returncode == 0:
            tally = json.loads(ended.stdout.splitlines()[-1])
            for count in ("inputs", "accepted"):
                whole[count] += tally[count]
            whole["slowest"] = max(whole["slowest"], tally["slowest"])
            whole["found"] = tally["found"] | whole["found"]
            return whole
        label = (folder / "label").read_text().rpartition(" ")[2]
        whole["found"][f"{said_of(ended)}"] = label
        keep(folder / "input", folder / "found" / door / label)
        number = int(label.rpartition("-")[2])
        whole["inputs"] += number + 1 - first
        first = number + 1
    return whole


def said_of(ended: subprocess.CompletedProcess[str]) -> str:
    """How a child ended: by which signal, or what its last lines say."""
    if ended.returncode < 0:
        name = signal.Signals(-ended.returncode).name
    else:
        name = f"status {ended.returncode}"
    return f"{name}: {' | '.join(ended.stderr.strip().splitlines()[:6])[:400]}"
