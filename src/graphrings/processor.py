"""Which processor this is: sums round differently on different ones."""

from __future__ import annotations

import platform
from functools import cache
from pathlib import Path

from graphrings.portable import PORTABLE, is_portable


@cache
def processor() -> str:
    """Its model, what our loops are compiled for and whose products OpenBLAS takes.

    ``AMD EPYC 7B13 (znver3, products of Zen)``: a variable, OPENBLAS_CORETYPE, can name others than
    those that fit. Where all libraries are held to one set of instructions nothing else matters.
    """
    if is_portable():
        return PORTABLE
    from llvmlite.binding import get_host_cpu_name

    return f"{model_name()} ({', '.join([get_host_cpu_name(), *products()])})"


def products() -> list[str]:
    """Whose dense products the BLAS of numpy takes, where it is one that chooses."""
    import numpy as np  # noqa: F401, it loads its BLAS
    from threadpoolctl import threadpool_info  # type: ignore[import-untyped]

    taken = {library["architecture"] for library in threadpool_info() if "architecture" in library}
    return [f"products of {name}" for name in sorted(taken)]


def model_name(listing: Path = Path("/proc/cpuinfo")) -> str:
    """What Linux calls the processor; elsewhere, what Python knows of it."""
    if listing.is_file():
        for line in listing.read_text(errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return " ".join(value.split())
    return platform.processor() or platform.machine()
