"""THE switch between the two lanes.

The plain lane is torch code that follows the equation, on any device; the fused lane is compiled
code with the same results up to rounding, for single and double precision on the CPU.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import torch
from torch import Tensor

_FUSED = ContextVar("fused", default=True)


@contextmanager
def lane(*, fused: bool) -> Iterator[None]:
    """Compute in the fused lane where it can be taken, or in the plain lane throughout."""
    before = _FUSED.set(fused)
    try:
        yield
    finally:
        _FUSED.reset(before)


def takes_fused_lane(rows: Tensor) -> bool:
    """Whether compiled code computes what these rows lead to; every layer asks here."""
    return (
        _FUSED.get()
        and rows.device.type == "cpu"
        and (rows.dtype == torch.float32 or rows.dtype == torch.float64)
        and not torch.is_autocast_enabled("cpu")
    )
