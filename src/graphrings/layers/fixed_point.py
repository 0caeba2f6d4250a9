"""A fixed point, and the gradient through it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor


class Implicit(torch.autograd.Function):
    r"""The gradient through a fixed point by its equation, not by its steps.

    .. math:: g = J^\top g + \partial L / \partial H

    Forward, a step from the fixed point has no effect; backward, g is what that step hands on.
    """

    @staticmethod
    def forward(
        ctx: Any,
        h: Tensor,
        transposed: Callable[[Tensor], Tensor],
        tolerance: float,
        max_steps: int,
    ) -> Tensor:
        """Nothing changes."""
        ctx.transposed, ctx.tolerance, ctx.max_steps = transposed, tolerance, max_steps
        return h.view_as(h)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """Settle as the state did; the tolerance is relative here, as losses have any scale."""
        grad = grads[0]
        tolerance = ctx.tolerance * float(grad.abs().max())
        handed = settled(lambda g: ctx.transposed(g) + grad, grad, tolerance, ctx.max_steps)
        return handed, None, None, None


def settled(
    step: Callable[[Tensor], Tensor], h: Tensor, tolerance: float, max_steps: int
) -> Tensor:
    """Repeat a step until no number moves by more than the tolerance."""
    for _ in range(max_steps if len(h) else 0):
        before, h = h, step(h)
        if float((h - before).abs_().max()) <= tolerance:
            break
    return h
