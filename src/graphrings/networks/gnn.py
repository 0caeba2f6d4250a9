"""GNN (Scarselli et al., 2009): states that agree with those of their neighbours."""

from __future__ import annotations

import operator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from graphrings.distances.colours import refine
from graphrings.distances.levels import Levels, levels
from graphrings.distances.rings import rings
from graphrings.graphs.dataset import Dataset
from graphrings.layers.gnn_conv import GNNConv
from graphrings.networks.batches import Batch
from graphrings.networks.network import Network
from graphrings.networks.readout import DenseHead, Readout, pooled


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

    checks = {  # noqa: RUF012
        "width": ("a whole number above 0", lambda v: operator.index(v) >= 1),
        "hidden": ("a whole number above 0", lambda v: operator.index(v) >= 1),
        "mu": ("a number above 0 and below 1", lambda v: 0 < v < 1),
        "tolerance": ("a number above 0", lambda v: v > 0),
        "max_steps": ("a whole number above 0", lambda v: operator.index(v) >= 1),
        "readout": ("mean or sum", lambda v: v in ("mean", "sum")),
    }

    def __init__(
        self,
        n_features: int,
        n_classes: int,
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
        self.output = DenseHead(width + n_features, n_classes, dense, dropout=0.0)

    def forward(self, batch: Batch) -> Tensor:
        """The scores of every graph of the batch."""
        (near,), (parents,) = batch.rings, batch.parents
        own = batch.features.index_select(0, torch.from_numpy(parents))
        outputs = self.output([self.conv(batch.features, near), own])
        return pooled([outputs], batch, self.readout)[0]
