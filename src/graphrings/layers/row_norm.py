"""Batch normalisation of rows that stand for several nodes."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from graphrings.fused.arrays import array_of
from graphrings.fused.lane import takes_fused_lane
from graphrings.fused.row_norm import EPSILON, MOMENTUM, Counts, Seen, row_norm
from graphrings.layers.on_device import on_device_of


class RowNorm(nn.Module):
    """Batch normalisation over nodes: a row counts as often as there are nodes that have it.

    The result is that of ``torch.nn.BatchNorm1d`` on one row per node, and of ReLU after it if
    asked for. Shapes: ``h`` is (n, c), ``counts`` (n,), by default all 1.

    Args:
        width: columns of ``h``.

    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(width)), nn.Parameter(torch.zeros(width))
        self.running_mean: Tensor
        self.running_var: Tensor
        self.register_buffer("running_mean", torch.zeros(width))
        self.register_buffer("running_var", torch.ones(width))

    def forward(self, h: Tensor, counts: Counts | None = None, relu: bool = False) -> Tensor:
        """Normalise by the batch in training, by what was seen on the way afterwards."""
        mean, variance = self.running_mean, self.running_var
        if self.training:
            counts = np.ones(len(h), dtype=np.int64) if counts is None else counts
            if takes_fused_lane(h):
                return row_norm(h, (self.weight, self.bias), (mean, variance), counts, relu)
            h = h.to(self.weight.dtype)  # autocast leaves norms in full precision
            mean, variance = self._statistics(h, counts)
        scale = self.weight / (variance + EPSILON).sqrt()
        out = h * scale + (self.bias - mean * scale)
        return functional.relu(out) if relu else out

    def seen(self) -> Seen:
        """The mean and the variance that it has seen, in the memory of its buffers."""
        return array_of(self.running_mean), array_of(self.running_var)

    def _statistics(self, h: Tensor, counts: Counts) -> tuple[Tensor, Tensor]:
        """The mean and the variance of every column; what was seen moves towards them."""
        n_nodes = int(counts.sum())
        parts = on_device_of(h, counts).to(h.dtype)[:, None] / n_nodes
        mean = (parts * h).sum(0)
        variance = (parts * (h - mean).square()).sum(0)
        self.running_mean.lerp_(mean.detach(), MOMENTUM)
        unbiased = variance.detach() * (n_nodes / max(1, n_nodes - 1))
        self.running_var.lerp_(unbiased, MOMENTUM)
        return mean, variance

    def extra_repr(self) -> str:
        """The settings."""
        return f"{len(self.weight)}"
