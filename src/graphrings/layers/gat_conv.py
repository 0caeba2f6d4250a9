"""The graph convolution of GAT."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from graphrings.distances.rings import Rings
from graphrings.distances.weights import summed
from graphrings.layers.activations import ACTIVATIONS
from graphrings.layers.ring_attention import Attended, ring_attention


class GATConv(nn.Module):
    r"""Graph attention, Eq. (11)-(13), without its activation.

    .. math:: h'_v = \Vert_{k=1}^{K} \sum_u b^k_{vu} W^k h_u, \quad
        b^k_{vu} = \mathrm{softmax}_u \, \mathrm{LeakyReLU}(\theta_k^\top (W^k h_v \Vert W^k h_u))

    The equations take u from the neighbours of v; the original (Velickovic et al., 2018, Section
    2.1) has v among them, and so has this layer. With a ``radius`` there is attention inside every
    distance ring, with weights of its own, and the rings stand side by side. ``average`` takes the
    mean of the K heads in the place of the concatenation.

    Shapes: ``h`` is (n, in), the result (n, [r + 1] * K * out), or (n, [r + 1] * out) if averaged;
    ``rings`` have that radius, or 1, and may have counts for weights. An empty ring gives zeros.
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        heads: int = 4,
        *,
        radius: int | None = None,
        average: bool = False,
        slope: float = 0.2,
    ) -> None:
        super().__init__()
        self.together, self.radius, self.slope = radius is None, 1, slope
        if radius is not None:
            self.radius = radius
        blocks = 1 if self.together else self.radius + 1
        self.width = blocks * (1 if average else heads) * out_features
        self.filters = nn.Linear(in_features, blocks * heads * out_features, bias=False)
        self.theta = nn.Parameter(torch.empty(blocks, heads, 2 * out_features))
        self.bias = nn.Parameter(torch.zeros(self.width))
        bound = math.sqrt(6 / (2 * out_features + 1))  # Glorot, as for a filter with one result
        nn.init.uniform_(self.theta, -bound, bound)

    def forward(self, h: Tensor, rings: Rings, activation: str = "identity") -> Tensor:
        """Filter for every ring and head, then sum up the members by attention."""
        if rings.radius != self.radius:
            raise ValueError(
                f"rings of radius {rings.radius} for attention of radius {self.radius}"
            )
        if len(h) < (needed := int(rings.indices.max(initial=-1)) + 1):
            raise ValueError(f"{len(h)} rows; the rings lead to {needed}")
        counted = summed(rings) if rings.shares is None else rings
        near = Attended.by(counted, self.together, h.dtype)
        out = ring_attention(h, self.filters.weight, self.theta, self.bias, near, self.slope)
        return ACTIVATIONS[activation](out)
