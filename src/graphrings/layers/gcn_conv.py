"""The graph convolution of GCN."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from graphrings.distances.rings import Rings
from graphrings.layers.sum_conv import SumConv


class GCNConv(nn.Module):
    r"""Kipf and Welling's convolution, Eq. (6), without its activation.

    .. math:: H' = \tilde D^{-1/2} \tilde A \tilde D^{-1/2} H W

    The symmetric normalisation is a mean over the closed neighbourhood between two scalings:
    :math:`\tilde D^{1/2} (\tilde D^{-1} \tilde A) \tilde D^{-1/2}`. Shapes: ``h`` is (n, in), the
    result (n, out); ``rings`` have radius 1.
    """

    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        super().__init__()
        self.mean = SumConv(in_features, out_features, bias=False)
        self.bias = nn.Parameter(torch.zeros(out_features)) if bias else None

    def forward(self, h: Tensor, rings: Rings) -> Tensor:
        """Scale, average, scale back."""
        degrees = rings.sizes.sum(axis=1).astype(np.float64)  # of A + I
        root = torch.from_numpy(np.sqrt(degrees)).to(h).unsqueeze(1)
        out: Tensor = root * self.mean(h / root, rings)
        return out if self.bias is None else out + self.bias
