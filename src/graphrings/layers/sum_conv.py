"""The graph convolution of DGCNN."""

from __future__ import annotations

from torch import Tensor

from graphrings.distances.weighted_rows import WeightedRows
from graphrings.layers.ring_conv import RingConv


class SumConv(RingConv):
    r"""DGCNN's convolution, Eq. (7), which is Eq. (9), without its activation.

    .. math:: H' = \tilde D^{-1} (SP^0 + SP^1) H W

    Rings 0 and 1 are summed under one matrix: they are one ring, the closed neighbourhood, and its
    mean is that of Eq. (10) with this single ring. Shapes: ``h`` is (n, in), the result (n, out).

    Args:
        in_features: columns of ``h``.
        out_features: columns of the result.
        bias: whether the filters have one.

    """

    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        super().__init__(in_features, out_features, radius=0, bias=bias)

    def forward(self, h: Tensor, near: WeightedRows, activation: str = "identity") -> Tensor:
        """Average the closed neighbourhood of every node; ``near`` has radius 1 or is joined."""
        if not (isinstance(near, WeightedRows) and near.width == 1):
            self.check_width(near, 2)
            near = near.joined()
        return super().forward(h, near, activation)

    def extra_repr(self) -> str:
        """The settings."""
        bias = "" if self.filters.bias is not None else ", bias=False"
        return f"{self.in_features}, {self.out_features}{bias}"
