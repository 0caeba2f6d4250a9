"""Ring convolutions under SortPooling, forwards and backwards without autograd.

Batches of small graphs are so little work that autograd's own, and fresh memory for every result,
would take half of the time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from graphrings.fused.arrays import Floats, array_of, gradient_of
from graphrings.fused.pooled_rows import PoolPass
from graphrings.fused.ring_stack import Filters, RingPass
from graphrings.fused.sorted_places import places_of
from graphrings.fused.window_stack import WindowPass
from graphrings.fused.workspace import Workspace
from graphrings.layers.ring_conv import RingConv
from graphrings.networks.batches import Batch
from graphrings.networks.head import SortPoolHead


class HeadByHand:
    """What follows SortPooling: the passes of pooling and of the windows."""

    def __init__(self, head: SortPoolHead, space: Workspace) -> None:
        behind = head.conv.filters, head.dense, head.out
        last = [parameter for part in behind for parameter in (part.weight, part.bias)]
        self._bias, self._bias_grad = (of(head.rows.filters.bias) for of in (array_of, gradient_of))
        self._behind, self._behind_grads = (list(map(of, last)) for of in (array_of, gradient_of))
        self._head, self._pool, self._windows = head, PoolPass(space), WindowPass(space)

    def outputs(
        self,
        read: Floats,
        lengths: Sequence[int],
        parents: Sequence[NDArray[np.int32]],
        places: NDArray[np.int32],
    ) -> Tensor:
        """The outputs of every graph; see ``pooled_rows``."""
        x = self._pool.forward(read, lengths, parents, places, self._bias)
        kept = self._head.kept(len(x))
        dropped = None if kept is None else kept.numpy()
        return torch.from_numpy(
            self._windows.forward(x, self._head.conv.size, self._behind, dropped)
        )

    def gradients(self, outputs: Tensor) -> Floats:
        """The gradient of what was read."""
        x = self._windows.backward(array_of(outputs), self._behind_grads)
        return self._pool.backward(x, self._bias_grad)


class SortPoolByHand:
    """All passes of such a network, one after the other, in memory that is used again."""

    def __init__(self, convs: Iterable[nn.Module], head: SortPoolHead) -> None:
        linear = [cast(RingConv, conv).filters for conv in convs]
        weights, biases = [part.weight for part in linear], [part.bias for part in linear]
        filters, self._grads = (
            Filters(
                [of(weight) for weight in weights],
                [None if bias is None else of(bias) for bias in biases],
                of(head.rows.filters.weight),
            )
            for of in (array_of, gradient_of)
        )
        self._sort, space = head.sort, Workspace(filters.readout.dtype)
        self._rings, self._head = RingPass(filters, space), HeadByHand(head, space)

    def outputs(self, batch: Batch) -> Tensor:
        """Convolve, sort, head."""
        sort, parents = self._sort, batch.parents[1:]  # the features are no layer
        read, layers = self._rings.forward(array_of(batch.features), batch.rows)
        nodes = batch.graph_ptr, batch.members, batch.multiplicity
        places = places_of(tuple(layers), parents, *nodes, sort.k, sort.ties == "all")
        return self._head.outputs(read, [len(h) for h in layers], parents, places)

    def gradients(self, outputs: Tensor) -> None:
        """The same backwards."""
        self._rings.backward(self._head.gradients(outputs), self._grads)
