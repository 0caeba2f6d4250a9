"""The convolution over receptive fields of PATCHY-SAN."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from graphrings.distances.rings import Rings
from graphrings.layers.ring_sum import ring_sum


class FieldConv(nn.Module):
    r"""The first convolution of PATCHY-SAN (Niepert et al., 2016): one step over every field.

    .. math:: H'_f = \sum_{j=0}^{k-1} W_j \, H_{f(j)} + b

    A 1-D convolution with kernel and stride k over the nodes of all fields, field after field.
    Shapes: ``h`` is (n, in), the result (fields, out). Ring j of ``rings`` holds the node at place
    j of a field; an empty place counts as a row of zeros.
    """

    def __init__(self, in_features: int, out_features: int, size: int) -> None:
        super().__init__()
        self.size = size
        self.filters = nn.Linear(in_features, size * out_features, bias=False)
        self.bias = nn.Parameter(torch.zeros(out_features))

    def forward(self, h: Tensor, rings: Rings) -> Tensor:
        """Filter for every place at once, then add up the places."""
        if rings.radius + 1 != self.size:
            raise ValueError(f"fields of {rings.radius + 1} places for filters of {self.size}")
        sums = ring_sum(self.filters(h), rings, blocks=True)
        return sums.view(rings.n_nodes, self.size, -1).sum(1) + self.bias
