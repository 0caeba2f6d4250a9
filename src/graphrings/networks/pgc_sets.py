"""Stacked Eq. (10) under readouts of sets, in the place of SortPooling."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar

import numpy as np
from torch import Tensor, cat, nn
from torch.nn import functional

from graphrings.fused.arrays import gradient_of
from graphrings.fused.workspace import Workspace
from graphrings.layers.dropout import kept_factors
from graphrings.layers.on_device import on_device_of, rows_at
from graphrings.layers.row_norm import RowNorm
from graphrings.networks.batches import Batch
from graphrings.networks.network import Network
from graphrings.networks.readout import pooled
from graphrings.networks.ring_layers import RingLayers, side_by_side
from graphrings.networks.sets_by_hand import DeepSetsByHand, MeanSumMaxByHand, SetsByHand
from graphrings.networks.settings import RING_ACTIVATION
from graphrings.networks.views import RingMeans
from graphrings.networks.whole_network import Gradients, as_one_step
from graphrings.settings import Settings, one_of


class DeepSets(nn.Module):
    r"""The universal readout (Navarin, Tran and Sperduti, 2019): :math:`\rho(\sum_v \phi(h_v))`.

    Here are :math:`\phi`, a dense layer for every node, and the sum; :math:`\rho` follows.
    """

    def __init__(self, width: int, dense: int) -> None:
        super().__init__()
        self.phi, self.width = nn.Linear(width, dense), dense

    def by_hand(self, widths: list[int], gradient: Gradients, space: Workspace) -> DeepSetsByHand:
        """Both passes without autograd, of layers that are so wide."""
        return DeepSetsByHand(self.phi, widths, gradient, space)

    def forward(self, rows: Tensor, batch: Batch) -> Tensor:
        """One row per graph."""
        return pooled([functional.relu(self.phi(rows))], batch, "sum")[0]


class MeanSumMax(nn.Module):
    """Mean, sum and maximum over the nodes, side by side (Pasa, Navarin and Sperduti, 2022)."""

    def __init__(self, width: int, dense: int) -> None:
        super().__init__()
        del dense
        self.width = 3 * width

    def by_hand(self, widths: list[int], gradient: Gradients, space: Workspace) -> MeanSumMaxByHand:
        """Both passes without autograd."""
        del widths, gradient
        return MeanSumMaxByHand(space)

    def forward(self, rows: Tensor, batch: Batch) -> Tensor:
        """One row per graph."""
        (total,) = pooled([rows], batch, "sum")
        n_nodes = on_device_of(rows, batch.n_nodes()).to(rows.dtype)[:, None]
        return cat([total / n_nodes, total, largest(rows, batch)], dim=1)


READOUTS: dict[str, Callable[[int, int], DeepSets | MeanSumMax]] = {
    "deep-sets": DeepSets,
    "mean-sum-max": MeanSumMax,
}


class PGCSets(Network):
    """Stacked Eq. (10), all layers side by side, a readout of the set of nodes, dense layers.

    Both readouts know how many nodes there are, which SortPooling shows up to k. A norm over the
    graphs of a batch follows, as in the authors' code for mean, sum and maximum: sums grow with the
    graph. Then come a dense layer, ReLU, dropout and a dense layer.
    """

    settings: ClassVar[Settings] = {
        "activation": RING_ACTIVATION,
        "readout": one_of("how the nodes of a graph become one row", READOUTS),
    }

    def __init__(
        self,
        n_features: int,
        n_outputs: int,
        *,
        radius: int = 2,
        channels: Sequence[int] = (32, 32, 32),
        activation: str = "tanh",
        norm: str = "none",
        residual: bool = False,
        bias: bool = True,
        readout: str = "deep-sets",
        dense: int = 128,
        dropout: float = 0.5,
    ) -> None:
        super().__init__()
        self.view = RingMeans(len(channels), radius)
        self.layers = RingLayers(
            n_features,
            channels,
            radius,
            activation=activation,
            bias=bias,
            norm=norm,
            residual=residual,
        )
        self.readout = READOUTS[readout](sum(self.layers.widths), dense)
        self.norm, self.dropout = RowNorm(self.readout.width), dropout
        self.dense, self.out = nn.Linear(self.readout.width, dense), nn.Linear(dense, n_outputs)

    def by_hand(self) -> SetsByHand | None:
        """In the fused lane, with layers that are written out."""
        if type(self).forward is not PGCSets.forward or not self.layers.is_written_out:
            return None
        return SetsByHand(self, gradient_of)

    def forward(self, batch: Batch) -> Tensor:
        """Convolve, read out, map."""
        if self.layers.is_written_out and not batch.features.requires_grad:
            return as_one_step(self, partial(SetsByHand, self), batch)
        graphs = self.readout(side_by_side(self.layers(batch), batch), batch)
        x = functional.relu(self.dense(self.norm(graphs)))
        kept = self.kept(len(x))
        outputs: Tensor = self.out(x if kept is None else x * kept)
        return outputs

    def kept(self, n_graphs: int) -> Tensor | None:
        """Dropout as factors, if there is any."""
        shape = n_graphs, self.out.in_features
        return kept_factors(shape, self.dropout, self.out.weight) if self.training else None


def largest(rows: Tensor, batch: Batch) -> Tensor:
    """The largest value of every column in every graph."""
    sizes = np.diff(batch.graph_ptr)
    owner = on_device_of(rows, np.repeat(np.arange(len(sizes)), sizes))
    members = rows_at(rows, batch.members)
    start = members.new_full((len(sizes), members.shape[1]), -np.inf)
    return start.scatter_reduce(0, owner[:, None].expand_as(members), members, "amax")
