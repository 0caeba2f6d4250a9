"""Ring layers under readouts of sets, forwards and backwards without autograd."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn

from graphrings.fused.arrays import Floats, array_of
from graphrings.fused.dense_stack import DensePass
from graphrings.fused.largest import largest_members, to_largest
from graphrings.fused.row_norm import back_through_norm, normalise
from graphrings.fused.row_sums import SumsPass
from graphrings.fused.wide_map import WideMapPass
from graphrings.fused.workspace import Workspace
from graphrings.layers.row_norm import RowNorm
from graphrings.networks.batches import Batch
from graphrings.networks.readout import graph_rows
from graphrings.networks.ring_layers_by_hand import RingLayersByHand
from graphrings.networks.whole_network import Gradients

if TYPE_CHECKING:
    from graphrings.networks.pgc_sets import PGCSets


class DeepSetsByHand:
    """The sum over the nodes of every graph of a dense layer with ReLU."""

    def __init__(
        self, phi: nn.Linear, widths: list[int], gradient: Gradients, space: Workspace
    ) -> None:
        self._bias, self._grads = array_of(phi.bias), (gradient(phi.weight), gradient(phi.bias))
        self._phi, self._sums = WideMapPass(array_of(phi.weight), widths, space), SumsPass(space)

    def forward(self, layers: list[Floats], batch: Batch) -> Floats:
        """One row per graph."""
        self._rows = rows = self._phi.forward(layers, batch.parents[1:])
        rows += self._bias
        np.maximum(rows, 0, out=rows)
        return self._sums.forward([rows], graph_rows(batch, 1, "sum"))

    def backward(self, grad: Floats) -> list[Floats]:
        """The gradients of the rows of all layers."""
        (rows,) = self._sums.backward(grad)
        rows *= self._rows > 0
        weight, bias = self._grads
        np.sum(rows, axis=0, out=bias)
        return self._phi.backward(rows, weight)


class MeanSumMaxByHand:
    """Mean, sum and maximum over the nodes of every graph, all layers side by side in each."""

    def __init__(self, space: Workspace) -> None:
        self._sums, self._space = SumsPass(space), space

    def forward(self, layers: list[Floats], batch: Batch) -> Floats:
        """One row per graph."""
        self._layers, self._near = layers, graph_rows(batch, len(layers), "sum")
        total = self._sums.forward(layers, self._near)
        self._per_node = (1 / batch.n_nodes()).astype(total.dtype)[:, None]
        width = total.shape[1]
        self._out = out = self._space.array("read out", len(total), 3 * width)
        np.multiply(total, self._per_node, out=out[:, :width])
        out[:, width : 2 * width] = total
        first = 2 * width
        for h, near in zip(layers, self._near, strict=True):
            largest_members(h, near.indptr, near.indices, first, out)
            first += h.shape[1]
        return out

    def backward(self, grad: Floats) -> list[Floats]:
        """The gradients of the rows of all layers."""
        first = 2 * grad.shape[1] // 3
        grads = self._sums.backward(
            grad[:, first // 2 : first] + grad[:, : first // 2] * self._per_node
        )
        for h, near, out in zip(self._layers, self._near, grads, strict=True):
            to_largest(grad, h, near.indptr, near.indices, first, self._out, out)
            first += h.shape[1]
        return grads


class NormByHand:
    """A norm over the graphs of a batch in training, and over those seen afterwards."""

    def __init__(self, norm: RowNorm, gradient: Gradients, space: Workspace) -> None:
        self._norm, self._space = norm, space
        self._scale, self._shift = array_of(norm.weight), array_of(norm.bias)
        self._grads = gradient(norm.weight), gradient(norm.bias)

    def forward(self, x: Floats) -> Floats:
        """Normalise."""
        out = self._space.array("graphs normed", *x.shape)
        counts = np.ones(len(x) if self._norm.training else 0, dtype=np.int64)
        arrays = x, self._scale, self._shift, *self._norm.seen(), out
        self._kept = counts, x, normalise(counts, False, *arrays), out
        return out

    def backward(self, grad: Floats) -> Floats:
        """The gradient of what was normalised."""
        (counts, x, statistics, out), (scale, shift) = self._kept, self._grads
        below = self._space.array("graphs grad", *x.shape)
        scale[:], shift[:] = back_through_norm(
            counts, False, grad, x, self._scale, statistics, out, below
        )
        return below


class SetsByHand:
    """All passes of such a network, one after the other, in memory that is used again."""

    def __init__(self, network: PGCSets, gradient: Gradients) -> None:
        space = Workspace(array_of(network.out.weight).dtype)
        dense = [p for part in (network.dense, network.out) for p in (part.weight, part.bias)]
        self._network = network
        self._layers = RingLayersByHand(network.layers, gradient, space)
        self._readout = network.readout.by_hand(network.layers.widths, gradient, space)
        self._norm = NormByHand(network.norm, gradient, space)
        self._dense = DensePass([array_of(parameter) for parameter in dense], space)
        self._dense_grads = [gradient(parameter) for parameter in dense]

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def outputs(self, batch: Batch) -> Tensor:
        """Convolve, read out, map."""
        x = self._norm.forward(self._readout.forward(self._layers.forward(batch), batch))
        kept = self._network.kept(len(x))
        dropped = None if kept is None else array_of(kept)
        return torch.from_numpy(self._dense.forward(x, dropped))

    @np.errstate(all="ignore")
    def gradients(self, outputs: Tensor) -> None:
        """The same backwards."""
        x = self._dense.backward(array_of(outputs), self._dense_grads)
        assert x is not None
        self._layers.backward(self._readout.backward(self._norm.backward(x)))
