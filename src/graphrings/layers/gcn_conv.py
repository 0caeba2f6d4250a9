"""The graph convolution of GCN."""

from __future__ import annotations

from torch import Tensor

from graphrings.distances.rings import Rings
from graphrings.distances.weights import symmetric
from graphrings.layers.ring_conv import RingConv


class GCNConv(RingConv):
    r"""Kipf and Welling's convolution, Eq. (6), without its activation.

    .. math:: H' = \tilde D^{-1/2} \tilde A \tilde D^{-1/2} H W

    With a ``radius`` the rings have weights of their own and stand side by side, as in Eq. (10):
    :math:`\Vert_{j=0}^{r} (D^j)^{-1/2} SP^j (D^j)^{-1/2} H W^j`. Shapes: ``h`` is (n, in), the
    result (n, out) or (n, (r + 1) * out); ``rings`` have that radius, or 1 for Eq. (6), and may
    have these weights already. The bias comes after the sum; an empty ring contributes zeros.
    """

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, radius: int | None = None
    ) -> None:
        super().__init__(in_features, out_features, 0 if radius is None else radius, bias)
        self.together = radius is None

    def forward(self, h: Tensor, rings: Rings, activation: str = "identity") -> Tensor:
        """Filter, then add up every ring by the roots of both sides' sizes."""
        if rings.shares is None:
            rings = symmetric(rings.joined() if self.together else rings)
        return super().forward(h, rings, activation)
