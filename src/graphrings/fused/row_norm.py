"""Batch normalisation of rows that stand for several nodes, as one step."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from graphrings.compiled import compiled
from graphrings.fused.arrays import Floats, array_of

Counts = NDArray[np.int64]
Seen = tuple[Floats, Floats]  # the running mean and variance of every column
EPSILON, MOMENTUM = 1e-5, 0.1  # as torch has them


def row_norm(
    h: Tensor,
    affine: tuple[Tensor, Tensor],
    seen: tuple[Tensor, Tensor],
    counts: Counts,
    relu: bool,
) -> Tensor:
    """What ``RowNorm`` computes in training; ``seen`` moves towards the batch."""
    out: Tensor = Normalised.apply(h, *affine, *seen, counts, relu)
    return out


class Normalised(torch.autograd.Function):
    """The norm of a batch in training, and ReLU, as one step."""

    @staticmethod
    def forward(
        ctx: Any,
        h: Tensor,
        weight: Tensor,
        bias: Tensor,
        seen_mean: Tensor,
        seen_variance: Tensor,
        counts: Counts,
        relu: bool,
    ) -> Tensor:
        """Also move what was seen towards the mean and the variance of this batch."""
        rows, scale, seen = array_of(h), array_of(weight), (seen_mean, seen_variance)
        out = torch.empty(h.shape, dtype=h.dtype).numpy()
        arrays = rows, scale, array_of(bias), *map(array_of, seen), out
        ctx.kept = rows, scale, normalise(counts, relu, *arrays), out
        ctx.counts, ctx.relu = counts, relu
        return torch.from_numpy(out)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """Every row has its part in the mean and in the variance."""
        grad = grads[0].contiguous()
        h_grad = torch.empty_like(grad)
        kept = grad.numpy(), *ctx.kept, h_grad.numpy()
        affine = back_through_norm(ctx.counts, ctx.relu, *kept)
        return h_grad, *map(torch.from_numpy, affine), None, None, None, None


@compiled
def normalise(
    counts: Counts,
    relu: bool,
    h: Floats,
    weight: Floats,
    bias: Floats,
    seen_mean: Floats,
    seen_variance: Floats,
    out: Floats,
) -> Floats:
    """Write the result and what was seen; the statistics. Sums are in double precision.

    Without counts the statistics are what was seen, which stays as it is.
    """
    n, width = h.shape
    statistics = np.empty((2, width), dtype=h.dtype)
    means, squares, n_nodes = np.zeros(width), np.zeros(width), 0.0
    for v in range(len(counts)):
        n_nodes += counts[v]
        for c in range(width):
            means[c] += counts[v] * h[v, c]
    for c in range(width):
        means[c] /= n_nodes
    for v in range(len(counts)):
        for c in range(width):
            squares[c] += counts[v] * (h[v, c] - means[c]) ** 2
    scale, shift = np.empty(width, dtype=h.dtype), np.empty(width, dtype=h.dtype)
    least = np.array([0 if relu else -np.inf]).astype(h.dtype)[0]
    for c in range(width):
        mean, variance = means[c], squares[c] / n_nodes
        if len(counts):
            seen_mean[c] += MOMENTUM * (mean - seen_mean[c])
            seen_variance[c] += MOMENTUM * (squares[c] / max(1.0, n_nodes - 1) - seen_variance[c])
        else:
            mean, variance = np.float64(seen_mean[c]), np.float64(seen_variance[c])
        inverse = 1 / np.sqrt(variance + EPSILON)
        statistics[0, c], statistics[1, c] = mean, inverse
        scale[c] = weight[c] * inverse
        shift[c] = bias[c] - mean * scale[c]
    for v in range(n):
        for c in range(width):
            value = h[v, c] * scale[c] + shift[c]
            out[v, c] = value if value > least else least
    return statistics


@compiled
def back_through_norm(
    counts: Counts,
    relu: bool,
    grad: Floats,
    h: Floats,
    weight: Floats,
    statistics: Floats,
    out: Floats,
    h_grad: Floats,
) -> Floats:
    """Write the gradients of rows; those of weights and biases.

    Without counts no row has a part in the statistics, as if there were nodes without end.
    """
    # Short loops over few arrays each: the compiler makes vectors of those.
    n, width = h.shape
    zero, least = np.array([0, 0 if relu else -np.inf]).astype(h.dtype)
    whole, along = np.zeros(width), np.zeros(width)
    n_nodes = 0.0 if len(counts) else np.inf
    for v in range(n):
        n_nodes += counts[v] if len(counts) else 0
        for c in range(width):
            h_grad[v, c] = grad[v, c] if out[v, c] > least else zero
        for c in range(width):
            whole[c] += h_grad[v, c]
        for c in range(width):
            along[c] += h_grad[v, c] * h[v, c]
    scale, shift = np.empty(width, dtype=h.dtype), np.empty(width, dtype=h.dtype)
    slope, affine = np.empty(width, dtype=h.dtype), np.empty((2, width), dtype=h.dtype)
    for c in range(width):
        mean, inverse = statistics[0, c], statistics[1, c]
        affine[0, c], affine[1, c] = (along[c] - mean * whole[c]) * inverse, whole[c]
        scale[c] = weight[c] * inverse
        slope[c] = scale[c] * inverse * affine[0, c] / n_nodes
        shift[c] = scale[c] * whole[c] / n_nodes - mean * slope[c]
    for v in range(n):
        count = counts[v] if len(counts) else 0
        for c in range(width):
            h_grad[v, c] = scale[c] * h_grad[v, c] - count * (shift[c] + slope[c] * h[v, c])
    return affine
