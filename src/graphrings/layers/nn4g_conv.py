"""The graph convolution of NN4G."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from graphrings.distances.rings import Rings
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.distances.weights import summed
from graphrings.errors import LayerError
from graphrings.layers.activations import ACTIVATIONS
from graphrings.layers.graph_layer import GraphLayer
from graphrings.layers.weighted_sum import weighted_sum


class NN4GConv(GraphLayer):
    r"""Micheli's convolution, Eq. (5), without its activation.

    .. math:: H^{i+1} = X \bar W^{i+1} + \sum_{k=1}^{i} A H^k \hat W^{i+1,k}

    Shapes: ``x`` is (n, d); ``h``, all layers before side by side, (n, in); the result (n, out).
    A node without neighbours sees X alone.

    Args:
        n_features: columns of ``x``.
        in_features: columns of ``h``.
        out_features: columns of the result.

    """

    def __init__(self, n_features: int, in_features: int, out_features: int) -> None:
        super().__init__()
        self.in_features = in_features
        self.own = nn.Linear(n_features, out_features)
        self.others = nn.Linear(in_features, out_features, bias=False)

    def forward(
        self, x: Tensor, h: Tensor, near: WeightedRows, activation: str = "identity"
    ) -> Tensor:
        """Filter; ring 0 brings the node's own features, ring 1 adds up its neighbours' layers.

        ``near`` are rings of radius 1, or such rows with counts for weights.
        """
        self.check(h, near, 2)
        if x.shape != (len(h), self.own.in_features):
            raise LayerError(
                f"{self!r} takes features of shape {(len(h), self.own.in_features)}; "
                f"got {tuple(x.shape)}"
            )
        near = summed(near) if isinstance(near, Rings) else near
        rows = torch.cat([self.own(x), self.others(h)], dim=1)
        own, others = weighted_sum(rows, near, blocks=True).chunk(2, dim=1)
        return ACTIVATIONS[activation](own + others)

    def extra_repr(self) -> str:
        """The settings."""
        return f"{self.own.in_features}, {self.in_features}, {self.own.out_features}"
