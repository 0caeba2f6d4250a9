"""Arrays of the CPU where a layer needs them."""

from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor


def on_device_of(h: Tensor, array: NDArray[Any]) -> Tensor:
    """The array as a tensor where ``h`` lies; on the CPU both share their memory."""
    return torch.from_numpy(array).to(h.device)


def rows_at(h: Tensor, places: NDArray[Any]) -> Tensor:
    """The rows of ``h`` at these places."""
    return h.index_select(0, on_device_of(h, places))
