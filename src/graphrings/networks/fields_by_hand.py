"""PATCHY-SAN, forwards and backwards without autograd."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from graphrings.fused.arrays import array_of, gradient_of
from graphrings.fused.dense_stack import DensePass
from graphrings.fused.field_stack import Convolutions, FieldPass, in_sequence
from graphrings.fused.workspace import Workspace
from graphrings.networks.batches import Batch
from graphrings.networks.readout import DenseHead


class FieldsByHand:
    """Both convolutions and ``DenseHead``; ``parameters`` are those of ``Convolutions``."""

    def __init__(self, parameters: Sequence[Tensor], width: int, head: DenseHead) -> None:
        space = Workspace(array_of(head.out.weight).dtype)
        dense = head.parameters_in_order()
        self._width, self._kept = width, head.kept
        self._fields = FieldPass(Convolutions(*map(array_of, parameters)), space)
        self._dense = DensePass([array_of(parameter) for parameter in dense], space)
        self._grads = Convolutions(*map(gradient_of, parameters))
        self._dense_grads = [gradient_of(parameter) for parameter in dense]

    def outputs(self, batch: Batch) -> Tensor:
        """Convolve the fields, lay them out, convolve, head."""
        near = batch.rows[0]
        places = in_sequence(batch.graph_ptr, batch.members, self._width, near.n_rows)
        x = self._fields.forward(array_of(batch.features), near, places)
        kept = self._kept(len(x))
        dropped = None if kept is None else array_of(kept)
        return torch.from_numpy(self._dense.forward(x, dropped))

    def gradients(self, outputs: Tensor) -> None:
        """The same backwards."""
        x = self._dense.backward(array_of(outputs), self._dense_grads)
        assert x is not None
        self._fields.backward(x, self._grads)
