"""The released network, forwards and backwards without autograd."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from graphrings.fused.arrays import Floats, array_of, gradient_of
from graphrings.fused.sorted_places import places_of
from graphrings.fused.stream_stack import Shared, StreamPass
from graphrings.fused.workspace import Workspace
from graphrings.networks.batches import Batch
from graphrings.networks.head import SortPoolHead
from graphrings.networks.sort_pool_by_hand import HeadByHand


class StreamsByHand:
    """Three streams under SortPooling: their pass and those of the head, one after the other."""

    def __init__(
        self, weights: Sequence[Tensor], biases: Sequence[Tensor], head: SortPoolHead
    ) -> None:
        shared, self._grads = (
            Shared(list(map(of, weights)), list(map(of, biases)), of(head.rows.filters.weight))
            for of in (array_of, gradient_of)
        )
        space = Workspace(shared.readout.dtype)
        self._k, self._streams = head.sort.k, StreamPass(shared, space)
        self._head = HeadByHand(head, space)

    def outputs(self, batch: Batch) -> Tensor:
        """Convolve, sort, head."""
        read, keys = self._streams.forward(array_of(batch.features), batch.rows)
        lengths = [len(keys), *(near.n_rows for near in batch.rows)]
        places = stream_places(keys, batch, self._k)
        return self._head.outputs(read, lengths, batch.parents, places)

    def gradients(self, outputs: Tensor) -> None:
        """The same backwards."""
        self._streams.backward(self._head.gradients(outputs), self._grads)


def stream_places(keys: Floats, batch: Batch, k: int) -> NDArray[np.int32]:
    """Which rows of the last layer SortPooling keeps, where features decide on the keys alone."""
    nodes = batch.graph_ptr, batch.members, batch.multiplicity
    return places_of((keys[batch.first_rows()][:, None],), (), *nodes, k, False)
