"""The parametric graph convolution."""

from __future__ import annotations

import numpy as np
from torch import Tensor, nn
from torch.nn import functional

from graphrings.distances.rings import checked_radius
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.lane import takes_fused_lane
from graphrings.fused.ring_filter import WITHIN, ring_filter
from graphrings.layers.activations import activated
from graphrings.layers.block_linear import BlockLinear
from graphrings.layers.graph_layer import GraphLayer
from graphrings.layers.on_device import on_device_of
from graphrings.layers.weighted_sum import weighted_sum


class RingConv(GraphLayer):
    r"""Parametric graph convolution, Eq. (10) without its activation.

    .. math:: H' = \Vert_{j=0}^{r} \, (\hat D^j)^{-1} SP^j H W^j

    ``f`` is element-wise, so the network applies it after the concatenation.
    Shapes: ``h`` is (n, in); the result is (n, (r + 1) * out). An empty ring contributes zeros: the
    bias stands inside the mean.

    Args:
        in_features: columns of ``h``.
        out_features: filters per ring.
        radius: the largest distance that a filter sees.
        bias: whether the filters have one.

    """

    def __init__(self, in_features: int, out_features: int, radius: int, bias: bool = True) -> None:
        super().__init__()
        self.radius = checked_radius(radius)
        self.in_features, self.out_features = in_features, out_features
        self.filters: nn.Linear = BlockLinear(in_features, out_features, self.width, bias)

    @property
    def width(self) -> int:
        """How many blocks a row of rings has: one for every distance."""
        return self.radius + 1

    def block_filters(self) -> tuple[Tensor, Tensor | None]:
        """The filters of all blocks below each other, and their bias."""
        return self.filters.weight, self.filters.bias

    def forward(self, h: Tensor, near: WeightedRows, activation: str = "identity") -> Tensor:
        """Filter for every ring at once, average each ring, lay the results side by side.

        Args:
            h: one row per node.
            near: rings of this radius, or weighted rows with as many blocks.
            activation: applied to the result, by name or by a name for each ring joined by ``+``;
                the fused lane does the usual ones in the same step.

        """
        self.check(h, near, self.width)
        weight, bias = self.block_filters()
        if takes_fused_lane(h):
            within = activation if activation in WITHIN else "identity"
            out = ring_filter(h, weight, bias, near, within)
            return out if within == activation else activated(out, activation, self.width)
        out = weighted_sum(functional.linear(h, weight), near, blocks=True)
        if bias is not None:
            filled = on_device_of(out, np.diff(near.indptr) > 0).view(-1, near.width)
            out = out + bias * filled.repeat_interleave(self.out_features, dim=1)
        return activated(out, activation, self.width)

    def extra_repr(self) -> str:
        """The settings."""
        bias = "" if self.filters.bias is not None else ", bias=False"
        return f"{self.in_features}, {self.out_features}, radius={self.radius}{bias}"
