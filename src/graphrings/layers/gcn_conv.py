"""The graph convolution of GCN."""

from __future__ import annotations

from torch import Tensor

from graphrings.distances.rings import Rings
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.distances.weights import symmetric
from graphrings.layers.ring_conv import RingConv


class GCNConv(RingConv):
    r"""Kipf and Welling's convolution, Eq. (6), without its activation.

    .. math:: H' = \tilde D^{-1/2} \tilde A \tilde D^{-1/2} H W

    With a ``radius`` the rings have weights of their own and stand side by side, as in Eq. (10):
    :math:`\Vert_{j=0}^{r} (D^j)^{-1/2} SP^j (D^j)^{-1/2} H W^j`. Shapes: ``h`` is (n, in), the
    result (n, out) or (n, (r + 1) * out). The bias comes after the sum; an empty ring contributes
    zeros.

    Args:
        in_features: columns of ``h``.
        out_features: filters, or filters per ring.
        bias: whether there is one.
        radius: the largest distance that a filter sees; None is Eq. (6).

    """

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, radius: int | None = None
    ) -> None:
        super().__init__(in_features, out_features, 0 if radius is None else radius, bias)
        self.together = radius is None

    def forward(self, h: Tensor, near: WeightedRows, activation: str = "identity") -> Tensor:
        """Filter, then add up every ring by the roots of both sides' sizes.

        ``near`` are rings of our radius (or 1), or rows that have these weights already.
        """
        if isinstance(near, Rings) or not isinstance(near, WeightedRows):
            self.check_width(near, 2 if self.together else self.radius + 1)
            near = symmetric(near.joined() if self.together else near)
        return super().forward(h, near, activation)

    def extra_repr(self) -> str:
        """The settings."""
        bias = "" if self.filters.bias is not None else ", bias=False"
        radius = "" if self.together else f", radius={self.radius}"
        return f"{self.in_features}, {self.out_features}{bias}{radius}"
