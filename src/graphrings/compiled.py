"""How the project compiles its inner loops."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

Kernel = TypeVar("Kernel", bound=Callable[..., object])


def compiled(kernel: Kernel) -> Kernel:
    """Compile ``kernel`` at its first call and keep the machine code on disk.

    The GIL is released, so that plain threads run kernels side by side. What is kept is renewed
    when the kernel's own file changes: kernels may only call kernels of the same file.
    """
    # Divisions are not checked for zero, since a check keeps a loop from being vectorised.
    options: Any = {"nogil": True, "error_model": "numpy"}
    try:
        return cast(Kernel, numba.njit(cache=True, **options)(kernel))
    except RuntimeError:  # no folder can be written to: compile in every process instead
        return cast(Kernel, numba.njit(**options)(kernel))
