"""One instruction set for every processor: the same sums in the same order, at the price of speed.

Libraries look at the processor when they are loaded, some when the process starts, and then take
loops that add in another order, or that multiply and add without rounding in between. Each can be
held to what every x86-64 processor has, by a variable that must be set before the process starts.
"""

from __future__ import annotations

import os
import platform

from graphrings.errors import SettingError

MACHINES = ("x86_64", "amd64")
PORTABLE = "portable (x86-64)"  # in the place of the processor's name
NUMPY = "NPY_DISABLE_CPU_FEATURES"
VARIABLES = {
    "ATEN_CPU_CAPABILITY": "default",  # torch's own loops
    "MKL_CBWR": "COMPATIBLE",  # torch's BLAS; the one mode for processors of all makers
    "ONEDNN_MAX_CPU_ISA": "SSE41",  # its convolutions and products
    "OPENBLAS_CORETYPE": "Nehalem",  # BLAS of numpy and scipy
    "NUMBA_CPU_NAME": "generic",  # our loops
    "NUMBA_CPU_FEATURES": "",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX,-AVX2,-FMA,-FMA4,-AVX512F",  # exp, log, tanh
}


def portable_variables() -> dict[str, str]:
    """What a process must find in its environment from the start."""
    if platform.machine().lower() not in MACHINES:
        raise SettingError(
            f"portable on a processor of kind {platform.machine()}; expected x86-64, the one kind "
            "that it holds libraries to"
        )
    from numpy._core._multiarray_umath import __cpu_dispatch__  # type: ignore[import-not-found]

    return {**VARIABLES, NUMPY: " ".join(__cpu_dispatch__)}


def is_portable() -> bool:
    """Whether this process was started with them."""
    return all(os.environ.get(name) == value for name, value in VARIABLES.items())
