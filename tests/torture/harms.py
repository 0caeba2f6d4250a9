"""What can happen to a run: each harm is done to a scene and, where it can be, undone."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from random import Random

from torture.scene import Scene

YEAR = 365 * 24 * 3600
Harm = Callable[[Scene, int, Random, float], None]


def send(process: int, number: int) -> None:
    """Send a signal to a process, if it still lives."""
    with suppress(ProcessLookupError):
        os.kill(process, number)


def stop_one(scene: Scene, head: int, rng: Random, pause: float) -> None:
    """Halt a process for a while."""
    chosen = rng.choice(scene.family() or [head])
    send(chosen, signal.SIGSTOP)
    time.sleep(pause)
    send(chosen, signal.SIGCONT)


def kill_one(scene: Scene, head: int, rng: Random, pause: float) -> None:
    """Kill a process that is not the head, as the system does where memory is short."""
    del pause
    if others := [process for process in scene.family() if process != head]:
        send(rng.choice(others), signal.SIGKILL)


def kill_head(scene: Scene, head: int, rng: Random, pause: float) -> None:
    """Kill the command itself."""
    del scene, rng, pause
    send(head, signal.SIGKILL)


def kill_all(scene: Scene, head: int, rng: Random, pause: float) -> None:
    """Kill everything at once: the plug is pulled."""
    del head, rng, pause
    for process in scene.family():
        send(process, signal.SIGKILL)


def ask_to_end(scene: Scene, head: int, rng: Random, pause: float) -> None:
    """Ctrl-C, a batch system's end of time, or a terminal that is closed."""
    del scene, pause
    send(head, rng.choice((signal.SIGINT, signal.SIGTERM, signal.SIGHUP)))


def jump_in_time(scene: Scene, head: int, rng: Random, pause: float) -> None:
    """Set the clock on the wall, forwards or backwards, by seconds or by years."""
    del head, pause
    far = rng.choice((1, 60, 3600, 86400, YEAR, 20 * YEAR))
    scene.set_clock(rng.choice((-1, 1)) * rng.randrange(1, far + 1))


def make_read_only(scene: Scene, head: int, rng: Random, pause: float) -> None:
    """Take the right to write from the folders for a while."""
    del head, rng
    for folder in (scene.folder, scene.folder / "tmp"):
        folder.chmod(0o555)
    time.sleep(pause)
    for folder in (scene.folder, scene.folder / "tmp"):
        folder.chmod(0o755)


def fill_disk(scene: Scene, head: int, rng: Random, pause: float) -> None:
    """Leave no byte free on the disk for a while."""
    del head, rng
    filler = scene.folder / "filler"
    with suppress(OSError), filler.open("wb", buffering=0) as file:
        while file.write(bytes(1 << 16)):
            pass
    with suppress(OSError), filler.open("ab", buffering=0) as file:
        while file.write(b"\0"):
            pass
    time.sleep(pause)
    filler.unlink(missing_ok=True)


HARMS: dict[str, tuple[int, Harm]] = {  # by how often they come
    "SIGSTOP and SIGCONT": (30, stop_one),
    "SIGKILL of a worker": (12, kill_one),
    "SIGKILL of the command": (3, kill_head),
    "SIGKILL of everything": (3, kill_all),
    "SIGINT, SIGTERM or SIGHUP": (2, ask_to_end),
    "clock set": (25, jump_in_time),
    "folders read-only": (10, make_read_only),
    "disk full": (10, fill_disk),
}


def harms_for(scene: Scene) -> tuple[list[str], list[int]]:
    """The harms that can be done here, and how often they come."""
    impossible = set() if scene.own_disk else {"disk full"}
    impossible |= set() if scene.shim else {"clock set"}
    names = [name for name in HARMS if name not in impossible]
    return names, [HARMS[name][0] for name in names]
