"""Dense layers with ReLU between them, and dropout before the last one, as one step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from graphrings.fused.arrays import Floats, array_of
from graphrings.fused.workspace import Workspace


def dense_stack(
    x: Tensor, layers: Sequence[tuple[Tensor, Tensor]], kept: Tensor | None = None
) -> Tensor:
    """Map, ReLU, map, ReLU, ..., dropout, map; ``layers`` are a weight and a bias of each map.

    Dropout multiplies by ``kept``, if there is any. Shapes: ``x`` is (n, in), the result (n, out).
    """
    parameters = [parameter for both in layers for parameter in both]
    outputs: Tensor = DenseStack.apply(x, kept, *parameters)
    return outputs


class DenseStack(torch.autograd.Function):
    """``DensePass`` for autograd."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, kept: Tensor | None, *parameters: Tensor) -> Tensor:
        """All layers."""
        layers = [array_of(parameter) for parameter in parameters]
        ctx.dense = DensePass(layers, Workspace(layers[0].dtype))
        dropped = None if kept is None else array_of(kept)
        return torch.from_numpy(ctx.dense.forward(array_of(x), dropped))

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """The same steps backwards."""
        made = [np.empty_like(parameter) for parameter in ctx.dense.layers]
        x = ctx.dense.backward(array_of(grads[0]), made, ctx.needs_input_grad[0])
        return None if x is None else torch.from_numpy(x), None, *map(torch.from_numpy, made)


class DensePass:
    """One pass forwards and one backwards through ``layers``: a weight and a bias of each map.

    What the way back needs is kept in the workspace, until the next pass.
    """

    def __init__(self, layers: Sequence[Floats], space: Workspace) -> None:
        self.layers, self._space = layers, space
        self._depth = len(layers) // 2

    def forward(self, x: Floats, kept: Floats | None) -> Floats:
        """The outputs, in memory of their own."""
        self._seen, self._kept = list[Floats](), kept
        for level in range(self._depth):
            weight, bias = self.layers[2 * level : 2 * level + 2]
            if level == self._depth - 1:
                out = np.empty((len(x), len(bias)), x.dtype)
                if kept is not None:
                    x = np.multiply(x, kept, out=self._space.array("kept", *x.shape))
            else:
                out = self._space.array(f"dense {level}", len(x), len(bias))
            self._seen.append(x)
            x = np.dot(x, weight.T, out=out)
            x += bias
            if level < self._depth - 1:
                np.maximum(x, 0, out=x)
        return x

    def backward(
        self, grad: Floats, made: Sequence[Floats], of_input: bool = True
    ) -> Floats | None:
        """Write the gradients of all maps, given that of the outputs; return that of ``x``."""
        for level in range(self._depth - 1, -1, -1):
            x, weight = self._seen[level], self.layers[2 * level]
            np.dot(grad.T, x, out=made[2 * level])
            np.sum(grad, axis=0, out=made[2 * level + 1])
            if level == 0 and not of_input:
                return None
            below = self._space.array(f"dense grad {level}", *x.shape)
            grad = np.dot(grad, weight, out=below)
            if level == self._depth - 1 and self._kept is not None:
                grad *= self._kept
            if level:
                grad *= x > 0  # what dropout made zero has no gradient already
        return grad
