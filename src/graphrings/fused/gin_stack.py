"""All layers of GIN as one step, in training."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.ring_filter import gathered, scattered
from graphrings.fused.row_norm import Counts, normalised, through_norm


def gin_stack(
    h: Tensor,
    near: Sequence[WeightedRows],
    counts: Sequence[Counts],
    seen: list[Any],
    parameters: Sequence[Tensor],
) -> list[Tensor]:
    """The rows of all layers of ``GINLayer``, one after the other, without epsilon.

    ``near`` have one block per row. ``seen`` are the running mean and variance of both norms of
    every layer, which move towards the batch; ``parameters`` are six per layer.
    """
    return list(GINStack.apply(h, tuple(near), tuple(counts), seen, *parameters))


class GINStack(torch.autograd.Function):
    """What ``GINLayer`` says, layer after layer."""

    @staticmethod
    def forward(
        ctx: Any,
        h: Tensor,
        near: tuple[WeightedRows, ...],
        counts: tuple[Counts, ...],
        seen: list[Any],
        *parameters: Tensor,
    ) -> tuple[Tensor, ...]:
        """Six parameters per layer: two matrices, and the scales and shifts of two norms."""
        rows, saved, statistics = [h], [], []
        for level, own in enumerate(near):
            first, second, *norms = parameters[6 * level : 6 * level + 6]
            x = gathered(rows[-1] @ first.t(), len(first), None, own, tanh=False)
            inner, one = normalised(x, norms[0], norms[1], seen[level][0], counts[level], True)
            y = inner @ second.t()
            out, other = normalised(y, norms[2], norms[3], seen[level][1], counts[level], True)
            rows.append(out)
            saved += [x, inner, y, first, second, norms[0], norms[2]]
            statistics.append((one, other))
        ctx.save_for_backward(*rows, *saved)
        ctx.near, ctx.counts, ctx.statistics = near, counts, statistics
        return tuple(rows[1:])

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Any, ...]:
        """The same steps backwards; a layer also has a gradient of its own."""
        depth = len(ctx.near)
        rows, saved = ctx.saved_tensors[: depth + 1], ctx.saved_tensors[depth + 1 :]
        gradients: list[Tensor] = []
        below: Tensor | None = None
        for level in range(depth - 1, -1, -1):
            x, inner, y, first, second, inner_scale, scale = saved[7 * level : 7 * level + 7]
            one, other = ctx.statistics[level]
            counts = ctx.counts[level]
            grad = grads[level].contiguous() if below is None else grads[level] + below
            y_grad, *norm = through_norm(grad, y, scale, other, rows[level + 1], counts, True)
            x_grad, *inner_norm = through_norm(
                y_grad @ second, x, inner_scale, one, inner, counts, True
            )
            h = rows[level]
            handed, _ = scattered(x_grad, x, h.new_empty((len(h), 0)), ctx.near[level], tanh=False)
            own = [handed.t() @ h, y_grad.t() @ inner, *inner_norm, *norm]
            gradients = [*own, *gradients]
            below = handed @ first if level > 0 or ctx.needs_input_grad[0] else None
        return below, None, None, None, *gradients
