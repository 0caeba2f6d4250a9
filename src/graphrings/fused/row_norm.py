"""Batch normalisation of rows that stand for several nodes, as one step."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from graphrings.compiled import compiled
from graphrings.fused.arrays import Floats

Counts = NDArray[np.int64]
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
        h, seen = h.detach().contiguous(), (seen_mean, seen_variance)
        out, ctx.statistics = normalised(h, weight, bias, seen, counts, relu)
        ctx.save_for_backward(h, weight, out)
        ctx.counts, ctx.relu = counts, relu
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """Every row has its part in the mean and in the variance."""
        h, weight, out = ctx.saved_tensors
        grad = grads[0].contiguous()
        gradients = through_norm(grad, h, weight, ctx.statistics, out, ctx.counts, ctx.relu)
        return *gradients, None, None, None, None


def normalised(
    h: Tensor, weight: Tensor, bias: Tensor, seen: tuple[Tensor, Tensor], counts: Counts, relu: bool
) -> tuple[Tensor, Floats]:
    """The result, and the mean and inverse deviation of every column; ``h`` has no gradient."""
    out = torch.empty_like(h)
    affine = weight.detach().numpy(), bias.detach().numpy()
    statistics = normalise(
        counts, relu, h.numpy(), *affine, seen[0].numpy(), seen[1].numpy(), out.numpy()
    )
    return out, statistics


def through_norm(
    grad: Tensor,
    h: Tensor,
    weight: Tensor,
    statistics: Floats,
    out: Tensor,
    counts: Counts,
    relu: bool,
) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of rows, weights and biases."""
    h_grad, scale = torch.empty_like(h), weight.detach().numpy()
    affine = back_through_norm(
        counts, relu, grad.numpy(), h.numpy(), scale, statistics, out.numpy(), h_grad.numpy()
    )
    weight_grad, bias_grad = torch.from_numpy(affine)
    return h_grad, weight_grad, bias_grad


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
    """Write the result and what was seen; the statistics. Sums are in double precision."""
    n, width = h.shape
    statistics = np.empty((2, width), dtype=h.dtype)
    sums, squares, n_nodes = np.zeros(width), np.zeros(width), 0.0
    for v in range(n):
        n_nodes += counts[v]
        for c in range(width):
            sums[c] += counts[v] * h[v, c]
    for c in range(width):
        sums[c] /= n_nodes
    for v in range(n):
        for c in range(width):
            squares[c] += counts[v] * (h[v, c] - sums[c]) ** 2
    scale, shift = np.empty(width, dtype=h.dtype), np.empty(width, dtype=h.dtype)
    least = np.array([0 if relu else -np.inf]).astype(h.dtype)[0]
    for c in range(width):
        inverse = 1 / np.sqrt(squares[c] / n_nodes + EPSILON)
        statistics[0, c], statistics[1, c] = sums[c], inverse
        scale[c] = weight[c] * inverse
        shift[c] = bias[c] - sums[c] * scale[c]
        seen_mean[c] += MOMENTUM * (sums[c] - seen_mean[c])
        seen_variance[c] += MOMENTUM * (squares[c] / max(1.0, n_nodes - 1) - seen_variance[c])
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
    """Write the gradients of rows; those of weights and biases."""
    # Short loops over few arrays each: the compiler makes vectors of those.
    n, width = h.shape
    zero, least = np.array([0, 0 if relu else -np.inf]).astype(h.dtype)
    whole, along, n_nodes = np.zeros(width), np.zeros(width), 0.0
    for v in range(n):
        n_nodes += counts[v]
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
        count = counts[v]
        for c in range(width):
            h_grad[v, c] = scale[c] * h_grad[v, c] - count * (shift[c] + slope[c] * h[v, c])
    return affine
