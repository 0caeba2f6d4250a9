"""A ring convolution as one step: dense product, weighted sums, activation."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from graphrings.compiled import compiled, inlined
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.arrays import Floats, arrays_of
from graphrings.hardware import SPAN, put_span, span
from graphrings.loops import ONE, ZERO, U

LONG = U(SPAN)
WITHIN = ("identity", "tanh", "relu")  # the activations that the step includes


def ring_filter(
    h: Tensor, weight: Tensor, bias: Tensor | None, near: WeightedRows, activation: str
) -> Tensor:
    """What ``RingConv`` computes, with one of the activations ``WITHIN``."""
    out: Tensor = RingFilter.apply(h, weight, bias, near, activation)
    return out


class RingFilter(torch.autograd.Function):
    """The dense product, the weighted sums and the activation of RingConv as one step."""

    @staticmethod
    def forward(
        ctx: Any,
        h: Tensor,
        weight: Tensor,
        bias: Tensor | None,
        near: WeightedRows,
        activation: str,
    ) -> Tensor:
        """Row u of the product is what node u looks like from ring 0, 1, ..., r."""
        out = gathered(h @ weight.t(), weight.shape[0], bias, near, activation == "tanh")
        if activation == "relu":
            out.relu_()
        ctx.save_for_backward(h, weight, out)
        ctx.near, ctx.has_bias, ctx.activation = near, bias is not None, activation
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """The same steps backwards."""
        h, weight, out = ctx.saved_tensors
        nothing = h.new_empty((h.shape[0], 0))
        grad = grads[0] * (out > 0) if ctx.activation == "relu" else grads[0].contiguous()
        rows, bias = scattered(grad, out, nothing, ctx.near, ctx.activation == "tanh")
        return (
            rows @ weight if ctx.needs_input_grad[0] else None,
            rows.t() @ h,
            bias if ctx.has_bias else None,
            None,
            None,
        )


def gathered(
    rows: Tensor, width: int, bias: Tensor | None, near: WeightedRows, tanh: bool
) -> Tensor:
    """The weighted sums of the first ``width`` columns over every block, and tanh."""
    out = rows.new_empty((near.n_rows, width))
    added = rows.new_zeros(width) if bias is None else bias
    gather(rows.numpy(), added.numpy(), *arrays_of(near, rows), out.numpy())
    return out.tanh_() if tanh else out


def scattered(
    grad: Tensor, out: Tensor, behind: Tensor, near: WeightedRows, tanh: bool
) -> tuple[Tensor, Tensor]:
    """The gradients of the rows, ``behind`` in the columns after the blocks, and of the bias."""
    # Dense products are faster in torch's memory than in numpy's: it begins at 64 bytes.
    rows = grad.new_empty((behind.shape[0], grad.shape[1] + behind.shape[1]))
    bias = grad.new_empty(grad.shape[1])
    arrays = grad.numpy(), out.numpy(), tanh, behind.numpy(), *arrays_of(near, grad)
    scatter(*arrays, rows.numpy(), bias.numpy())
    return rows, bias


@compiled
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
    for v in range(U(len(out))):
        gather_row(rows, bias, indptr, indices, weights, U(width), v, out)


@inlined
def gather_row(
    rows: Floats,
    bias: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    weights: Floats,
    width: np.uint64,
    v: int | np.uint64,
    out: Floats,
) -> None:
    """The same for one row."""
    n_given, n_columns = U(rows.shape[1]), U(out.shape[1])
    columns = n_columns // width
    for j in range(width):
        here, end = j * columns, (j + ONE) * columns
        rest = here + columns // LONG * LONG
        first, last = U(indptr[v * width + j]), U(indptr[v * width + j + ONE])
        if first == last:
            for c in range(here, end):
                out[v, c] = 0
            continue
        for c in range(here, rest, LONG):
            total = span(bias, c)
            for e in range(first, last):
                total = total + weights[e] * span(rows, U(indices[e]) * n_given + c)
            put_span(out, v * n_columns + c, total)
        if rest == end:
            continue
        for c in range(rest, end):
            out[v, c] = bias[c]
        for e in range(first, last):
            u, weight = U(indices[e]), weights[e]
            for c in range(rest, end):
                out[v, c] += weight * rows[u, c]


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
    columns = grad.shape[1]
    rows_grad[:], rows_grad[:, columns:], bias_grad[:] = 0, behind, 0
    inner = np.empty(columns // width, dtype=grad.dtype)
    hand_out(grad, out, tanh, indptr, indices, weights, width, inner, rows_grad, bias_grad)


@compiled
def hand_out(
    grad: Floats,
    out: Floats,
    tanh: bool,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    weights: Floats,
    width: int,
    inner: Floats,
    rows_grad: Floats,
    bias_grad: Floats,
) -> None:
    """Add the gradient of every block to its members and to the bias; ``inner`` holds a block."""
    n_given, blocks, columns = U(rows_grad.shape[1]), U(width), U(len(inner))
    in_spans = columns // LONG * LONG
    for v in range(U(len(grad))):
        for j in range(blocks):
            here = j * columns
            first, last = U(indptr[v * blocks + j]), U(indptr[v * blocks + j + ONE])
            if first == last:
                continue
            for c in range(columns):
                inner[c] = grad[v, here + c]
                if tanh:
                    inner[c] *= 1 - out[v, here + c] * out[v, here + c]
                bias_grad[here + c] += inner[c]
            for c in range(ZERO, in_spans, LONG):
                given = span(inner, c)
                for e in range(first, last):
                    place = U(indices[e]) * n_given + here + c
                    put_span(rows_grad, place, span(rows_grad, place) + weights[e] * given)
            if in_spans == columns:
                continue
            for e in range(first, last):
                w, weight = U(indices[e]), weights[e]
                for c in range(in_spans, columns):
                    rows_grad[w, here + c] += weight * inner[c]
