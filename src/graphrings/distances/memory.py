"""How much memory rings may take, decided before they are filled."""

import os
from contextlib import suppress
from pathlib import Path

from graphrings.errors import MemoryLimitError

SHARE = 0.5  # of the machine's memory
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
    units = ("bytes", "KB", "MB", "GB", "TB")
    power = 0
    while count >= 1000 and power < len(units) - 1:
        count, power = count / 1000, power + 1
    return f"{count:.{int(power > 0)}f} {units[power]}"
