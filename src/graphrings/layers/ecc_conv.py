"""The edge-conditioned convolution of ECC."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from graphrings.distances.rings import Rings
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.distances.weights import averaged_together
from graphrings.layers.graph_layer import GraphLayer
from graphrings.layers.weighted_sum import weighted_sum


class ECCConv(GraphLayer):
    r"""Simonovsky and Komodakis' edge-conditioned convolution (2017).

    .. math:: H'_v = \frac{1}{|N(v)|} \sum_{u \in N(v)} F(L_{uv}) \, H_u + b

    N(v) holds v itself, over an edge with a label of its own. The filter network F is a perceptron
    from the label, one-hot, to a matrix. There are few labels, so that it is asked once per label,
    not once per edge. Shapes: ``h`` is (n, in), the result (n, out). A node without neighbours sees
    itself.

    Args:
        in_features: columns of ``h``.
        out_features: columns of the result.
        n_labels: how many edge labels there are.
        filter_hidden: the hidden layers of the filter network.
        bias: whether there is one.

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
        self.in_features = in_features
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
        matrices: Tensor = self.filter_network(labels)
        return matrices.view(self.shape)

    def forward(self, h: Tensor, near: WeightedRows) -> Tensor:
        """Filter for every label at once, average by label, add up.

        Ring 0 of ``near`` is the node, ring 1 + l its neighbours over edges with label l, as
        ``edge_rings`` makes them; weighted rows have the weights 1 / N(v) already.
        """
        self.check(h, near, self.shape[0])
        if isinstance(near, Rings):
            near = averaged_together(near)
        rows = h @ self.filters().transpose(0, 1).reshape(h.shape[1], -1)
        sums = weighted_sum(rows, near, blocks=True).view(near.n_rows, self.shape[0], -1).sum(1)
        return sums if self.bias is None else sums + self.bias

    def extra_repr(self) -> str:
        """The settings."""
        bias = "" if self.bias is not None else ", bias=False"
        return f"{self.shape[1]}, {self.shape[2]}, n_labels={self.shape[0] - 1}{bias}"
