"""The graph convolution of GIN."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from graphrings.distances.rings import Rings
from graphrings.distances.weights import summed
from graphrings.layers.ring_sum import ring_sum


class GINAggregate(nn.Module):
    r"""What the perceptron of a GIN layer sees (Xu et al., 2019, Eq. (4.1)).

    .. math:: (1 + \epsilon) H + A H

    With a ``radius`` the sums over distance rings stand side by side, ring 0 with the same factor,
    so that the perceptron has weights of its own for every ring. Shapes: ``h`` is (n, in), the
    result (n, in) or (n, (r + 1) * in); ``rings`` have that radius, or 1.
    """

    def __init__(self, radius: int | None = None, learn_epsilon: bool = False) -> None:
        super().__init__()
        self.radius = radius
        self.epsilon = nn.Parameter(torch.zeros(1)) if learn_epsilon else None

    def forward(self, h: Tensor, rings: Rings) -> Tensor:
        """Add up every ring; without a radius, the two of them."""
        sums = ring_sum(h, rings if rings.shares is not None else summed(rings))
        own, others = sums[:, : h.shape[1]], sums[:, h.shape[1] :]
        if self.epsilon is not None:
            own = own * (1 + self.epsilon)
        return own + others if self.radius is None else torch.cat([own, others], dim=1)
