"""Memory for large results, in the pages that the system gives unasked."""

from __future__ import annotations

import mmap
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

LARGE = 1 << 26  # bytes; what is smaller comes from memory that was used before
# Without these a process that forks would share what it writes with its child; Windows never does.
ALONE = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}


def zeros(length: int, dtype: DTypeLike) -> NDArray[Any]:
    """An array of zeros, which takes memory where it is written to.

    numpy asks for pages of 2 MB. In a virtual machine whose host has to find them they may cost
    twice as much as all that is computed, and small ones do not.
    """
    n_bytes = length * np.dtype(dtype).itemsize
    if n_bytes < LARGE:
        return np.zeros(length, dtype)
    try:
        return np.frombuffer(mmap.mmap(-1, n_bytes, **ALONE), dtype)
    except OSError as error:
        raise MemoryError(f"no room for {n_bytes:,} bytes: {error}") from error
