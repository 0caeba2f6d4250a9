"""The graph convolution of GIN."""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor, nn

from graphrings.distances.rings import Rings
from graphrings.distances.weights import summed
from graphrings.layers.ring_conv import RingConv


class GINConv(RingConv):
    r"""The sum of a GIN layer (Xu et al., 2019, Eq. (4.1)) and the first map of its perceptron.

    .. math:: H' = ((1 + \epsilon) H + A H) W

    With a ``radius`` every distance ring has weights of its own, the node itself with the same
    factor: :math:`H' = (1 + \epsilon) H W^0 + \sum_{j=1}^{r} SP^j H W^j`, which is a perceptron on
    the sums of all rings side by side. Shapes: ``h`` is (n, in), the result (n, out); ``rings``
    have that radius, or 1, and may have counts for weights. There is no bias.
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        radius: int | None = None,
        learn_epsilon: bool = False,
    ) -> None:
        super().__init__(in_features, out_features, 0 if radius is None else radius, bias=False)
        self.together = radius is None
        self.epsilon = nn.Parameter(torch.zeros(1)) if learn_epsilon else None

    def forward(self, h: Tensor, rings: Rings, activation: str = "identity") -> Tensor:
        """Filter, then add up: the rings as one, or each and then all of them."""
        rings = summed(rings) if rings.shares is None else rings
        near = replace(rings.joined(), shares=rings.shares) if self.together else rings
        out = super().forward(h, near, activation)
        out = out if self.radius == 0 else out.view(len(out), self.radius + 1, -1).sum(dim=1)
        if self.epsilon is None:
            return out
        own = h[torch.from_numpy(rings.own)] @ self.filters.weight[: self.out_features].t()
        return out + self.epsilon * own
