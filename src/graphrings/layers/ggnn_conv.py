"""The step of a gated graph neural network."""

from __future__ import annotations

from torch import Tensor, nn

from graphrings.distances.rings import Rings
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.distances.weights import summed
from graphrings.fused.gated_steps import gated_steps
from graphrings.fused.lane import takes_fused_lane
from graphrings.layers.graph_layer import GraphLayer
from graphrings.layers.weighted_sum import weighted_sum


class GGNNConv(GraphLayer):
    r"""A step of Li et al. (2016), Eq. (2)-(6), with one type of edges.

    .. math:: h_v' = \mathrm{GRU}\Bigl(\sum_{u \in N(v)} W h_u, \; h_v\Bigr)

    The GRU is that of torch, whose reset gate acts after the matrix of the state, not before it as
    in Eq. (5). Shapes: ``h`` is (n, width), the result too. Who has no neighbours gets a message of
    zeros.

    Args:
        width: columns of ``h`` and of the result.

    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.in_features = width
        self.message = nn.Linear(width, width, bias=False)
        self.gru = nn.GRUCell(width, width)

    def forward(self, h: Tensor, near: WeightedRows) -> Tensor:
        """Add up the neighbours, then update.

        ``near`` are rings of radius 1, or such rows with counts for weights.
        """
        self.check(h, near, 2)
        near = summed(near) if isinstance(near, Rings) else near
        if takes_fused_lane(h):
            return gated_steps(h, [near], self.parameters_in_order())
        own, others = weighted_sum(h, near).chunk(2, dim=1)
        state: Tensor = self.gru(self.message(others), own)
        return state

    def parameters_in_order(self) -> list[Tensor]:
        """The parameters as ``gated_steps`` takes them."""
        gru = self.gru
        return [self.message.weight, gru.weight_ih, gru.weight_hh, gru.bias_ih, gru.bias_hh]

    def extra_repr(self) -> str:
        """The settings."""
        return f"{self.in_features}"
