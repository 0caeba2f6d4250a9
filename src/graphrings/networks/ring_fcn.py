"""A network of graph convolutions alone: on the graph, and then on the path of its sorted nodes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

import numpy as np
from torch import Tensor, nn

from graphrings.distances.path_rings import path_means, path_rings
from graphrings.fused.arrays import gradient_of
from graphrings.layers.dropout import kept_factors
from graphrings.layers.on_device import rows_at
from graphrings.layers.oriented_ring_conv import OrientedRingConv
from graphrings.layers.sort_pool import SortPool
from graphrings.layers.weighted_sum import weighted_sum
from graphrings.networks.batches import Batch
from graphrings.networks.head import measure_k
from graphrings.networks.network import Network
from graphrings.networks.ring_fcn_by_hand import RingFCNByHand
from graphrings.networks.ring_layers import RingLayers, side_by_side
from graphrings.networks.settings import RING_ACTIVATION
from graphrings.networks.views import RingMeans
from graphrings.networks.whole_network import as_one_step
from graphrings.settings import FAR, Settings, whole, wholes


class RingFCN(Network):
    """Ring convolutions, sorting, ring convolutions, a mean per class; there is no dense layer.

    What the paper's last section calls fully graph-convolutional. Sorting coarsens a graph to a
    path of its first k nodes: a graph with fewer has a shorter path, and none is filled up with
    zeros. On the path the 1-D convolutions are oriented ring convolutions, the last of which has
    one channel per output and sees one node; the outputs are its means over the path.
    """

    settings: ClassVar[Settings] = {
        "activation": RING_ACTIVATION,
        "path_channels": wholes("filters of every convolution on the path of sorted nodes"),
        "path_radius": whole("how many places those filters see on either side", least=0, most=FAR),
    }
    measure = staticmethod(measure_k)

    def __init__(
        self,
        n_features: int,
        n_outputs: int,
        k: int,
        *,
        radius: int = 2,
        channels: Sequence[int] = (32, 32, 32, 1),
        activation: str = "tanh",
        norm: str = "none",
        residual: bool = False,
        bias: bool = True,
        path_channels: Sequence[int] = (32, 32),
        path_radius: int = 2,
        dropout: float = 0.0,
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
        self.sort, self.path_radius, self.dropout = SortPool(k), path_radius, dropout
        before = [sum(self.layers.widths), *path_channels[:-1]]
        self.path_convs = nn.ModuleList(
            OrientedRingConv(width, c, path_radius)
            for width, c in zip(before, path_channels, strict=True)
        )
        self.out = OrientedRingConv(path_channels[-1], n_outputs, 0)

    def by_hand(self) -> RingFCNByHand | None:
        """In the fused lane, with layers that are written out."""
        if type(self).forward is not RingFCN.forward or not self.layers.is_written_out:
            return None
        return RingFCNByHand(self, gradient_of)

    def forward(self, batch: Batch) -> Tensor:
        """Convolve, coarsen, convolve, average."""
        if self.layers.is_written_out and not batch.features.requires_grad:
            return as_one_step(self, partial(RingFCNByHand, self), batch)
        h, lengths = self._path(side_by_side(self.layers(batch), batch), batch)
        near = path_rings(lengths, self.path_radius)
        for conv in self.path_convs:
            h = conv(h, near, "relu")
        kept = self.kept(len(h))
        h = h if kept is None else h * kept
        return weighted_sum(self.out(h, path_rings(lengths, 0)), path_means(lengths))

    def kept(self, n_nodes: int) -> Tensor | None:
        """Dropout as factors for the nodes of all paths, if there is any."""
        shape, like = (n_nodes, self.out.in_features), self.out.filters.weight
        return kept_factors(shape, self.dropout, like) if self.training else None

    def _path(self, rows: Tensor, batch: Batch) -> tuple[Tensor, np.ndarray]:
        """The rows of the nodes that are kept, path after path, and the lengths of the paths."""
        k = self.sort.k
        sizes = np.diff(batch.graph_ptr)
        sorted_rows = self.sort(rows_at(rows, batch.members), sizes, batch.multiplicity)
        lengths = np.minimum(batch.n_nodes(), k)
        kept = np.flatnonzero(np.arange(k) < lengths[:, None])
        return rows_at(sorted_rows.flatten(0, 1), kept), lengths
