"""A whole layer of GIN: the sum over neighbours and a perceptron with norms."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
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
        plain = self.conv.together and self.conv.epsilon is None
        if plain and self.training and rings.shares is not None and h.device.type == "cpu":
            return self._at_once(h, rings, counts)
        x = self.inner_norm(self.conv(h, rings), counts, relu=True)
        out: Tensor = self.norm(self.second(x), counts, relu=True)
        return out

    def _at_once(self, h: Tensor, rings: Rings, counts: Counts | None) -> Tensor:
        near = replace(rings.joined(), shares=rings.shares)
        counts = np.ones(near.n_nodes, dtype=np.int64) if counts is None else counts
        norms = self.inner_norm, self.norm
        seen = [(norm.running_mean, norm.running_var) for norm in norms]
        parameters = [p for norm in norms for p in (norm.weight, norm.bias)]
        weights = self.conv.filters.weight, self.second.weight
        found: Tensor = WholeLayer.apply(h, near, counts, seen, *weights, *parameters)
        return found


class WholeLayer(torch.autograd.Function):
    """The layer in training as one step, which starts sooner than many."""

    @staticmethod
    def forward(
        ctx: Any,
        h: Tensor,
        near: Rings,
        counts: Counts,
        seen: list[Any],
        first: Tensor,
        second: Tensor,
        inner_scale: Tensor,
        inner_shift: Tensor,
        scale: Tensor,
        shift: Tensor,
    ) -> Tensor:
        """Row after row of what ``GINLayer`` says."""
        x = gathered(h @ first.t(), len(first), None, near, tanh=False)
        inner, inner_statistics = normalised(
            x, inner_scale, inner_shift, seen[0], counts, relu=True
        )
        y = inner @ second.t()
        out, statistics = normalised(y, scale, shift, seen[1], counts, relu=True)
        ctx.save_for_backward(h, first, second, x, inner, y, out, inner_scale, scale)
        ctx.near, ctx.counts, ctx.statistics = near, counts, (inner_statistics, statistics)
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Any, ...]:
        """The same steps backwards."""
        h, first, second, x, inner, y, out, inner_scale, scale = ctx.saved_tensors
        inner_statistics, statistics = ctx.statistics
        y_grad, *norm = through_norm(
            grads[0].contiguous(), y, scale, statistics, out, ctx.counts, relu=True
        )
        x_grad, *inner_norm = through_norm(
            y_grad @ second, x, inner_scale, inner_statistics, inner, ctx.counts, relu=True
        )
        rows, _ = scattered(x_grad, x, h.new_empty((len(h), 0)), ctx.near, tanh=False)
        h_grad = rows @ first if ctx.needs_input_grad[0] else None
        weights = rows.t() @ h, y_grad.t() @ inner
        return h_grad, None, None, None, *weights, *inner_norm, *norm
