"""Batch normalisation of rows that stand for several nodes."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn


class RowNorm(nn.BatchNorm1d):
    """Batch normalisation over nodes: a row counts as often as there are nodes that have it.

    The result is that of ``torch.nn.BatchNorm1d`` on one row a node. Shapes: ``h`` is (n, c),
    ``counts`` (n,), by default all 1.
    """

    def forward(self, h: Tensor, counts: NDArray[np.int64] | None = None) -> Tensor:
        """Normalise by the batch in training, by what was seen on the way afterwards."""
        assert self.running_mean is not None
        assert self.running_var is not None
        mean, variance = self.running_mean, self.running_var
        if self.training:
            shares = torch.ones(len(h)) if counts is None else torch.from_numpy(counts)
            n_nodes = float(shares.sum())
            shares = (shares / n_nodes).to(h)
            mean = shares @ h
            variance = shares @ (h - mean).square()
            self._remember(mean.detach(), variance.detach() * (n_nodes / max(1.0, n_nodes - 1)))
        scale = self.weight / (variance + self.eps).sqrt()
        return h * scale + (self.bias - mean * scale)

    def _remember(self, mean: Tensor, variance: Tensor) -> None:
        assert self.momentum is not None
        self.running_mean.lerp_(mean, self.momentum)  # type: ignore[union-attr]
        self.running_var.lerp_(variance, self.momentum)  # type: ignore[union-attr]
        self.num_batches_tracked.add_(1)  # type: ignore[union-attr]
