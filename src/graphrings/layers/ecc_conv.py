"""The edge-conditioned convolution of ECC."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from graphrings.distances.rings import Rings
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.distances.weights import averaged_together
from graphrings.errors import LayerError
from graphrings.layers.graph_layer import GraphLayer
from graphrings.layers.on_device import on_device_of, rows_at
from graphrings.layers.weighted_sum import weighted_sum


class ECCConv(GraphLayer):
    r"""Simonovsky and Komodakis' edge-conditioned convolution (2017).

    .. math:: H'_v = \frac{1}{|N(v)|} \sum_{u \in N(v)} F(L_{uv}) \, H_u + b

    N(v) holds v itself, over an edge with a label of its own. The filter network F is a perceptron
    from the label, one-hot, to a matrix. There are few labels, so that it is asked once per label,
    not once per edge. With attributes, which stand beside the label (zeros for the node itself), it
    is asked once per edge. Shapes: ``h`` is (n, in), the result (n, out). A node without neighbours
    sees itself.

    Args:
        in_features: columns of ``h``.
        out_features: columns of the result.
        n_labels: how many edge labels there are.
        filter_hidden: the hidden layers of the filter network.
        bias: whether there is one.
        n_attributes: how many attributes an edge has.

    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        n_labels: int = 1,
        filter_hidden: Sequence[int] = (16, 32),
        bias: bool = True,
        n_attributes: int = 0,
    ) -> None:
        super().__init__()
        self.in_features, self.n_attributes = in_features, n_attributes
        self.shape = n_labels + 1, in_features, out_features
        widths = [n_labels + 1 + n_attributes, *filter_hidden]
        self.filter_network = nn.Sequential()
        for width, hidden in zip(widths[:-1], widths[1:], strict=True):
            self.filter_network.extend([nn.Linear(width, hidden), nn.ReLU()])
        self.filter_network.append(nn.Linear(widths[-1], in_features * out_features))
        self.bias = nn.Parameter(torch.zeros(out_features)) if bias else None

    def filters(self) -> Tensor:
        """The matrix of every label, (labels + 1, in, out); the first is that of the node.

        Where edges have attributes, it is the one for attributes that are all zero.
        """
        n_shown = self.shape[0] + self.n_attributes
        labels = torch.eye(self.shape[0], n_shown).to(next(self.filter_network.parameters()))
        matrices: Tensor = self.filter_network(labels)
        return matrices.view(self.shape)

    def forward(self, h: Tensor, near: WeightedRows) -> Tensor:
        """Filter for every label at once, average by label, add up; with attributes edge by edge.

        Ring 0 of ``near`` is the node, ring 1 + l its neighbours over edges with label l, as
        ``edge_rings`` makes them; weighted rows have the weights 1 / N(v) already. Attributes
        follow in blocks of their own, as ``edge_rows`` makes them.
        """
        self.check(h, near, self.shape[0] + self.n_attributes)
        if self.n_attributes:
            sums = self._edge_by_edge(h, near)
        else:
            if isinstance(near, Rings):
                near = averaged_together(near)
            rows = h @ self.filters().transpose(0, 1).reshape(h.shape[1], -1)
            sums = weighted_sum(rows, near, blocks=True).view(near.n_rows, self.shape[0], -1).sum(1)
        return sums if self.bias is None else sums + self.bias

    def _edge_by_edge(self, h: Tensor, near: WeightedRows) -> Tensor:
        """The sums of F(L_uv) H_u.

        F ends in a linear map W of hidden units z, so that it is put outside of the sum: what is
        added up are the products of z and H_u, and no edge has a matrix of its own.
        """
        blocks = near.blocks
        kind = blocks % near.width
        listed = kind < self.shape[0]
        shown = self._shown(h, near, kind)
        last = self.filter_network[-1]
        assert isinstance(last, nn.Linear)
        units = functional.pad(self.filter_network[:-1](shown), (0, 1), value=1.0)  # 1: its bias
        units = units * on_device_of(h, near.weights[listed]).to(h)[:, None]
        terms = units[:, :, None] * rows_at(h, near.indices[listed])[:, None, :]
        sums = h.new_zeros(near.n_rows, terms.shape[1] * h.shape[1])
        owners = on_device_of(h, blocks[listed] // near.width)
        sums = sums.index_add(0, owners, terms.flatten(1))
        matrices = torch.cat([last.weight, last.bias[:, None]], dim=1)
        return sums @ matrices.view(*self.shape[1:], -1).permute(2, 0, 1).flatten(0, 1)

    def _shown(self, h: Tensor, near: WeightedRows, kind: NDArray[np.int64]) -> Tensor:
        """What the filter network sees of every edge and loop: its label, one-hot, attributes."""
        n_rings = self.shape[0]
        counts = np.bincount(kind, minlength=near.width)
        if isinstance(near, Rings) or np.any(counts[n_rings:] != counts[1:n_rings].sum()):
            raise LayerError(f"{self!r} takes rows with attributes, by edge_rows; got {near!r}")
        labels = on_device_of(h, kind[kind < n_rings])
        shown = functional.one_hot(labels, near.width).to(h)
        for column in range(n_rings, near.width):
            shown[labels > 0, column] = on_device_of(h, near.weights[kind == column]).to(h)
        return shown

    def network_parameters(self) -> list[Tensor]:
        """The weights and biases of the filter network, in order."""
        return list(self.filter_network.parameters())

    def extra_repr(self) -> str:
        """The settings."""
        attributes = f", n_attributes={self.n_attributes}" if self.n_attributes else ""
        bias = "" if self.bias is not None else ", bias=False"
        return f"{self.shape[1]}, {self.shape[2]}, n_labels={self.shape[0] - 1}{attributes}{bias}"
