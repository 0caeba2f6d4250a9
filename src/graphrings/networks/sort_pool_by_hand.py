"""Ring convolutions under SortPooling, forwards and backwards without autograd.

Batches of small graphs are so little work that autograd's own, and fresh memory for every result,
would take half of the time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, cast

import torch
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


class Parameters(NamedTuple):
    """Those of all convolutions, the bias of the rows, what follows; or the gradients of these."""

    filters: Filters
    bias: Floats
    behind: list[Floats]


class SortPoolByHand:
    """The three passes of such a network, one after the other, in memory that is used again."""

    def __init__(self, convs: Iterable[nn.Module], head: SortPoolHead) -> None:
        linear = [cast(RingConv, conv).filters for conv in convs]
        rows, behind = head.rows.filters, (head.conv.filters, head.dense, head.out)
        weights, biases = [part.weight for part in linear], [part.bias for part in linear]
        last = [parameter for part in behind for parameter in (part.weight, part.bias)]
        self._values, self._grads = (
            Parameters(
                Filters(
                    [of(weight) for weight in weights],
                    [None if bias is None else of(bias) for bias in biases],
                    of(rows.weight),
                ),
                of(rows.bias),
                [of(parameter) for parameter in last],
            )
            for of in (array_of, gradient_of)
        )
        self._head, space = head, Workspace(self._values.bias.dtype)
        self._rings = RingPass(self._values.filters, space)
        self._pool, self._windows = PoolPass(space), WindowPass(space)

    def outputs(self, batch: Batch) -> Tensor:
        """Convolve, sort, head."""
        head, parents = self._head, batch.parents[1:]  # the features are no layer
        read, layers = self._rings.forward(array_of(batch.features), batch.rows)
        nodes = batch.graph_ptr, batch.members, batch.multiplicity
        places = places_of(tuple(layers), parents, *nodes, head.sort.k, head.sort.ties == "all")
        x = self._pool.forward(read, [len(h) for h in layers], parents, places, self._values.bias)
        kept = head.kept(len(x))
        dropped = None if kept is None else kept.numpy()
        return torch.from_numpy(
            self._windows.forward(x, head.conv.size, self._values.behind, dropped)
        )

    def gradients(self, outputs: Tensor) -> None:
        """The same backwards."""
        x = self._windows.backward(array_of(outputs), self._grads.behind)
        read = self._pool.backward(x, self._grads.bias)
        self._rings.backward(read, self._grads.filters)
