"""The graph convolution of NN4G."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from graphrings.distances.rings import Rings
from graphrings.distances.weights import summed
from graphrings.layers.activations import ACTIVATIONS
from graphrings.layers.ring_sum import ring_sum


class NN4GConv(nn.Module):
    r"""Micheli's convolution, Eq. (5), without its activation.

    .. math:: H^{i+1} = X \bar W^{i+1} + \sum_{k=1}^{i} A H^k \hat W^{i+1,k}

    Shapes: ``x`` is (n, d); ``h``, all layers before side by side, (n, in); the result (n, out).
    ``rings`` have radius 1 and may have counts for weights. A node without neighbours sees X alone.
    """

    def __init__(self, n_features: int, in_features: int, out_features: int) -> None:
        super().__init__()
        self.own = nn.Linear(n_features, out_features)
        self.others = nn.Linear(in_features, out_features, bias=False)

    def forward(self, x: Tensor, h: Tensor, rings: Rings, activation: str = "identity") -> Tensor:
        """Filter; ring 0 brings the node's own features, ring 1 adds up its neighbours' layers."""
        if rings.radius != 1:
            raise ValueError(f"rings of radius {rings.radius}; Eq. (5) sees radius 1")
        rows = torch.cat([self.own(x), self.others(h)], dim=1)
        near = summed(rings) if rings.shares is None else rings
        own, others = ring_sum(rows, near, blocks=True).chunk(2, dim=1)
        return ACTIVATIONS[activation](own + others)
