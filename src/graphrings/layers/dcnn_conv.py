"""The diffusion-convolution of DCNN."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from graphrings.distances.rings import Rings
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.layers.graph_layer import GraphLayer
from graphrings.layers.weighted_sum import weighted_sum


class DiffusionConv(GraphLayer):
    r"""Atwood and Towsley's diffusion-convolution (2016) without its activation.

    .. math:: Z = \Vert_{j=0}^{H} \, W_j \odot P^j X, \quad P = D^{-1} A

    There is one weight for every hop and feature, and no bias. Shapes: ``h`` is (n, in), the result
    (n, (H + 1) * in). With rings of radius 1 every hop is the mean over neighbours of the hop
    before it; a node without neighbours gets zeros. In weighted rows, block j holds what hop j adds
    up, for a node or for a whole graph: :math:`W_j \odot \frac{1}{N} 1^\top P^j X`.

    Args:
        in_features: columns of ``h``.
        hops: the number of steps, H.

    """

    def __init__(self, in_features: int, hops: int) -> None:
        super().__init__()
        self.in_features, self.hops = in_features, hops
        self.weight = nn.Parameter(torch.ones((hops + 1) * in_features))

    def forward(self, h: Tensor, near: WeightedRows) -> Tensor:
        """Diffuse, lay the hops side by side, weigh every column."""
        if not isinstance(near, Rings) and isinstance(near, WeightedRows):
            self.check(h, near, self.hops + 1)
            return weighted_sum(h, near) * self.weight
        self.check(h, near, 2)
        hops = [h]
        for _ in range(self.hops):
            hops.append(weighted_sum(hops[-1], near)[:, h.shape[1] :])
        return torch.cat(hops, dim=1) * self.weight

    def extra_repr(self) -> str:
        """The settings."""
        return f"{self.in_features}, hops={self.hops}"
