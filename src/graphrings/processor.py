"""Which processor this is: sums round differently on different ones."""

from __future__ import annotations

import platform
from functools import cache
from pathlib import Path

from graphrings.portable import PORTABLE, is_portable


@cache
def processor() -> str:
    """Its model and the instructions that loops are compiled for, as ``AMD EPYC 7B13 (znver3)``.

    Where all libraries are held to one set of instructions its model makes no difference.
    """
    if is_portable():
        return PORTABLE
    from llvmlite.binding import get_host_cpu_name

    return f"{model_name()} ({get_host_cpu_name()})"


def model_name(listing: Path = Path("/proc/cpuinfo")) -> str:
    """What Linux calls the processor; elsewhere, what Python knows of it."""
    if listing.is_file():
        for line in listing.read_text(errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return " ".join(value.split())
    return platform.processor() or platform.machine()
