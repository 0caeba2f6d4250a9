"""How the project compiles its inner loops."""

from collections.abc import Callable
from typing import TypeVar, cast

import numba

Kernel = TypeVar("Kernel", bound=Callable[..., object])


def compiled(kernel: Kernel) -> Kernel:
    """Compile ``kernel`` at its first call and keep the machine code on disk.

    The GIL is released, so that plain threads run kernels side by side.
    """
    try:
        return cast(Kernel, numba.njit(cache=True, nogil=True)(kernel))
    except RuntimeError:  # no folder can be written to: compile in every process instead
        return cast(Kernel, numba.njit(nogil=True)(kernel))
