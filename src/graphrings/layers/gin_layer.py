"""Layers of GIN: the sum over neighbours and a perceptron with norms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn

from graphrings.distances.rings import Rings
from graphrings.layers.gin_conv import GINConv
from graphrings.layers.ring_conv import gathered, scattered
from graphrings.layers.row_norm import Counts, RowNorm, normalised, through_norm


class GINLayer(nn.Module):
    """Sum, dense, norm, ReLU, dense, norm, ReLU; norms over nodes, as the authors' code has them.

    Shapes: ``h`` is (n, in), the result (n, out).
    """

    def __init__(
        self, width: int, out: int, radius: int | None = None, learn_epsilon: bool = False
    ) -> None:
        super().__init__()
        self.conv = GINConv(width, out, radius, learn_epsilon)
        self.inner_norm = RowNorm(out)
        self.second = nn.Linear(out, out, bias=False)  # the norms bring the biases
        self.norm = RowNorm(out)

    def forward(self, h: Tensor, rings: Rings, counts: Counts | None = None) -> Tensor:
        """``counts`` says how many nodes a row of the result stands for."""
        x = self.inner_norm(self.conv(h, rings), counts, relu=True)
        out: Tensor = self.norm(self.second(x), counts, relu=True)
        return out

    def parameters_in_order(self) -> list[Tensor]:
        """Of the layer as ``GINStack`` takes them."""
        norms = [p for norm in (self.inner_norm, self.norm) for p in (norm.weight, norm.bias)]
        return [self.conv.filters.weight, self.second.weight, *norms]


def gin_stack(
    h: Tensor, layers: Sequence[GINLayer], rings: Sequence[Rings], counts: Sequence[Counts]
) -> list[Tensor]:
    """The rows of all layers; in training on the CPU as one step, which starts sooner than many.

    ``rings`` have counts for weights.
    """
    plain = all(layer.conv.together and layer.conv.epsilon is None for layer in layers)
    if plain and layers[0].training and h.device.type == "cpu":
        near = tuple(replace(ring.joined(), shares=ring.shares) for ring in rings)
        seen = [
            [(norm.running_mean, norm.running_var) for norm in (layer.inner_norm, layer.norm)]
            for layer in layers
        ]
        parameters = [p for layer in layers for p in layer.parameters_in_order()]
        return list(GINStack.apply(h, near, tuple(counts), seen, *parameters))
    found = []
    for layer, ring, count in zip(layers, rings, counts, strict=True):
        h = layer(h, ring, count)
        found.append(h)
    return found


class GINStack(torch.autograd.Function):
    """What ``GINLayer`` says, layer after layer."""

    @staticmethod
    def forward(
        ctx: Any,
        h: Tensor,
        rings: tuple[Rings, ...],
        counts: tuple[Counts, ...],
        seen: list[Any],
        *parameters: Tensor,
    ) -> tuple[Tensor, ...]:
        """Six parameters a layer: two matrices, and the scales and shifts of two norms."""
        rows, saved, statistics = [h], [], []
        for level, near in enumerate(rings):
            first, second, *norms = parameters[6 * level : 6 * level + 6]
            x = gathered(rows[-1] @ first.t(), len(first), None, near, tanh=False)
            inner, one = normalised(x, norms[0], norms[1], seen[level][0], counts[level], True)
            y = inner @ second.t()
            out, other = normalised(y, norms[2], norms[3], seen[level][1], counts[level], True)
            rows.append(out)
            saved += [x, inner, y, first, second, norms[0], norms[2]]
            statistics.append((one, other))
        ctx.save_for_backward(*rows, *saved)
        ctx.rings, ctx.counts, ctx.statistics = rings, counts, statistics
        return tuple(rows[1:])

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Any, ...]:
        """The same steps backwards; a layer also has a gradient of its own."""
        depth = len(ctx.rings)
        rows, saved = ctx.saved_tensors[: depth + 1], ctx.saved_tensors[depth + 1 :]
        found: list[Tensor] = []
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
            handed, _ = scattered(x_grad, x, h.new_empty((len(h), 0)), ctx.rings[level], tanh=False)
            found = [handed.t() @ h, y_grad.t() @ inner, *inner_norm, *norm, *found]
            below = handed @ first if level > 0 or ctx.needs_input_grad[0] else None
        return below, None, None, None, *found
