"""Batch normalisation of rows that stand for several nodes."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from graphrings.compiled import compiled
from graphrings.layers.kernels import Floats

Counts = NDArray[np.int64]


class RowNorm(nn.BatchNorm1d):
    """Batch normalisation over nodes: a row counts as often as there are nodes that have it.

    The result is that of ``torch.nn.BatchNorm1d`` on one row a node, and of ReLU after it if asked
    for. Shapes: ``h`` is (n, c), ``counts`` (n,), by default all 1.
    """

    def forward(self, h: Tensor, counts: Counts | None = None, relu: bool = False) -> Tensor:
        """Normalise by the batch in training, by what was seen on the way afterwards."""
        mean, variance = self.running_mean, self.running_var
        assert mean is not None
        assert variance is not None
        if self.training:
            counts = np.ones(len(h), dtype=np.int64) if counts is None else counts
            n_nodes = int(counts.sum())
            if h.device.type == "cpu":
                out, mean, variance = Normalised.apply(
                    h, self.weight, self.bias, counts, self.eps, relu
                )
                self._remember(mean, variance, n_nodes)
                return out  # type: ignore[no-any-return]
            shares = torch.from_numpy(counts / n_nodes).to(h)
            mean = shares @ h
            variance = shares @ (h - mean).square()
            self._remember(mean.detach(), variance.detach(), n_nodes)
        scale = self.weight / (variance + self.eps).sqrt()
        out = h * scale + (self.bias - mean * scale)
        return functional.relu(out) if relu else out

    def _remember(self, mean: Tensor, variance: Tensor, n_nodes: int) -> None:
        assert self.momentum is not None
        unbiased = variance * (n_nodes / max(1, n_nodes - 1))
        self.running_mean.lerp_(mean, self.momentum)  # type: ignore[union-attr]
        self.running_var.lerp_(unbiased, self.momentum)  # type: ignore[union-attr]
        self.num_batches_tracked.add_(1)  # type: ignore[union-attr]


class Normalised(torch.autograd.Function):
    """The norm of a batch in training, and ReLU, as one step on the CPU."""

    @staticmethod
    def forward(
        ctx: Any, h: Tensor, weight: Tensor, bias: Tensor, counts: Counts, eps: float, relu: bool
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The result, and the mean and the variance of every column."""
        h, out = h.contiguous(), torch.empty_like(h)
        mean, variance = torch.empty_like(weight), torch.empty_like(weight)
        normalise(counts, eps, relu, *_arrays(h, weight, bias, mean, variance, out))
        ctx.save_for_backward(h, weight, mean, variance, out)
        ctx.counts, ctx.eps, ctx.relu = counts, eps, relu
        ctx.mark_non_differentiable(mean, variance)
        return out, mean, variance

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """Every row has its share in the mean and in the variance."""
        h, weight, mean, variance, out = ctx.saved_tensors
        grad = grads[0].contiguous()
        found = torch.empty_like(h), torch.empty_like(weight), torch.empty_like(weight)
        arrays = _arrays(grad, h, weight, mean, variance, out, *found)
        back_through_norm(ctx.counts, ctx.eps, ctx.relu, *arrays)
        return *found, None, None, None


def _arrays(*tensors: Tensor) -> tuple[Any, ...]:
    return tuple(tensor.detach().numpy() for tensor in tensors)


@compiled
def normalise(
    counts: Counts,
    eps: float,
    relu: bool,
    h: Floats,
    weight: Floats,
    bias: Floats,
    mean: Floats,
    variance: Floats,
    out: Floats,
) -> None:
    """Write means, variances and results; sums are in double precision."""
    n, width = h.shape
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
    for c in range(width):
        mean[c], variance[c] = sums[c], squares[c] / n_nodes
        scale[c] = weight[c] / np.sqrt(squares[c] / n_nodes + eps)
        shift[c] = bias[c] - sums[c] * scale[c]
    for v in range(n):
        for c in range(width):
            value = h[v, c] * scale[c] + shift[c]
            out[v, c] = 0 if relu and value < 0 else value


@compiled
def back_through_norm(
    counts: Counts,
    eps: float,
    relu: bool,
    grad: Floats,
    h: Floats,
    weight: Floats,
    mean: Floats,
    variance: Floats,
    out: Floats,
    h_grad: Floats,
    weight_grad: Floats,
    bias_grad: Floats,
) -> None:
    """Write the gradients of rows, weights and biases."""
    n, width = h.shape
    whole, along, n_nodes = np.zeros(width), np.zeros(width), 0.0
    inverse = np.empty(width, dtype=h.dtype)
    for c in range(width):
        inverse[c] = 1 / np.sqrt(variance[c] + eps)
    for v in range(n):
        n_nodes += counts[v]
        for c in range(width):
            passed = 0 if relu and out[v, c] <= 0 else grad[v, c]
            h_grad[v, c] = passed
            whole[c] += passed
            along[c] += passed * ((h[v, c] - mean[c]) * inverse[c])
    scale = np.empty(width, dtype=h.dtype)
    one, other = np.empty(width, dtype=h.dtype), np.empty(width, dtype=h.dtype)
    for c in range(width):
        weight_grad[c], bias_grad[c] = along[c], whole[c]
        scale[c] = weight[c] * inverse[c]
        one[c], other[c] = whole[c] / n_nodes, along[c] / n_nodes * inverse[c]
    for v in range(n):
        for c in range(width):
            share = counts[v] * (one[c] + (h[v, c] - mean[c]) * other[c])
            h_grad[v, c] = scale[c] * (h_grad[v, c] - share)
