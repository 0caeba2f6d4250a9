"""The graph convolution of GAT."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn

from graphrings.distances.rings import Rings
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.distances.weights import summed
from graphrings.fused.attention_stack import attention_stack
from graphrings.layers.activations import ACTIVATIONS
from graphrings.layers.attention import attention
from graphrings.layers.block_linear import BlockLinear
from graphrings.layers.graph_layer import GraphLayer


class GATConv(GraphLayer):
    r"""Graph attention, Eq. (11)-(13), without its activation.

    .. math:: h'_v = \Vert_{k=1}^{K} \sum_u b^k_{vu} W^k h_u, \quad
        b^k_{vu} = \mathrm{softmax}_u \, \mathrm{LeakyReLU}(\theta_k^\top (W^k h_v \Vert W^k h_u))

    The equations take u from the neighbours of v; the original (Velickovic et al., 2018, Section
    2.1) has v among them, and so has this layer. With a ``radius`` there is attention inside every
    distance ring, with weights of its own, and the rings stand side by side.

    Shapes: ``h`` is (n, in), the result (n, [r + 1] * K * out), or (n, [r + 1] * out) if averaged.
    An empty ring gives zeros.

    Args:
        in_features: columns of ``h``.
        out_features: columns per head, and per ring if there is a radius.
        heads: how many attentions there are, K.
        radius: the largest distance that attention sees; None is the original.
        average: whether the heads are averaged instead of concatenated.
        slope: of LeakyReLU below zero.

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
        self.in_features, self.out_features, self.heads = in_features, out_features, heads
        self.together, self.radius, self.slope = radius is None, 1, slope
        if radius is not None:
            self.radius = radius
        blocks = 1 if self.together else self.radius + 1
        self.width = blocks * (1 if average else heads) * out_features
        self.filters = BlockLinear(in_features, heads * out_features, blocks, bias=False)
        self.theta = nn.Parameter(torch.empty(blocks, heads, 2 * out_features))
        self.bias = nn.Parameter(torch.zeros(self.width))
        bound = math.sqrt(6 / (2 * out_features + 1))  # Glorot, as for a filter with one result
        nn.init.uniform_(self.theta, -bound, bound)

    def forward(self, h: Tensor, near: WeightedRows, activation: str = "identity") -> Tensor:
        """Filter for every ring and head, then sum up the members by attention.

        ``near`` are rings of our radius (or 1), or such rows with counts for weights.
        """
        self.check(h, near, self.radius + 1)
        near = summed(near) if isinstance(near, Rings) else near
        out = attention(h, *self.parameters_in_order(), self.attended(near), self.slope)
        return ACTIVATIONS[activation](out)

    def attended(self, near: WeightedRows) -> WeightedRows:
        """The blocks of attention: without a radius a node and its neighbours are one."""
        return near.joined() if self.together else near

    def parameters_in_order(self) -> tuple[Tensor, Tensor, Tensor]:
        """The parameters as ``attention_stack`` takes them."""
        return self.filters.weight, self.theta, self.bias

    def extra_repr(self) -> str:
        """The settings."""
        radius = "" if self.together else f", radius={self.radius}"
        average = "" if self.width == self.filters.out_features else ", average=True"
        return f"{self.in_features}, {self.out_features}, heads={self.heads}{radius}{average}"


def gat_layers(
    h: Tensor, convs: Sequence[GATConv], near: Sequence[WeightedRows], activation: str
) -> list[Tensor]:
    """The rows of all layers as one step of the fused lane; ``near`` have counts for weights."""
    attended = [conv.attended(own) for conv, own in zip(convs, near, strict=True)]
    parameters = [parameter for conv in convs for parameter in conv.parameters_in_order()]
    return attention_stack(h, attended, parameters, [conv.slope for conv in convs], activation)
