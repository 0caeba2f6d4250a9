"""All layers of GIN as one step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.arrays import Floats, array_of
from graphrings.fused.filter_stack import FilterPass
from graphrings.fused.row_norm import Counts, Seen, back_through_norm, normalise
from graphrings.fused.workspace import Workspace


class Perceptron(NamedTuple):
    """Both matrices of a layer, and scales and shifts of its norms; or the gradients of these."""

    first: Floats
    second: Floats
    inner_scale: Floats
    inner_shift: Floats
    scale: Floats
    shift: Floats


def gin_stack(
    h: Tensor,
    near: Sequence[WeightedRows],
    counts: Sequence[Counts],
    seen: Sequence[tuple[Seen, Seen]],
    parameters: Sequence[Tensor],
) -> list[Tensor]:
    """The rows of all layers of ``GINLayer``, one after the other, without epsilon.

    ``near`` have one block per row. ``seen`` are the running mean and variance of both norms of
    every layer, which move towards the batch; without ``counts`` the norms are by them.
    ``parameters`` are those of ``Perceptron``, for every layer.
    """
    return list(GINStack.apply(h, tuple(near), tuple(counts), seen, *parameters))


class GINStack(torch.autograd.Function):
    """``GINPass`` for autograd."""

    @staticmethod
    def forward(
        ctx: Any,
        h: Tensor,
        near: tuple[WeightedRows, ...],
        counts: tuple[Counts, ...],
        seen: Sequence[tuple[Seen, Seen]],
        *parameters: Tensor,
    ) -> tuple[Tensor, ...]:
        """All layers."""
        arrays = [array_of(parameter) for parameter in parameters]
        own = [Perceptron(*arrays[6 * level : 6 * level + 6]) for level in range(len(near))]
        ctx.layers = GINPass(own, seen, Workspace(arrays[0].dtype))
        rows = ctx.layers.forward(array_of(h), near, counts)
        return tuple(map(torch.from_numpy, rows))

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Any, ...]:
        """The same steps backwards; a layer also has a gradient of its own."""
        made = [Perceptron(*map(np.empty_like, layer)) for layer in ctx.layers.layers]
        rows = [array_of(grad) for grad in grads]
        h = ctx.layers.backward(rows, made, ctx.needs_input_grad[0])
        parameters = [torch.from_numpy(array) for layer in made for array in layer]
        return None if h is None else torch.from_numpy(h), None, None, None, *parameters


class GINPass:
    """One pass forwards and one backwards through all layers.

    What the way back needs is kept in the workspace, until the next pass.
    """

    def __init__(
        self, layers: Sequence[Perceptron], seen: Sequence[tuple[Seen, Seen]], space: Workspace
    ) -> None:
        self.layers, self._seen, self._space = layers, seen, space
        self._filters = [
            FilterPass(layer.first, None, "identity", space, f"sum {level}")
            for level, layer in enumerate(layers)
        ]

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def forward(
        self, h: Floats, near: Sequence[WeightedRows], counts: Sequence[Counts]
    ) -> list[Floats]:
        """The rows of every layer."""
        none = np.empty(0, dtype=np.int64)
        self._counts, self._kept, rows = counts or [none] * len(near), [], []
        for level, layer in enumerate(self.layers):
            x = self._filters[level].forward(h, near[level])
            inner, y, out = (
                self._space.array(f"{name} {level}", len(x), len(layer.second))
                for name in ("inner", "second", "gin")
            )
            one, other = self._seen[level]
            given = self._counts[level], True
            first = normalise(*given, x, layer.inner_scale, layer.inner_shift, *one, inner)
            np.dot(inner, layer.second.T, out=y)
            last = normalise(*given, y, layer.scale, layer.shift, *other, out)
            self._kept.append(((x, first, inner), (y, last, out)))
            rows.append(out)
            h = out
        return rows

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def backward(
        self, grads: Sequence[Floats], made: Sequence[Perceptron], of_input: bool = False
    ) -> Floats | None:
        """Write the gradients of all layers, given those of their rows; return the input's."""
        below: Floats | None = None
        for level in range(len(self.layers) - 1, -1, -1):
            layer, own, given = self.layers[level], made[level], (self._counts[level], True)
            (x, first, inner), (y, last, out) = self._kept[level]
            grad, y_grad, x_grad = (
                self._space.array(name, *x.shape) for name in ("grad", "second grad", "sum grad")
            )
            whole = grads[level] if below is None else np.add(grads[level], below, out=grad)
            affine = back_through_norm(*given, whole, y, layer.scale, last, out, y_grad)
            own.scale[:], own.shift[:] = affine
            np.dot(y_grad.T, inner, out=own.second)
            np.dot(y_grad, layer.second, out=grad)
            affine = back_through_norm(*given, grad, x, layer.inner_scale, first, inner, x_grad)
            own.inner_scale[:], own.inner_shift[:] = affine
            goes_on = level > 0 or of_input
            below = self._filters[level].backward(x_grad, own.first, None, goes_on)
        return below
