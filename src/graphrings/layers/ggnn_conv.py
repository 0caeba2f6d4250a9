"""The step of a gated graph neural network."""

from __future__ import annotations

from torch import Tensor, nn

from graphrings.distances.rings import Rings
from graphrings.distances.weights import summed
from graphrings.layers.ring_sum import ring_sum


class GGNNConv(nn.Module):
    r"""A step of Li et al. (2016), Eq. (2)-(6), with one type of edges.

    .. math:: h_v' = \mathrm{GRU}\Bigl(\sum_{u \in N(v)} W h_u, \; h_v\Bigr)

    The GRU is that of torch, whose reset gate acts after the matrix of the state, not before it as
    in Eq. (5). Shapes: ``h`` is (n, width), the result too; ``rings`` have radius 1. Who has no
    neighbours gets a message of zeros.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.message = nn.Linear(width, width, bias=False)
        self.gru = nn.GRUCell(width, width)

    def forward(self, h: Tensor, rings: Rings) -> Tensor:
        """Add up the neighbours, then update."""
        if rings.radius != 1:
            raise ValueError(f"rings of radius {rings.radius}; messages come from radius 1")
        sums = ring_sum(h, rings if rings.shares is not None else summed(rings))
        own, others = sums.chunk(2, dim=1)
        found: Tensor = self.gru(self.message(others), own)
        return found
