"""The 1-D convolution as a parametric graph convolution on a path."""

from __future__ import annotations

from torch import Tensor, nn

from graphrings.distances.rings import checked_radius
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.layers.activations import ACTIVATIONS
from graphrings.layers.graph_layer import GraphLayer
from graphrings.layers.ring_conv import RingConv


class OrientedRingConv(RingConv):
    r"""Eq. (10) on a path with a direction, its blocks added up: a 1-D convolution.

    .. math:: H' = \sum_{j=-r}^{r} SP^{j} H W^j + b

    :math:`SP^{j}` leads to the node j places further on and :math:`SP^{-j}` is its transpose, so
    that every ring of the path falls into two, each with one node at most and weights of its own.
    That is ``torch.nn.Conv1d`` with a kernel of 2 r + 1 and zeros beyond the ends. Shapes: ``h`` is
    (n, in); the result is (n, out).

    Args:
        in_features: columns of ``h``.
        out_features: columns of the result.
        radius: how many places the filter sees on either side.
        bias: whether there is one.

    """

    def __init__(self, in_features: int, out_features: int, radius: int, bias: bool = True) -> None:
        GraphLayer.__init__(self)
        self.radius = checked_radius(radius)
        self.in_features, self.out_features = in_features, out_features
        # Column (t, c) is channel c of block t: one map of all blocks, and it starts as one.
        self.filters = nn.Linear(self.width * in_features, out_features, bias)

    @property
    def width(self) -> int:
        """How many blocks a row has: one for every distance and direction."""
        return 2 * self.radius + 1

    def block_filters(self) -> tuple[Tensor, Tensor | None]:
        """The filters of all blocks below each other; the bias is added once, not by block."""
        by_block = self.filters.weight.view(self.out_features, self.width, self.in_features)
        return by_block.transpose(0, 1).reshape(-1, self.in_features), None

    def forward(self, h: Tensor, near: WeightedRows, activation: str = "identity") -> Tensor:
        """Convolve by block and add up; ``path_rings`` makes such rows."""
        blocks = super().forward(h, near)
        out = blocks.view(len(blocks), self.width, self.out_features).sum(dim=1)
        if self.filters.bias is not None:
            out = out + self.filters.bias
        return ACTIVATIONS[activation](out)
