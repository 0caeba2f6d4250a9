"""DCNN (Atwood and Towsley, 2016) for graphs: diffused features, averaged, one weight each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from graphrings.distances.diffusion import diffused
from graphrings.distances.levels import Levels
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.activations import WRITTEN_OUT
from graphrings.fused.dense_stack import dense_stack
from graphrings.fused.diffusion import diffusion
from graphrings.fused.lane import takes_fused_lane
from graphrings.graphs.dataset import Dataset, spans
from graphrings.graphs.small_numbers import numbered
from graphrings.layers.activations import ACTIVATIONS
from graphrings.layers.dcnn_conv import DiffusionConv
from graphrings.layers.on_device import rows_at
from graphrings.networks.batches import Batch
from graphrings.networks.network import Network
from graphrings.networks.pooled_by_hand import DCNNByHand
from graphrings.networks.readout import pooled
from graphrings.settings import FAR, Settings, whole


class DCNN(Network):
    r"""Outputs from :math:`f(W_j \odot \frac{1}{N} 1^\top P^j X)`, all hops side by side.

    The original's graph form: no other layer, no dropout. It departs in two points: the weights
    start at one (there: near zero, for AdaGrad), and the loss is our trainer's cross-entropy
    (there: a hinge loss). P is that of the paper; the authors' code divides by degree + 1.
    """

    settings: ClassVar[Settings] = {
        "hops": whole("the steps of the diffusion", least=0, most=FAR),
    }

    def __init__(
        self, n_features: int, n_outputs: int, *, hops: int = 3, activation: str = "tanh"
    ) -> None:
        super().__init__()
        self.view = Diffusion(hops)
        self.conv = DiffusionConv(n_features, hops)
        self.activation = activation
        self.out = nn.Linear((hops + 1) * n_features, n_outputs)

    def by_hand(self) -> DCNNByHand | None:
        """In the fused lane, with an activation whose gradient is written out."""
        if not self._is_one_step(self.out.weight) or type(self).forward is not DCNN.forward:
            return None
        return DCNNByHand(self.conv, self.activation, self.out)

    def _is_one_step(self, features: Tensor) -> bool:
        return self.activation in WRITTEN_OUT and takes_fused_lane(features)

    def forward(self, batch: Batch) -> Tensor:
        """Convolve, then map; the only member of a graph is itself."""
        if self._is_one_step(batch.features):
            h = diffusion(batch.features, self.conv.weight, batch.rows[0], self.activation)
            return dense_stack(pooled([h], batch)[0], [(self.out.weight, self.out.bias)])
        h = ACTIVATIONS[self.activation](self.conv(batch.features, batch.rows[0]))
        return rows_at(self.out(h), batch.members)


@dataclass(frozen=True)
class Diffusion:
    """One row per graph; its block j holds the features of all nodes, weighted by hop j.

    That is all that is left of the graph in the mean over its nodes, so that a batch costs as much
    as there are different features in its graphs, whatever their edges.
    """

    hops: int

    def __call__(self, dataset: Dataset, start: NDArray[np.int64]) -> Levels:
        """Graphs stand in the place of colours at level 1."""
        colours, owner = numbered(start), dataset.owner
        n_colours = int(colours.max(initial=-1)) + 1
        pairs, pair = np.unique(owner.astype(np.int64) * n_colours + colours, return_inverse=True)
        weights = np.array([np.bincount(pair, hop) for hop in diffused(dataset, self.hops)], float)
        pair_ptr = np.searchsorted(pairs, n_colours * np.arange(len(dataset) + 1, dtype=np.int64))
        hop = np.tile(np.arange(self.hops + 1), len(dataset))
        chosen, bounds = spans(
            pair_ptr.astype(np.int32), np.repeat(np.arange(len(dataset)), self.hops + 1)
        )
        rows = WeightedRows.trusted(
            self.hops + 1,
            bounds.astype(np.int64),
            (pairs[chosen] % n_colours).astype(np.int32),
            weights[np.repeat(hop, np.diff(bounds)), chosen],
        )
        graphs = np.arange(len(dataset), dtype=np.int32)
        return Levels(
            (colours, owner),
            (rows,),
            (colours[dataset.graph_ptr[:-1]],),  # of the first node, though nobody asks
            np.append(graphs, np.int32(len(dataset))),
            graphs,
            np.ones_like(graphs),
        )
