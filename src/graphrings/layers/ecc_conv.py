"""The edge-conditioned convolution of ECC."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from graphrings.distances.rings import Rings
from graphrings.distances.weights import averaged_together
from graphrings.layers.ring_sum import ring_sum


class ECCConv(nn.Module):
    r"""Simonovsky and Komodakis' edge-conditioned convolution (2017).

    .. math:: H'_v = \frac{1}{|N(v)|} \sum_{u \in N(v)} F(L_{uv}) \, H_u + b

    N(v) holds v itself, over an edge with a label of its own. The filter network F is a perceptron
    from the label, one-hot, to a matrix; ``filter_hidden`` are its hidden layers. There are few
    labels, so that it is asked once a label, not once an edge. Shapes: ``h`` is (n, in), the result
    (n, out). Ring 0 of ``rings`` is the node, ring 1 + l its neighbours over edges with label l;
    they may have the weights 1 / |N(v)| already. A node without neighbours sees itself.
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        n_labels: int = 1,
        filter_hidden: Sequence[int] = (16, 32),
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.shape = n_labels + 1, in_features, out_features
        widths = [n_labels + 1, *filter_hidden]
        self.filter_network = nn.Sequential()
        for width, hidden in zip(widths[:-1], widths[1:], strict=True):
            self.filter_network.extend([nn.Linear(width, hidden), nn.ReLU()])
        self.filter_network.append(nn.Linear(widths[-1], in_features * out_features))
        self.bias = nn.Parameter(torch.zeros(out_features)) if bias else None

    def filters(self) -> Tensor:
        """The matrix of every label, (labels + 1, in, out); the first is that of the node."""
        labels = torch.eye(self.shape[0]).to(next(self.filter_network.parameters()))
        found: Tensor = self.filter_network(labels)
        return found.view(self.shape)

    def forward(self, h: Tensor, rings: Rings) -> Tensor:
        """Filter for every label at once, average by label, add up."""
        if rings.radius + 1 != self.shape[0]:
            raise ValueError(f"rings for {rings.radius} labels, filters for {self.shape[0] - 1}")
        if rings.shares is None:
            rings = averaged_together(rings)
        rows = h @ self.filters().transpose(0, 1).reshape(h.shape[1], -1)
        sums = ring_sum(rows, rings, blocks=True).view(rings.n_nodes, self.shape[0], -1).sum(1)
        return sums if self.bias is None else sums + self.bias
