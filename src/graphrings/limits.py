"""What work would take, told before it begins: memory that is not there refuses it.

Work that grows faster than its input says how many bytes and how many steps of a compiled loop it
is; the limits and the speeds of those loops stand here, and ``begin`` is the only judge.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath
from time import monotonic

from graphrings.durations import duration
from graphrings.errors import MemoryLimitError, TimeNote

SHARE = 0.5  # of the machine's memory
UNKNOWN_MEMORY = 8 << 30  # of a machine that does not tell
SLOW = 60.0  # seconds; what takes longer is announced
FEWER = "take a smaller radius or fewer graphs"
ALLOWED = ", or allow more with max_bytes"
UNITS = ("bytes", "KB", "MB", "GB", "TB")
SIZE = re.compile(r"\s*(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>[KMGT]B)\s*", re.IGNORECASE)
PROC, GROUPS = Path("/proc"), Path("/sys/fs/cgroup")

# Steps that one core of a server does in a second, measured; a guess of a wait, no promise.
STEPS_A_SECOND = {
    "edges of searches": 3e8,
    "edges of walks": 3e8,
    "nodes of balls, squared": 5e7,
    "wedges": 4e9,
    "features that two graphs share": 3e8,
    "edges of product graphs": 1e9,
    "nodes moved": 1e6,
    "nodes of masked graphs": 2e5,
    "graphs looked at by a machine": 6e8,
    "graphs of a table, cubed": 3e10,
    "landmarks, cubed": 2.5e9,
    "pairs of nodes of a layout": 1e6,
}


@dataclass(frozen=True)
class Work:
    """What is about to be done, what it would take, and what one may do instead."""

    what: str
    instead: str
    n_bytes: float = 0.0
    kind: str = ""  # of STEPS_A_SECOND
    n_steps: float = 0.0
    more: str = ""  # what may be done where memory is short

    @property
    def seconds(self) -> float:
        """About how long it takes."""
        return self.n_steps / STEPS_A_SECOND[self.kind] if self.kind else 0.0


def begin(work: Work, limit: int | None = None) -> None:
    """Refuse work that does not fit into memory, and announce what takes more than a minute."""
    limit = memory_limit() if limit is None else limit
    if work.n_bytes > limit:
        raise MemoryLimitError(
            f"{work.what} would take about {in_bytes(work.n_bytes)}, over the limit of "
            f"{in_bytes(limit)}; {work.instead}{work.more}"
        )
    if work.seconds > SLOW:
        text = f"{work.what} may take about {duration(work.seconds)}; {work.instead}"
        warnings.warn(text, TimeNote, stacklevel=3)


def memory_limit() -> int:
    """How many bytes work may take: half of what the machine has, but no more than is free.

    A container counts as the machine; a limit of the process (``ulimit -v``) holds, too. A look at
    the machine takes half a millisecond, longer than the rings of a graph, so that it holds for up
    to a second.
    """
    return _looked_up(PROC, GROUPS, int(monotonic()))


@lru_cache(maxsize=1)
def _looked_up(proc: Path, groups: Path, second: int) -> int:
    """The limit as it is in this second, with the files of these folders."""
    del proc, groups, second
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not a POSIX system
        total = UNKNOWN_MEMORY
    limits = [SHARE * total]
    for size, used in container_limits():
        limits += [SHARE * size, size - used]
    limits += free_on_machine(), free_in_process()
    return max(0, int(min(limits)))


def free_on_machine() -> float:
    """What processes can still be given without swapping."""
    with suppress(OSError, ValueError, IndexError):
        for line in (PROC / "meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return 1024 * float(line.split()[1])
    return float("inf")


def free_in_process() -> float:
    """What is left of the addresses that this process may use."""
    with suppress(ImportError, OSError, ValueError, IndexError):
        import resource

        most, _ = resource.getrlimit(resource.RLIMIT_AS)
        if most != resource.RLIM_INFINITY:
            pages = int((PROC / "self" / "statm").read_text().split()[0])
            return most - pages * os.sysconf("SC_PAGE_SIZE")
    return float("inf")


def container_limits() -> Iterator[tuple[float, float]]:
    """What every control group around this process may have, and what cannot be taken from it."""
    with suppress(OSError):
        for line in (PROC / "self" / "cgroup").read_text().splitlines():
            number, controllers, group = line.split(":", 2)
            if number == "0":
                yield from _groups(GROUPS, group, "memory.max", "memory.current")
            elif "memory" in controllers.split(","):
                names = "memory.limit_in_bytes", "memory.usage_in_bytes"
                yield from _groups(GROUPS / "memory", group, *names)


def _groups(root: Path, group: str, limit: str, usage: str) -> Iterator[tuple[float, float]]:
    """A group and those that it is part of; inside a container its own is the root."""
    inner = PurePosixPath(group.lstrip("/"))
    for folder in (inner, *inner.parents):
        with suppress(OSError, ValueError):  # no such group, or one without a limit
            size = int((root / folder / limit).read_text())
            used = int((root / folder / usage).read_text())
            yield size, used - _files(root / folder / "memory.stat")


def _files(stat: Path) -> int:
    """Bytes of files that the group keeps for convenience."""
    with suppress(OSError, ValueError):
        named = dict(line.split() for line in stat.read_text().splitlines())
        return int(named.get("total_inactive_file", named.get("inactive_file", 0)))
    return 0


def in_bytes(count: float) -> str:
    """A size for people."""
    power = 0
    while count >= 1000 and power < len(UNITS) - 1:
        count, power = count / 1000, power + 1
    return f"{count:.{int(power > 0)}f} {UNITS[power]}"


def bytes_of(size: str) -> int:
    """A size that a user gives, such as 2GB or 500 MB; ValueError where it is none."""
    match = SIZE.fullmatch(size)
    count = float(match["number"]) * 1000 ** UNITS.index(match["unit"].upper()) if match else 0
    if count < 1:
        raise ValueError(f"{size!r} is no size; expected such as 2GB or 500MB")
    return int(count)
