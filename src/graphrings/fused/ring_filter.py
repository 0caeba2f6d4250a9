"""A ring convolution as one step: dense product, weighted sums, activation."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from graphrings.compiled import compiled, inlined
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.arrays import Floats, array_of, weighted_arrays
from graphrings.fused.workspace import Workspace

WITHIN = ("identity", "tanh", "relu")  # the activations that the step includes


def ring_filter(
    h: Tensor, weight: Tensor, bias: Tensor | None, near: WeightedRows, activation: str
) -> Tensor:
    """What ``RingConv`` computes, with one of the activations ``WITHIN``."""
    out: Tensor = RingFilter.apply(h, weight, bias, near, activation)
    return out


class RingFilter(torch.autograd.Function):
    """``FilterPass`` for autograd."""

    @staticmethod
    def forward(
        ctx: Any,
        h: Tensor,
        weight: Tensor,
        bias: Tensor | None,
        near: WeightedRows,
        activation: str,
    ) -> Tensor:
        """The convolution."""
        filters = array_of(weight), None if bias is None else array_of(bias)
        ctx.filters = FilterPass(*filters, activation, Workspace(filters[0].dtype))
        return torch.from_numpy(ctx.filters.forward(array_of(h), near))

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """The same steps backwards."""
        weight, bias = map(np.empty_like, (ctx.filters.weight, ctx.filters.bias))
        made = weight, bias if ctx.needs_input_grad[2] else None
        h = ctx.filters.backward(array_of(grads[0]), *made, ctx.needs_input_grad[0])
        arrays = h, *made, None, None
        return tuple(None if array is None else torch.from_numpy(array) for array in arrays)


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

    def forward(self, h: Floats, near: WeightedRows) -> Floats:
        """Row u of the product is what node u looks like from ring 0, 1, ..., r."""
        self._h, self._arrays = h, weighted_arrays(near, self.weight.dtype)
        rows = self._space.array("rows", len(h), len(self.weight))
        self._out = out = self._space.array(f"{self._name} out", near.n_rows, len(self.weight))
        np.dot(h, self.weight.T, out=rows)
        gather(rows, self.bias, *self._arrays, out)
        if self._activation == "relu":
            np.maximum(out, 0, out=out)
        if self._activation == "tanh":
            torch.from_numpy(out).tanh_()
        return out

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


@inlined
def gather(
    rows: Floats,
    bias: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    weights: Floats,
    width: int,
    out: Floats,
) -> None:
    """Block j of out[v] = the weighted sum of block j of rows[u] over block j's members u.

    ``rows`` and ``out`` have ``width`` blocks of columns. A block with members gets the bias, as if
    it stood inside a mean.
    """
    columns = out.shape[1] // width
    for v in range(len(out)):
        for j in range(width):
            here = j * columns
            first, last = indptr[v * width + j], indptr[v * width + j + 1]
            if first == last:
                for c in range(columns):
                    out[v, here + c] = 0
                continue
            u, weight = indices[first], weights[first]
            for c in range(columns):
                out[v, here + c] = bias[here + c] + weight * rows[u, here + c]
            # Two members at a time, added one after the other: the same sums in fewer passes.
            for e in range(first + 1, last - 1, 2):
                u, weight = indices[e], weights[e]
                w, other = indices[e + 1], weights[e + 1]
                for c in range(columns):
                    total = out[v, here + c] + weight * rows[u, here + c]
                    out[v, here + c] = total + other * rows[w, here + c]
            if (last - first) % 2 == 0:
                u, weight = indices[last - 1], weights[last - 1]
                for c in range(columns):
                    out[v, here + c] += weight * rows[u, here + c]


@inlined
def scatter(
    grad: Floats,
    out: Floats,
    tanh: bool,
    behind: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    weights: Floats,
    width: int,
    rows_grad: Floats,
    bias_grad: Floats,
) -> None:
    """The transpose of ``gather``: hand the gradient of every block to its members.

    If ``tanh`` was applied, with the results ``out``, the gradient goes through it first. The
    columns of ``behind`` come behind those of the blocks.
    """
    columns = grad.shape[1] // width
    for u in range(len(rows_grad)):
        for c in range(grad.shape[1]):
            rows_grad[u, c] = 0
        for c in range(behind.shape[1]):
            rows_grad[u, grad.shape[1] + c] = behind[u, c]
    bias_grad[:] = 0
    inner = np.empty(columns, dtype=grad.dtype)
    for v in range(len(grad)):
        for j in range(width):
            here = j * columns
            first, last = indptr[v * width + j], indptr[v * width + j + 1]
            if first == last:
                continue
            for c in range(columns):
                inner[c] = grad[v, here + c]
                if tanh:
                    inner[c] *= 1 - out[v, here + c] * out[v, here + c]
                bias_grad[here + c] += inner[c]
            for e in range(first, last):
                u, weight = indices[e], weights[e]
                for c in range(columns):
                    rows_grad[u, here + c] += weight * inner[c]
