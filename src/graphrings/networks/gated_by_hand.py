"""GGNN, forwards and backwards without autograd: gated steps, the gated sum, dense layers."""

from __future__ import annotations

import numpy as np
from torch import Tensor, nn

from graphrings.fused.arrays import array_of, gradient_of
from graphrings.fused.gated_rows import GatePass
from graphrings.fused.gated_steps import GatedPass, Gates
from graphrings.fused.workspace import Workspace
from graphrings.layers.ggnn_conv import GGNNConv
from graphrings.networks.batches import Batch
from graphrings.networks.pooled_by_hand import Behind
from graphrings.networks.readout import DenseHead


class GGNNByHand:
    """Steps from the features, or from a map of them; ``gate`` are the maps of the gated sum."""

    def __init__(
        self,
        embedding: nn.Linear | None,
        conv: GGNNConv,
        gate: tuple[nn.Linear, nn.Linear],
        head: DenseHead,
    ) -> None:
        parts = [] if embedding is None else [embedding.weight, embedding.bias]
        maps = [parameter for part in gate for parameter in (part.weight, part.bias)]
        self._embedding = [array_of(parameter) for parameter in parts]
        self._embedding_grads = [gradient_of(parameter) for parameter in parts]
        values, self._grads = (
            Gates(*map(of, conv.parameters_in_order())) for of in (array_of, gradient_of)
        )
        self._gate_grads = [gradient_of(parameter) for parameter in maps]
        self._space = space = Workspace(values.message.dtype)
        self._steps = GatedPass(values, space)
        self._gate = GatePass([array_of(parameter) for parameter in maps], space)
        self._behind = Behind("sum", (head.dense, head.out), head.kept, space)

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def outputs(self, batch: Batch) -> Tensor:
        """Step by step, then the gated sum, head."""
        self._x = h = x = array_of(batch.features)
        if self._embedding:
            weight, bias = self._embedding
            h = np.dot(x, weight.T, out=self._space.array("embedded", len(x), len(weight)))
            h += bias
        state = self._steps.forward(h, batch.rows)
        return self._behind.outputs([self._gate.forward(state, x, batch.first_rows())], batch)

    @np.errstate(all="ignore")
    def gradients(self, outputs: Tensor) -> None:
        """The same backwards."""
        (rows,) = self._behind.gradients(outputs)
        state = self._gate.backward(rows, self._gate_grads)
        h = self._steps.backward(state, self._grads, bool(self._embedding))
        if h is not None:
            weight, bias = self._embedding_grads
            np.dot(h.T, self._x, out=weight)
            np.sum(h, axis=0, out=bias)
