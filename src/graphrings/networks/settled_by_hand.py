"""GNN, forwards and backwards without autograd: the fixed point, and what nodes answer."""

from __future__ import annotations

import torch
from torch import Tensor

from graphrings.fused.arrays import array_of, gradient_of
from graphrings.fused.feature_rows import FeatureRows
from graphrings.fused.node_answers import NodePass
from graphrings.fused.settled_means import Maps, SettledPass
from graphrings.fused.workspace import Workspace
from graphrings.layers.gnn_conv import GNNConv
from graphrings.networks.batches import Batch
from graphrings.networks.readout import DenseHead, Readout, graph_rows


class GNNByHand:
    """A fixed point, ``DenseHead`` on states and features, and the sums or means of its outputs."""

    def __init__(self, conv: GNNConv, output: DenseHead, readout: Readout) -> None:
        maps, self._grads = (
            Maps(*map(of, conv.parameters_in_order())) for of in (array_of, gradient_of)
        )
        self._head_grads = [gradient_of(parameter) for parameter in output.parameters_in_order()]
        space = Workspace(maps.state.dtype)
        self._conv, self._readout = SettledPass(maps, conv.settling, space), readout
        layers = [array_of(parameter) for parameter in output.parameters_in_order()]
        self._head = NodePass(layers, space)

    def outputs(self, batch: Batch) -> Tensor:
        """Settle, map every node, average or add up the nodes."""
        (near,), (parents,) = batch.rows, batch.parents
        (graphs,) = graph_rows(batch, 1, self._readout)
        x = FeatureRows.of(array_of(batch.features), parents, self._conv.space)
        state = self._conv.forward(x, near, None, torch.is_grad_enabled())
        return torch.from_numpy(self._head.forward(state, x, graphs))

    def gradients(self, outputs: Tensor) -> None:
        """The same backwards."""
        state = self._head.backward(array_of(outputs), self._head_grads)
        self._conv.backward(state, self._grads)
