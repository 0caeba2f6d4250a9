"""Memory that is written to again and again: fresh memory costs as much as a pass over it."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
import torch

from graphrings.fused.arrays import Floats

ROOM = 1.25  # of what is asked for: the next batch may be a little larger


class Workspace:
    """Arrays by name, of any shape; a name has the same memory every time, as far as it fits.

    The arrays hold whatever was there before.
    """

    def __init__(self, number: np.dtype[Any]) -> None:
        self._number, self._blocks = number, dict[str, Floats]()

    def array(self, name: str, *shape: int) -> Floats:
        """An array in the memory of a name."""
        size, block = prod(shape), self._blocks.get(name)
        if block is None or block.size < size:
            # Dense products are faster in torch's memory than in numpy's: it begins at 64 bytes.
            n_bytes = int(ROOM * size) * self._number.itemsize
            block = torch.empty(n_bytes, dtype=torch.uint8).numpy().view(self._number)
            self._blocks[name] = block
        return block[:size].reshape(shape)
