"""Ring convolutions on graphs and on paths, forwards and backwards without autograd."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from graphrings.distances.path_rings import path_means, path_rings
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.arrays import Floats, array_of
from graphrings.fused.dense_stack import DensePass
from graphrings.fused.path_stack import PathPass
from graphrings.fused.row_sums import SumsPass
from graphrings.fused.sorted_places import places_of
from graphrings.fused.wide_map import WideMapPass
from graphrings.fused.workspace import Workspace
from graphrings.layers.oriented_ring_conv import OrientedRingConv
from graphrings.networks.batches import Batch
from graphrings.networks.ring_layers_by_hand import RingLayersByHand
from graphrings.networks.whole_network import Gradients

if TYPE_CHECKING:
    from graphrings.networks.ring_fcn import RingFCN


class BlockFilters:
    """The filters of a convolution on paths, those of all blocks below each other.

    The layer keeps the filters of a channel side by side, as the map of a window has them.
    """

    def __init__(self, conv: OrientedRingConv, gradient: Gradients) -> None:
        self._weight, self.bias = array_of(conv.filters.weight), array_of(conv.filters.bias)
        self._grad, self.bias_grad = gradient(conv.filters.weight), gradient(conv.filters.bias)
        self._by_channel = conv.out_features, conv.width, conv.in_features
        shape = conv.width * conv.out_features, conv.in_features
        self.weight, self.grad = (np.empty(shape, self._weight.dtype) for _ in range(2))

    def take(self) -> None:
        """Take the weights as they are now."""
        self._by_block(self.weight)[:] = self._weight.reshape(self._by_channel)

    def put(self) -> None:
        """Put the gradient where it belongs."""
        self._grad.reshape(self._by_channel)[:] = self._by_block(self.grad)

    def _by_block(self, rows: Floats) -> Floats:
        """Rows by block, seen by channel."""
        out, width, given = self._by_channel
        return rows.reshape(width, out, given).swapaxes(0, 1)


class RingFCNByHand:
    """All passes of such a network, one after the other, in memory that is used again."""

    def __init__(self, network: RingFCN, gradient: Gradients) -> None:
        space, out = Workspace(array_of(network.out.filters.weight).dtype), network.out.filters
        convs = [cast(OrientedRingConv, conv) for conv in network.path_convs]
        self._network, self._layers = network, RingLayersByHand(network.layers, gradient, space)
        self._filters = [BlockFilters(conv, gradient) for conv in convs]
        first, *others = self._filters
        self._wide = WideMapPass(first.weight, network.layers.widths, space)
        self._path = PathPass(first.bias, [(own.weight, own.bias) for own in others], space)
        self._path_grads = [(own.grad, own.bias_grad) for own in others]
        self._means, parameters = SumsPass(space), (out.weight, out.bias)
        self._out = DensePass([array_of(parameter) for parameter in parameters], space)
        self._out_grads = [gradient(parameter) for parameter in parameters]

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def outputs(self, batch: Batch) -> Tensor:
        """Convolve, coarsen, convolve, average; the last convolution sees one node: it is a map."""
        network, parents = self._network, batch.parents[1:]
        layers = self._layers.forward(batch)
        for filters in self._filters:
            filters.take()
        rows = self._wide.forward(layers, parents)
        nodes = batch.graph_ptr, batch.members, batch.multiplicity
        places = places_of(tuple(layers), parents, *nodes, network.sort.k, True)
        lengths = (places >= 0).sum(axis=1)
        near = path_rings(lengths, network.path_radius)
        first = seen_from(near, places[places >= 0])
        h = self._path.forward(rows, first, near)
        kept = network.kept(len(h))
        self._dropped = None if kept is None else array_of(kept)
        if self._dropped is not None:
            h *= self._dropped  # ReLU's zeros stay: the way back through it is the same
        means = self._means.forward([h], [path_means(lengths)])
        return torch.from_numpy(self._out.forward(means, None))

    @np.errstate(all="ignore")
    def gradients(self, outputs: Tensor) -> None:
        """The same backwards."""
        means = self._out.backward(array_of(outputs), self._out_grads)
        assert means is not None
        (h,) = self._means.backward(means)
        if self._dropped is not None:
            h *= self._dropped
        first = self._filters[0]
        rows = self._path.backward(h, first.bias_grad, self._path_grads)
        self._layers.backward(self._wide.backward(rows, first.grad))
        for filters in self._filters:
            filters.put()


def seen_from(near: WeightedRows, members: NDArray[np.int32]) -> WeightedRows:
    """The same rows, which lead to others in the place of nodes 0, 1, ..."""
    return WeightedRows.trusted(near.width, near.indptr, members[near.indices], near.weights)
