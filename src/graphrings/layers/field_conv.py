"""The convolution over receptive fields of PATCHY-SAN."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from graphrings.distances.weighted_rows import WeightedRows
from graphrings.layers.graph_layer import GraphLayer
from graphrings.layers.weighted_sum import weighted_sum


class FieldConv(GraphLayer):
    r"""The first convolution of PATCHY-SAN (Niepert et al., 2016): one step over every field.

    .. math:: H'_f = \sum_{j=0}^{k-1} W_j \, H_{f(j)} + b

    A 1-D convolution with window and stride k over the nodes of all fields, field after field.
    Shapes: ``h`` is (n, in), the result (fields, out). An empty place counts as a row of zeros.

    Args:
        in_features: columns of ``h``.
        out_features: columns of the result.
        size: places of a field, k.

    """

    def __init__(self, in_features: int, out_features: int, size: int) -> None:
        super().__init__()
        self.in_features, self.size = in_features, size
        self.filters = nn.Linear(in_features, size * out_features, bias=False)
        self.bias = nn.Parameter(torch.zeros(out_features))

    def forward(self, h: Tensor, near: WeightedRows) -> Tensor:
        """Filter for every place at once, then add up the places.

        Block j of a row of ``near`` holds the node at place j of a field.
        """
        self.check(h, near, self.size)
        sums = weighted_sum(self.filters(h), near, blocks=True)
        return sums.view(near.n_rows, self.size, -1).sum(1) + self.bias

    def extra_repr(self) -> str:
        """The settings."""
        return f"{self.in_features}, {len(self.bias)}, size={self.size}"
