"""Neural fingerprints, forwards and backwards without autograd."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from graphrings.fused.arrays import array_of, gradient_of
from graphrings.fused.dense_stack import DensePass
from graphrings.fused.fingerprint_stack import FingerprintPass, Seeing, Writer
from graphrings.fused.row_norm import Seen
from graphrings.fused.workspace import Workspace
from graphrings.networks.batches import Batch
from graphrings.networks.readout import DenseHead, graph_rows


class FingerprintByHand:
    """The layers that write fingerprints, and ``DenseHead``."""

    def __init__(
        self, layers: Sequence[Sequence[Tensor]], seen: Sequence[Seen], head: DenseHead
    ) -> None:
        last = head.parameters_in_order()
        values, self._grads = (
            [Writer.of(list(map(of, layer))) for layer in layers] for of in (array_of, gradient_of)
        )
        dense, self._dense_grads = (list(map(of, last)) for of in (array_of, gradient_of))
        space = Workspace(dense[0].dtype)
        self._head, self._dense = head, DensePass(dense, space)
        self._layers = FingerprintPass(values, seen, space)

    def outputs(self, batch: Batch) -> Tensor:
        """Write fingerprints, head."""
        shown = shown_to_writers(batch, self._head.training)
        x = self._layers.forward(array_of(batch.features), shown)
        kept = self._head.kept(len(x))
        dropped = None if kept is None else array_of(kept)
        return torch.from_numpy(self._dense.forward(x, dropped))

    def gradients(self, outputs: Tensor) -> None:
        """The same backwards."""
        x = self._dense.backward(array_of(outputs), self._dense_grads)
        assert x is not None
        self._layers.backward(x, self._grads)


def shown_to_writers(batch: Batch, training: bool) -> Seeing:
    """What the layers see of a batch."""
    graphs = graph_rows(batch, len(batch.rows), "sum")
    return Seeing(batch.rows, graphs, batch.counts()[1:] if training else ())
