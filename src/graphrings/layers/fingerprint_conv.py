"""The graph convolution of neural fingerprints."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from graphrings.distances.rings import Rings
from graphrings.distances.weights import summed
from graphrings.layers.ring_sum import ring_sum


class FingerprintConv(nn.Module):
    r"""The update of Duvenaud et al. (2015), Algorithm 2, lines 7-9, without its activation.

    .. math:: h_v' = H_{|N(v)|} \Bigl(h_v + \sum_{u \in N(v)} h_u\Bigr)

    There is a matrix for every degree 0 .. ``max_degree``; larger degrees share the last. Shapes:
    ``h`` is (n, in), the result (n, out); ``rings`` have radius 1. Who has no neighbours sees only
    itself, under the matrix of degree 0.
    """

    def __init__(
        self, in_features: int, out_features: int, max_degree: int = 5, bias: bool = True
    ) -> None:
        super().__init__()
        self.filters = nn.ModuleList(
            nn.Linear(in_features, out_features, bias) for _ in range(max_degree + 1)
        )

    def forward(self, h: Tensor, rings: Rings) -> Tensor:
        """Add up the closed neighbourhoods, then filter those of every degree together."""
        if rings.radius != 1:
            raise ValueError(f"rings of radius {rings.radius}; Algorithm 2 sees radius 1")
        if rings.shares is None:
            rings = summed(rings)
        own, others = ring_sum(h, rings).chunk(2, dim=1)
        degrees = ring_sum(h.new_ones((len(h), 1)), rings)[:, 1].long()
        order, sizes = grouped(degrees.clamp(max=len(self.filters) - 1), len(self.filters))
        parts = (own + others).index_select(0, order).split(sizes)
        found = [f(part) for f, part in zip(self.filters, parts, strict=True)]
        return torch.cat(found).index_select(0, order.argsort())


def grouped(groups: Tensor, n_groups: int) -> tuple[Tensor, list[int]]:
    """An order with every group together, and their sizes."""
    return groups.argsort(stable=True), torch.bincount(groups, minlength=n_groups).tolist()
