"""The graph convolution of GIN."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from graphrings.distances.rings import Rings
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.distances.weights import summed
from graphrings.layers.on_device import rows_at
from graphrings.layers.ring_conv import RingConv


class GINConv(RingConv):
    r"""The sum of a GIN layer (Xu et al., 2019, Eq. (4.1)) and the first map of its perceptron.

    .. math:: H' = ((1 + \epsilon) H + A H) W

    With a ``radius`` every distance ring has weights of its own, the node itself with the same
    factor: :math:`H' = (1 + \epsilon) H W^0 + \sum_{j=1}^{r} SP^j H W^j`, which is a perceptron on
    the sums of all rings side by side. Shapes: ``h`` is (n, in), the result (n, out). There is no
    bias.

    Args:
        in_features: columns of ``h``.
        out_features: columns of the result.
        radius: the largest distance that the sums see; None is Eq. (4.1).
        learn_epsilon: whether epsilon is learned; otherwise it is 0.

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

    def forward(self, h: Tensor, near: WeightedRows, activation: str = "identity") -> Tensor:
        """Filter, then add up: the rings as one, or each and then all of them.

        ``near`` are rings of our radius (or 1), or such rows with counts for weights.
        """
        self.check_width(near, 2 if self.together else self.radius + 1)
        near = summed(near) if isinstance(near, Rings) else near
        out = super().forward(h, near.joined() if self.together else near, activation)
        out = out if self.radius == 0 else out.view(len(out), self.radius + 1, -1).sum(dim=1)
        if self.epsilon is None:
            return out
        own = rows_at(h, near.own) @ self.filters.weight[: self.out_features].t()
        return out + self.epsilon * own

    def extra_repr(self) -> str:
        """The settings."""
        radius = "" if self.together else f", radius={self.radius}"
        epsilon = "" if self.epsilon is None else ", learn_epsilon=True"
        return f"{self.in_features}, {self.out_features}{radius}{epsilon}"
