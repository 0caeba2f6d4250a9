"""Ring convolutions on top of each other as one step, with one activation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from graphrings.compiled import compiled
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.arrays import Floats, array_of, weighted_arrays
from graphrings.fused.passes import Passes
from graphrings.fused.ring_filter import gather, scatter
from graphrings.fused.workspace import Workspace

Filters = tuple[Floats, Floats | None]  # weight and bias of a layer; or the gradients of these


def filter_stack(
    h: Tensor,
    near: Sequence[WeightedRows],
    filters: Sequence[tuple[Tensor, Tensor | None]],
    activation: str,
) -> list[Tensor]:
    """The rows of all layers; the activation is one of those ``WITHIN`` a ring filter."""
    parameters = [parameter for both in filters for parameter in both]
    return list(FilterStack.apply(h, tuple(near), activation, *parameters))


class FilterStack(torch.autograd.Function):
    """``FilterPasses`` for autograd."""

    @staticmethod
    def forward(
        ctx: Any, h: Tensor, near: tuple[WeightedRows, ...], activation: str, *parameters: Any
    ) -> tuple[Tensor, ...]:
        """All layers."""
        arrays = [None if one is None else array_of(one) for one in parameters]
        ctx.filters = list(zip(arrays[::2], arrays[1::2], strict=True))
        ctx.layers = FilterPasses(ctx.filters, activation, Workspace(array_of(parameters[0]).dtype))
        return tuple(map(torch.from_numpy, ctx.layers.forward(array_of(h), near)))

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """The same steps backwards."""
        made = [
            (np.empty_like(weight), None if bias is None else np.empty_like(bias))
            for weight, bias in ctx.filters
        ]
        # What autograd hands out is not ours to write to.
        own = [array_of(grad).copy() for grad in grads]
        h = ctx.layers.backward(own, made, ctx.needs_input_grad[0])
        arrays = h, None, None, *(array for both in made for array in both)
        return tuple(None if array is None else torch.from_numpy(array) for array in arrays)


class FilterPasses(Passes):
    """One pass forwards and one backwards through all layers."""

    def __init__(self, filters: Sequence[Filters], activation: str, space: Workspace) -> None:
        super().__init__(
            [
                FilterPass(*both, activation, space, f"layer {level}")
                for level, both in enumerate(filters)
            ]
        )


class FilterPass:
    """One pass forwards and one backwards through a ring convolution with some filters.

    What the way back needs is kept in the workspace until the next pass, in arrays whose names
    begin with ``name``; what it does not need is there for whoever comes next.
    """

    def __init__(
        self, weight: Floats, bias: Floats | None, activation: str, space: Workspace, name: str = ""
    ) -> None:
        self.weight, self._activation, self._space, self._name = weight, activation, space, name
        self.bias = np.zeros(len(weight), weight.dtype) if bias is None else bias

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def forward(self, h: Floats, near: WeightedRows) -> Floats:
        """Row u of the product is what node u looks like from ring 0, 1, ..., r."""
        self._h, self._arrays = h, weighted_arrays(near, self.weight.dtype)
        rows = self._space.array("rows", len(h), len(self.weight))
        self._out = out = self._space.array(f"{self._name} out", near.n_rows, len(self.weight))
        np.dot(h, self.weight.T, out=rows)
        gather(rows, self.bias, *self._arrays, out)
        if self._activation == "relu":
            torch.from_numpy(out).relu_()
        if self._activation == "tanh":
            torch.from_numpy(out).tanh_()
        return out

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def backward(
        self, grad: Floats, weight: Floats, bias: Floats | None, of_input: bool
    ) -> Floats | None:
        """Write the gradients of weight and bias, given that of the result; return the input's."""
        space, h, out = self._space, self._h, self._out
        if self._activation == "relu":
            through = space.array("through", *grad.shape)
            where_positive(grad, out, through)
            grad = through
        rows, nothing = space.array("rows", len(h), len(weight)), space.array("none", len(h), 0)
        added = space.array("bias", len(weight)) if bias is None else bias
        scatter(grad, out, self._activation == "tanh", nothing, *self._arrays, rows, added)
        np.dot(rows.T, h, out=weight)
        return np.dot(rows, self.weight, out=space.array("below", *h.shape)) if of_input else None


@compiled
def where_positive(grad: Floats, out: Floats, through: Floats) -> None:
    """The gradient, or 0 where ReLU gave nothing of ``out``."""
    for v in range(grad.shape[0]):
        for c in range(grad.shape[1]):
            through[v, c] = grad[v, c] if out[v, c] > 0 else 0
