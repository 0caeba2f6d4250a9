"""Attention inside every block as one step."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from graphrings.compiled import compiled
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.arrays import Floats, arrays_of


def fused_attention(
    h: Tensor, weight: Tensor, theta: Tensor, bias: Tensor, near: WeightedRows, slope: float
) -> Tensor:
    """What ``attention`` computes."""
    out: Tensor = RingAttention.apply(h, weight, theta, bias, near, slope)
    return out


class RingAttention(torch.autograd.Function):
    """The dense product, the softmax and the sums as one step."""

    @staticmethod
    def forward(
        ctx: Any,
        h: Tensor,
        weight: Tensor,
        theta: Tensor,
        bias: Tensor,
        near: WeightedRows,
        slope: float,
    ) -> Tensor:
        """Row u of the product is what node u looks like from every block, to every head."""
        rows = h @ weight.t()
        width, heads, _ = theta.shape
        logits = rows.new_empty((2, len(rows), width * heads))
        attention = rows.new_empty((len(near.indices), heads))
        own = near.own
        out = rows.new_empty((len(own), len(bias)))
        number = rows.numpy().dtype.type
        pair_logits(rows.numpy(), theta.contiguous().numpy(), logits.numpy())
        attend(
            rows.numpy(),
            logits.numpy(),
            bias.numpy(),
            *arrays_of(near, rows),
            own,
            number(slope),
            attention.numpy(),
            out.numpy(),
        )
        ctx.save_for_backward(h, weight, theta, rows, logits, attention)
        ctx.near, ctx.own, ctx.slope = near, own, number(slope)
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """The same steps backwards."""
        h, weight, theta, rows, logits, attention = ctx.saved_tensors
        grad = grads[0].contiguous()
        rows_grad, logits_grad = torch.zeros_like(rows), torch.zeros_like(logits)
        theta_grad, bias_grad = torch.zeros_like(theta), grad.new_zeros(grad.shape[1])
        attend_backward(
            grad.numpy(),
            rows.numpy(),
            logits.numpy(),
            attention.numpy(),
            ctx.near.indptr,
            ctx.near.indices,
            ctx.own,
            ctx.near.width,
            ctx.slope,
            rows_grad.numpy(),
            logits_grad.numpy(),
            bias_grad.numpy(),
        )
        pair_logits_backward(
            rows.numpy(),
            theta.contiguous().numpy(),
            logits_grad.numpy(),
            rows_grad.numpy(),
            theta_grad.numpy(),
        )
        below = rows_grad @ weight if ctx.needs_input_grad[0] else None
        return below, rows_grad.t() @ h, theta_grad, bias_grad, None, None


@compiled
def pair_logits(rows: Floats, theta: Floats, logits: Floats) -> None:
    """logits[0, v] = what v adds to theta's logits for itself, logits[1, v] as a member."""
    heads, columns = theta.shape[1], theta.shape[2] // 2
    for v in range(len(rows)):
        for i in range(logits.shape[2]):
            mine, theirs = logits.dtype.type(0), logits.dtype.type(0)
            for c in range(columns):
                value = rows[v, i * columns + c]
                mine += theta[i // heads, i % heads, c] * value
                theirs += theta[i // heads, i % heads, columns + c] * value
            logits[0, v, i], logits[1, v, i] = mine, theirs


@compiled
def pair_logits_backward(
    rows: Floats, theta: Floats, grad: Floats, rows_grad: Floats, theta_grad: Floats
) -> None:
    """Add the gradients of the logits to those of rows and theta."""
    heads, columns = theta.shape[1], theta.shape[2] // 2
    for v in range(len(rows)):
        for i in range(grad.shape[2]):
            j, k = i // heads, i % heads
            mine, theirs = grad[0, v, i], grad[1, v, i]
            for c in range(columns):
                value = rows[v, i * columns + c]
                rows_grad[v, i * columns + c] += (
                    mine * theta[j, k, c] + theirs * theta[j, k, columns + c]
                )
                theta_grad[j, k, c] += mine * value
                theta_grad[j, k, columns + c] += theirs * value


@compiled
def attend(
    rows: Floats,
    logits: Floats,
    bias: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    counts: Floats,
    width: int,
    own: NDArray[np.int32],
    slope: float,
    attention: Floats,
    out: Floats,
) -> None:
    """Softmax over the members of every block, for every head, and the sums by what it gives.

    The largest logit is taken off first, so that no exponential is too large.
    """
    heads = attention.shape[1]
    columns = rows.shape[1] // (width * heads)
    block = len(bias) // width  # heads * columns, or columns where the heads are averaged
    step = columns if block > columns else 0
    scale = heads if step == 0 else 1
    most, total = np.empty(heads, dtype=rows.dtype), np.empty(heads, dtype=rows.dtype)
    for v in range(len(own)):
        for j in range(width):
            first, last = indptr[v * width + j], indptr[v * width + j + 1]
            for c in range(block):
                out[v, j * block + c] = bias[j * block + c] if last > first else 0
            most[:], total[:] = -np.inf, 0
            for e in range(first, last):
                for k in range(heads):
                    z = logits[0, own[v], j * heads + k] + logits[1, indices[e], j * heads + k]
                    z = z if z > 0 else z * slope
                    attention[e, k] = z
                    most[k] = max(most[k], z)
            for e in range(first, last):
                for k in range(heads):
                    attention[e, k] = counts[e] * np.exp(attention[e, k] - most[k])
                    total[k] += attention[e, k]
            for e in range(first, last):
                u = indices[e]
                for k in range(heads):
                    attention[e, k] /= total[k]
                    weight = attention[e, k] / rows.dtype.type(scale)
                    here, there = j * block + k * step, (j * heads + k) * columns
                    for c in range(columns):
                        out[v, here + c] += weight * rows[u, there + c]


@compiled
def attend_backward(
    grad: Floats,
    rows: Floats,
    logits: Floats,
    attention: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    own: NDArray[np.int32],
    width: int,
    slope: float,
    rows_grad: Floats,
    logits_grad: Floats,
    bias_grad: Floats,
) -> None:
    """Hand the gradient of every block to its members, by their attention and through softmax."""
    heads = attention.shape[1]
    columns = rows.shape[1] // (width * heads)
    block = grad.shape[1] // width
    step = columns if block > columns else 0
    scale = rows.dtype.type(heads if step == 0 else 1)
    longest = 0
    for row in range(len(indptr) - 1):
        longest = max(longest, indptr[row + 1] - indptr[row])
    inner = np.empty((longest, heads), dtype=rows.dtype)  # the gradient of every attention
    mean = np.empty(heads, dtype=rows.dtype)
    for v in range(len(own)):
        for j in range(width):
            first, last = indptr[v * width + j], indptr[v * width + j + 1]
            if first == last:
                continue
            for c in range(block):
                bias_grad[j * block + c] += grad[v, j * block + c]
            mean[:] = 0
            for e in range(first, last):
                u = indices[e]
                for k in range(heads):
                    here, there = j * block + k * step, (j * heads + k) * columns
                    weight, product = attention[e, k] / scale, rows.dtype.type(0)
                    for c in range(columns):
                        rows_grad[u, there + c] += weight * grad[v, here + c]
                        product += rows[u, there + c] * grad[v, here + c]
                    inner[e - first, k] = product / scale
                    mean[k] += attention[e, k] * inner[e - first, k]
            for e in range(first, last):
                u = indices[e]
                for k in range(heads):
                    i = j * heads + k
                    z_grad = attention[e, k] * (inner[e - first, k] - mean[k])
                    if logits[0, own[v], i] + logits[1, u, i] <= 0:
                        z_grad *= slope
                    logits_grad[0, own[v], i] += z_grad
                    logits_grad[1, u, i] += z_grad
