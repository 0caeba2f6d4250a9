"""NN4G, forwards and backwards without autograd."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

import numpy as np
import torch
from torch import Tensor

from graphrings.fused.arrays import array_of, gradient_of
from graphrings.fused.dense_stack import DensePass
from graphrings.fused.nn4g_stack import Maps, NN4GPass
from graphrings.fused.row_sums import SumsPass
from graphrings.fused.workspace import Workspace
from graphrings.networks.batches import Batch
from graphrings.networks.readout import Readout, graph_rows


class NN4GByHand:
    """All layers, the sums or means of each, and an output layer that comes in parts."""

    def __init__(
        self,
        parameters: Sequence[Tensor],
        activation: str,
        readout: Readout,
        outputs: Sequence[Tensor],
        bias: Tensor,
    ) -> None:
        values, self._grads = (Maps.of(list(map(of, parameters))) for of in (array_of, gradient_of))
        self._parts, self._part_grads = (list(map(of, outputs)) for of in (array_of, gradient_of))
        bounds = accumulate((part.shape[1] for part in self._parts), initial=0)
        self._columns = [slice(*both) for both in pairwise(bounds)]
        space, self._readout = Workspace(values.biases[0].dtype), readout
        self._weight = space.array("outputs", len(bias), self._columns[-1].stop)
        self._grad = space.array("outputs grad", *self._weight.shape)
        self._bias_grad = gradient_of(bias)
        self._layers, self._sums = NN4GPass(values, activation, space), SumsPass(space)
        self._dense = DensePass([self._weight, array_of(bias)], space)

    def outputs(self, batch: Batch) -> Tensor:
        """Convolve, average or add up the nodes of every layer, map."""
        layers = self._layers.forward(array_of(batch.features), batch.rows, batch.parents)
        x = self._sums.forward(layers, graph_rows(batch, len(layers), self._readout))
        np.concatenate(self._parts, axis=1, out=self._weight)
        return torch.from_numpy(self._dense.forward(x, None))

    def gradients(self, outputs: Tensor) -> None:
        """The same backwards."""
        x = self._dense.backward(array_of(outputs), [self._grad, self._bias_grad])
        assert x is not None
        for part, columns in zip(self._part_grads, self._columns, strict=True):
            part[:] = self._grad[:, columns]
        self._layers.backward(self._sums.backward(x), self._grads)
