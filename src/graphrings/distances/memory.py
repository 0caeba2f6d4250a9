"""How much memory rings may take, decided before they are filled."""

import os
import re
from contextlib import suppress
from pathlib import Path

from graphrings.errors import MemoryLimitError

SHARE = 0.5  # of the machine's memory
UNITS = ("bytes", "KB", "MB", "GB", "TB")
SIZE = re.compile(r"\s*(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>[KMGT]B)\s*", re.IGNORECASE)
CONTAINER_LIMIT = Path("/sys/fs/cgroup/memory.max")


def memory_limit() -> int:
    """Half of the memory of the machine, or of the container this runs in, in bytes."""
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not a POSIX system
        total = 8 << 30
    with suppress(OSError, ValueError):  # no container, or one without a limit
        total = min(total, int(CONTAINER_LIMIT.read_text()))
    return int(SHARE * total)


def refuse(
    what: str,
    needed: float,
    limit: int,
    advice: str = "take a smaller radius, fewer graphs, or allow more with max_bytes",
) -> MemoryLimitError:
    """The error that names the estimate and the limit."""
    return MemoryLimitError(
        f"{what} would take about {in_bytes(needed)}, over the limit of {in_bytes(limit)}; {advice}"
    )


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
