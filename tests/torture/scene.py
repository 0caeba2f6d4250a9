"""Where a run is tortured: its folder on a small disk of its own, its clock, its processes."""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

EXPERIMENT = """
name = "torture"
task = "classification"
seed = 1
folds = "stratified"
n_folds = 5
repetitions = {repetitions}
datasets = ["MUTAG"]

[methods.labels]
method = "baseline-labels"

[methods.wl]
method = "wl"
settings = {{height = 1}}
grid = {{C = [0.1, 1.0]}}
"""
MARK = "GRAPHRINGS_TORTURE"
DISK = "8m"
RIGHTS = (1, 2, 3)  # CAP_DAC_OVERRIDE and its kin: without them permissions bind the superuser, too
DROP_RIGHT = 24  # PR_CAPBSET_DROP
OF_DASK = "dask-scratch-space"  # one for all its runs; it stays, with its locks, also in peace
LOCKS_OF_DASK = {"global.lock", "purge.lock"}
SINGLE = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


@dataclass(frozen=True)
class Scene:
    """The folder of a round, and what its processes are known by."""

    folder: Path
    mark: str
    clock: Path
    shim: Path | None
    own_disk: bool

    @property
    def store(self) -> Path:
        """Where results go."""
        return self.folder / "results.db"

    def start(self, *words: object) -> subprocess.Popen[str]:
        """Start a command of graphrings, at the head of a group of processes."""
        own = {
            MARK: self.mark,
            "TMPDIR": str(self.folder / "tmp"),
            "JUMPING_CLOCK": str(self.clock),
        }
        if self.shim is not None:
            own["LD_PRELOAD"] = str(self.shim)
        return subprocess.Popen(
            [sys.executable, "-m", "graphrings", *map(str, words)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.folder,
            env={**os.environ, **SINGLE, **own},
            process_group=0,
            preexec_fn=_bound_by_permissions if os.geteuid() == 0 else None,
        )

    def family(self) -> list[int]:
        """The processes that live of what was started here, in whatever group."""
        wanted, living = f"{MARK}={self.mark}\0".encode(), []
        for entry in Path("/proc").iterdir():
            with suppress(OSError, ValueError):
                if wanted in (entry / "environ").read_bytes():
                    living.append(int(entry.name))
        return living

    def left(self) -> list[str]:
        """Files that nobody needs any more."""
        needed = {"results.db", "results.db.lock", "torture.toml", "tmp"}
        inside = [path.name for path in (self.folder / "tmp").iterdir() if path.name != OF_DASK]
        inside += [path.name for path in (self.folder / "tmp").glob(f"{OF_DASK}/*")]
        inside = [name for name in inside if name not in LOCKS_OF_DASK]
        return sorted({path.name for path in self.folder.iterdir()} - needed) + inside

    def set_clock(self, seconds: int) -> None:
        """Let the clock on the wall be wrong by so much from now on."""
        with self.clock.open("r+b") as file:
            file.write(struct.pack("l", seconds))


@contextmanager
def scene(place: Path, mark: str, repetitions: int, shim: Path | None) -> Iterator[Scene]:
    """A folder for one round; what still lives of it in the end is killed, and the folder goes."""
    folder = place / mark
    folder.mkdir(parents=True)
    own_disk = os.geteuid() == 0 and _mounted(folder)
    clock = place / f"{mark}.clock"
    clock.write_bytes(struct.pack("l", 0))
    made = Scene(folder.resolve(), mark, clock.resolve(), shim, own_disk)
    try:
        (folder / "tmp").mkdir()
        text = EXPERIMENT.format(repetitions=repetitions)
        (folder / "torture.toml").write_text(text, encoding="utf-8")
        yield made
    finally:
        for process in made.family():
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        if own_disk:
            subprocess.run(["umount", "--lazy", folder], check=False)
        shutil.rmtree(folder, ignore_errors=True)
        clock.unlink(missing_ok=True)


def compiled_clock(folder: Path) -> Path | None:
    """The clock that jumps, if there is a compiler of C."""
    folder.mkdir(parents=True, exist_ok=True)
    shim, source = (folder / "clock.so").resolve(), Path(__file__).with_name("clock.c")
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", shim, source, "-ldl"], check=True)
    return shim


def wait_until_empty(scene: Scene, seconds: float) -> list[int]:
    """The processes that still live after so long."""
    end = time.monotonic() + seconds
    while (living := scene.family()) and time.monotonic() < end:
        time.sleep(0.2)
    return living


def moment(rng: Random, mean: float) -> float:
    """A random time to wait."""
    return min(10 * mean, rng.expovariate(1 / mean))


def _mounted(folder: Path) -> bool:
    """Put a small disk of its own under a folder, where that is allowed."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", folder]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _bound_by_permissions() -> None:
    libc = ctypes.CDLL(None)
    for right in RIGHTS:
        libc.prctl(DROP_RIGHT, right, 0, 0, 0)
