"""The graph convolution of DGCNN."""

from __future__ import annotations

from torch import Tensor

from graphrings.distances.rings import Rings
from graphrings.layers.ring_conv import RingConv


class SumConv(RingConv):
    r"""DGCNN's convolution, Eq. (7), which is Eq. (9), without its activation.

    .. math:: H' = \tilde D^{-1} (SP^0 + SP^1) H W

    Rings 0 and 1 are summed under one matrix: they are one ring, the closed neighbourhood, and its
    mean is that of Eq. (10) with this single ring. Shapes: ``h`` is (n, in), the result (n, out).
    """

    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        super().__init__(in_features, out_features, radius=0, bias=bias)

    def forward(self, h: Tensor, rings: Rings, activation: str = "identity") -> Tensor:
        """Average the closed neighbourhood of every node; ``rings`` have radius 1 or are joined."""
        if rings.radius > 1:
            raise ValueError(f"rings of radius {rings.radius}; Eq. (7) sees radius 1")
        return super().forward(h, rings.joined() if rings.radius else rings, activation)
