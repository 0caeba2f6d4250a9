"""Dropout as factors, so that both lanes drop the same."""

from __future__ import annotations

import torch
from torch import Tensor


def kept_factors(shape: tuple[int, int], dropped: float, like: Tensor) -> Tensor | None:
    """0 for the share of all places that is ``dropped``, and for the others what makes up for it.

    It is None where nothing is dropped. On the CPU these are the places that dropout of torch draws
    by itself, where it does not leave that to another library, in a third of the time.
    """
    if dropped == 0:
        return None
    # No other device need have double precision.
    precision = torch.float64 if like.device.type == "cpu" else like.dtype
    drawn = like.new_empty(shape, dtype=precision).uniform_()
    return drawn.lt_(1 - dropped).to(like.dtype).div_(1 - dropped)
