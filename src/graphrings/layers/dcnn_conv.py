"""The diffusion-convolution of DCNN."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from graphrings.distances.rings import Rings
from graphrings.layers.ring_sum import ring_sum


class DiffusionConv(nn.Module):
    r"""Atwood and Towsley's diffusion-convolution (2016) without its activation.

    .. math:: Z = \Vert_{j=0}^{H} \, W_j \odot P^j X, \quad P = D^{-1} A

    One weight for every hop and feature; there is no bias. Shapes: ``h`` is (n, in), the result
    (n, (H + 1) * in). With ``rings`` of radius 1 every hop is the mean over neighbours of the hop
    before it; a node without neighbours gets zeros. With rings that have weights, ring j holds what
    hop j adds up, for a node or for a whole graph: :math:`W_j \odot \frac{1}{N} 1^\top P^j X`.
    """

    def __init__(self, in_features: int, hops: int) -> None:
        super().__init__()
        self.hops = hops
        self.weight = nn.Parameter(torch.ones((hops + 1) * in_features))

    def forward(self, h: Tensor, rings: Rings) -> Tensor:
        """Diffuse, lay the hops side by side, weigh every column."""
        if rings.shares is not None:
            return ring_sum(h, rings) * self.weight
        hops = [h]
        for _ in range(self.hops):
            hops.append(ring_sum(hops[-1], rings)[:, h.shape[1] :])
        return torch.cat(hops, dim=1) * self.weight
