"""One thing computed in both lanes."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor
from torch.testing import assert_close

from dense import random_rows
from graphrings.fused.lane import lane


def assert_lanes_agree(
    compute: Callable[[], Tensor], sources: Sequence[Tensor], **close: float
) -> None:
    """The same numbers, and the same gradients of a weighing that no number drops out of."""
    results = []
    for fused in (True, False):
        with lane(fused=fused):
            out = compute()
            weighing = random_rows(out.numel(), 1).view(out.shape).to(out)
            results.append((out.detach(), *torch.autograd.grad(out, sources, weighing)))
    for ours, theirs in zip(*results, strict=True):
        assert_close(ours, theirs, **close)  # type: ignore[arg-type]
