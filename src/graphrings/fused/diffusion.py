"""The diffusion-convolution with its activation as one step."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.activations import WRITTEN_OUT
from graphrings.fused.arrays import Floats, array_of, weighted_arrays
from graphrings.fused.ring_filter import gather
from graphrings.fused.row_sums import to_members
from graphrings.fused.workspace import Workspace


def diffusion(h: Tensor, weight: Tensor, near: WeightedRows, activation: str) -> Tensor:
    """What ``DiffusionConv`` computes of weighted rows, with an activation ``WRITTEN_OUT``."""
    out: Tensor = Diffusing.apply(h, weight, near, activation)
    return out


class Diffusing(torch.autograd.Function):
    """``DiffusionPass`` for autograd."""

    @staticmethod
    def forward(ctx: Any, h: Tensor, weight: Tensor, near: WeightedRows, activation: str) -> Tensor:
        """Sums, weights, activation."""
        own = array_of(weight)
        ctx.conv = DiffusionPass(own, activation, Workspace(own.dtype))
        return torch.from_numpy(ctx.conv.forward(array_of(h), near))

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """The same steps backwards."""
        made = np.empty_like(ctx.conv.weight)
        h = ctx.conv.backward(array_of(grads[0]), made, ctx.needs_input_grad[0])
        return None if h is None else torch.from_numpy(h), torch.from_numpy(made), None, None


class DiffusionPass:
    """One pass forwards and one backwards; what the way back needs is kept until the next pass."""

    def __init__(self, weight: Floats, activation: str, space: Workspace) -> None:
        self.weight, self._activation, self._space = weight, WRITTEN_OUT[activation], space

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def forward(self, h: Floats, near: WeightedRows) -> Floats:
        """Diffuse, lay the hops side by side, weigh every column; then the activation."""
        indptr, indices, weights, width = weighted_arrays(near, self.weight.dtype)
        self._h, self._arrays = h, (indptr, indices, weights, width)
        shape = near.n_rows, len(self.weight)
        self._sums, self._out = (self._space.array(name, *shape) for name in ("hops", "weighed"))
        # All blocks see the same columns, so that each is a row of its own.
        by_block = self._sums.reshape(near.n_rows * width, h.shape[1])
        none = np.zeros(h.shape[1], self.weight.dtype)
        gather(h, none, indptr, indices, weights, 1, by_block)
        np.multiply(self._sums, self.weight, out=self._out)
        self._activation.apply(self._out, self._space.array("activation", *shape))
        return self._out

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def backward(self, grad: Floats, made: Floats, of_input: bool = False) -> Floats | None:
        """Write the gradient of the weights, given that of the result; return the input's."""
        through, along = (
            self._space.array(name, *grad.shape) for name in ("activation", "along hops")
        )
        self._activation.back(grad, self._out, through)
        np.sum(np.multiply(through, self._sums, out=along), axis=0, out=made)
        if not of_input:
            return None
        below = self._space.array("below", *self._h.shape)
        below[:] = 0
        np.multiply(through, self.weight, out=along)
        to_members(along, *self._arrays, False, below)
        return below
