"""GNN (Scarselli et al., 2009): states that agree with those of their neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from graphrings.distances.colours import refine
from graphrings.distances.levels import Levels, levels
from graphrings.distances.rings import rings
from graphrings.fused.lane import takes_fused_lane
from graphrings.fused.node_answers import node_answers
from graphrings.graphs.dataset import Dataset
from graphrings.layers.gnn_conv import GNNConv
from graphrings.layers.on_device import rows_at
from graphrings.networks.batches import Batch
from graphrings.networks.network import Network
from graphrings.networks.readout import DenseHead, Readout, graph_rows, pooled
from graphrings.networks.settled_by_hand import GNNByHand
from graphrings.settings import FAR, Setting, Settings, positive, whole


@dataclass(frozen=True)
class StableMeans:
    """The mean over the neighbours, as often as one likes."""

    def __call__(self, dataset: Dataset, start: NDArray[np.int64]) -> Levels:
        """What no number of steps tells apart: both levels have the same rows, in any order."""
        near = rings(dataset, 1)
        return levels(dataset.graph_ptr, near, refine(near, start), depth=1)


class GNN(Network):
    """The fixed point of Eq. (1), Eq. (2) for every node, the mean (or sum) of the nodes' outputs.

    f has one hidden layer of ``hidden`` units under tanh, g one of ``dense`` under ReLU; a state
    has ``width`` numbers. ``mu``, ``tolerance`` and ``max_steps`` belong to the fixed point.

    The original keeps f a contraction by a penalty on its derivative, which a step of the training
    may overshoot; here its weights are scaled down, and it is averaged over neighbours, not added
    up. It shows f the labels of edges, which are left out as in Eq. (1), and reads the output of a
    graph from one chosen node, where there is none to choose here.
    """

    settings: ClassVar[Settings] = {
        "hidden": whole("units of the hidden layer of f"),
        "mu": Setting(
            "how far apart a step leaves two states, at most",
            "a number above 0 and below 1",
            lambda value: 0 < value < 1,
        ),
        "tolerance": positive("the steps end when no number of a state moves by more"),
        "max_steps": whole("the steps end after so many", most=10 * FAR),
    }

    def __init__(
        self,
        n_features: int,
        n_outputs: int,
        *,
        width: int = 32,
        hidden: int = 32,
        mu: float = 0.9,
        tolerance: float = 1e-6,
        max_steps: int = 100,
        dense: int = 128,
        readout: Readout = "mean",
    ) -> None:
        super().__init__()
        self.view, self.readout = StableMeans(), readout
        self.conv = GNNConv(
            n_features, width, hidden, mu=mu, tolerance=tolerance, max_steps=max_steps
        )
        self.output = DenseHead(width + n_features, n_outputs, dense, dropout=0.0)

    def by_hand(self) -> GNNByHand | None:
        """In the fused lane."""
        if not takes_fused_lane(self.output.out.weight) or type(self).forward is not GNN.forward:
            return None
        return GNNByHand(self.conv, self.output, self.readout)

    def forward(self, batch: Batch) -> Tensor:
        """Settle, map every node, average or add up the nodes."""
        (near,), (parents,) = batch.rows, batch.parents
        x, h = batch.features, self.conv(batch.features, near)
        if takes_fused_lane(x):
            (graphs,) = graph_rows(batch, 1, self.readout)
            return node_answers(h, x, parents, graphs, self.output.parameters_in_order())
        outputs = self.output([h, rows_at(x, parents)])
        return pooled([outputs], batch, self.readout)[0]
