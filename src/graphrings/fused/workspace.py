"""Memory that is written to again and again: fresh memory costs as much as a pass over it."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

ROOM = 1.25  # of what is asked for: the next batch may be a little larger


class Workspace:
    """Arrays by name, of any shape; a name has the same memory every time, as far as it fits.

    The arrays hold whatever was there before.
    """

    def __init__(self) -> None:
        self._blocks: dict[tuple[str, Any], NDArray[Any]] = {}

    def array(self, name: str, shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
        """An array in the memory of a name."""
        size, key = prod(shape), (name, dtype)
        block = self._blocks.get(key)
        if block is None or len(block) < size:
            block = self._blocks[key] = _in_torch_memory(int(ROOM * size), np.dtype(dtype))
        return block[:size].reshape(shape)


def _in_torch_memory(size: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Dense products are faster in torch's memory than in numpy's: it begins at 64 bytes."""
    n_bytes = torch.empty(size * dtype.itemsize, dtype=torch.uint8)
    return n_bytes.numpy().view(dtype)
