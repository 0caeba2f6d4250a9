"""The graph convolution of neural fingerprints."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from graphrings.distances.rings import Rings
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.distances.weights import summed
from graphrings.layers.graph_layer import GraphLayer
from graphrings.layers.weighted_sum import weighted_sum


class FingerprintConv(GraphLayer):
    r"""The update of Duvenaud et al. (2015), Algorithm 2, lines 7-9, without its activation.

    .. math:: h_v' = H_{|N(v)|} \Bigl(h_v + \sum_{u \in N(v)} h_u\Bigr)

    There is a matrix for every degree 0 .. ``max_degree``; larger degrees share the last. Shapes:
    ``h`` is (n, in), the result (n, out). Who has no neighbours sees only itself, under the matrix
    of degree 0.

    Args:
        in_features: columns of ``h``.
        out_features: columns of the result.
        max_degree: the largest degree with a matrix of its own.
        bias: whether the filters have one.

    """

    def __init__(
        self, in_features: int, out_features: int, max_degree: int = 5, bias: bool = True
    ) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.filters = nn.ModuleList(
            nn.Linear(in_features, out_features, bias) for _ in range(max_degree + 1)
        )

    def forward(self, h: Tensor, near: WeightedRows) -> Tensor:
        """Add up the closed neighbourhoods, then filter those of every degree together.

        ``near`` are rings of radius 1, or such rows with counts for weights.
        """
        self.check(h, near, 2)
        near = summed(near) if isinstance(near, Rings) else near
        own, others = weighted_sum(h, near).chunk(2, dim=1)
        degrees = weighted_sum(h.new_ones((len(h), 1)), near)[:, 1].long()
        order, sizes = grouped(degrees.clamp(max=len(self.filters) - 1), len(self.filters))
        parts = (own + others).index_select(0, order).split(sizes)
        rows = [filters(part) for filters, part in zip(self.filters, parts, strict=True)]
        return torch.cat(rows).index_select(0, order.argsort())

    def extra_repr(self) -> str:
        """The settings."""
        return f"{self.in_features}, {self.out_features}, max_degree={len(self.filters) - 1}"


def grouped(groups: Tensor, n_groups: int) -> tuple[Tensor, list[int]]:
    """An order with every group together, and their sizes."""
    return groups.argsort(stable=True), torch.bincount(groups, minlength=n_groups).tolist()
