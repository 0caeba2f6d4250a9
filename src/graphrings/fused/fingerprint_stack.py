"""All layers of neural fingerprints as one step, from features to what every graph has written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from graphrings.compiled import compiled
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.arrays import Floats, array_of, weighted_arrays
from graphrings.fused.degree_filter import DegreePass, sort_by_degree
from graphrings.fused.row_norm import Counts, Seen, back_through_norm, normalise
from graphrings.fused.row_sums import add_members, to_members
from graphrings.fused.workspace import Workspace
from graphrings.hardware import SPAN, put_span, span
from graphrings.loops import ZERO, U

LONG = U(SPAN)


class Writer(NamedTuple):
    """What a layer has, or the gradients of it.

    Scale and shift of the norm, weight and bias of what is written, and a matrix for every degree.
    """

    scale: Floats
    shift: Floats
    weight: Floats
    bias: Floats
    filters: Sequence[Floats]

    @classmethod
    def of(cls, arrays: Sequence[Floats]) -> Writer:
        """From all arrays in order."""
        scale, shift, weight, bias, *filters = arrays
        return Writer(scale, shift, weight, bias, filters)

    def arrays(self) -> list[Floats]:
        """All arrays in order."""
        return [self.scale, self.shift, self.weight, self.bias, *self.filters]


class Seeing(NamedTuple):
    """What a batch shows to the layers.

    ``near`` are rows of radius 1 with counts for weights, ``graphs`` the nodes of every graph at
    the levels of the layers, with counts too. Without ``counts``, which say how many nodes a row
    stands for, the norms are by what was seen in training.
    """

    near: Sequence[WeightedRows]
    graphs: Sequence[WeightedRows]
    counts: Sequence[Counts]


def fingerprint_stack(
    h: Tensor, batch: Seeing, seen: Sequence[Seen], layers: Sequence[Sequence[Tensor]]
) -> Tensor:
    """What the nodes of every graph have written in all layers, with ReLU; (graphs, length).

    ``seen`` are the running mean and variance of every norm, which move towards the batch;
    ``layers`` are the parameters of every layer in the order of ``Writer``.
    """
    parameters = [parameter for layer in layers for parameter in layer]
    written: Tensor = FingerprintStack.apply(h, batch, seen, len(layers), *parameters)
    return written


class FingerprintStack(torch.autograd.Function):
    """``FingerprintPass`` for autograd."""

    @staticmethod
    def forward(
        ctx: Any, h: Tensor, batch: Seeing, seen: Sequence[Seen], depth: int, *parameters: Tensor
    ) -> Tensor:
        """All layers."""
        arrays = [array_of(parameter) for parameter in parameters]
        size = len(arrays) // depth
        own = [Writer.of(arrays[size * level : size * (level + 1)]) for level in range(depth)]
        ctx.layers = FingerprintPass(own, seen, Workspace(arrays[0].dtype))
        return torch.from_numpy(ctx.layers.forward(array_of(h), batch))

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Any, ...]:
        """The same steps backwards."""
        made = [Writer.of(list(map(np.empty_like, own.arrays()))) for own in ctx.layers.layers]
        h = ctx.layers.backward(array_of(grads[0]), made, ctx.needs_input_grad[0])
        parameters = [torch.from_numpy(array) for own in made for array in own.arrays()]
        return None if h is None else torch.from_numpy(h), None, None, None, *parameters


class Level(NamedTuple):
    """What the way back needs of a layer, whose rows stand by degree.

    They are filtered sums in ``y``, normalised in ``out``, and ``written`` as shares.
    """

    graphs: tuple[Any, Any, Any, int]
    counts: Counts
    y: Floats
    statistics: Floats
    out: Floats
    written: Floats


class FingerprintPass:
    """One pass forwards and one backwards through all layers.

    The rows of a level are put in the order of their degrees, so that those of a degree are one
    piece of memory. What the way back needs is kept in the workspace, until the next pass.
    """

    def __init__(self, layers: Sequence[Writer], seen: Sequence[Seen], space: Workspace) -> None:
        self.layers, self._seen, self._space = layers, seen, space
        self._convs = [
            DegreePass(layer.filters, space, f"layer {level}") for level, layer in enumerate(layers)
        ]

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def forward(self, h: Floats, batch: Seeing) -> Floats:
        """What every graph has written."""
        array, self._levels = self._space.array, list[Level]()
        places = np.empty(0, dtype=np.int32)  # of the rows of the level before
        length = len(self.layers[0].bias)
        total = array("fingerprints", batch.graphs[0].n_rows, length)
        total[:] = 0
        for level, layer in enumerate(self.layers):
            n_rows, n_columns = batch.near[level].n_rows, len(layer.scale)
            given = weighted_arrays(batch.near[level], h.dtype)[:3]
            sorted_ = sort_by_degree(*given, places, len(layer.filters))
            places, bounds, rows = sorted_[0], sorted_[1].tolist(), (*sorted_[2:], 1)
            counts = np.empty(n_rows if batch.counts else 0, dtype=np.int64)
            if batch.counts:
                counts[places] = batch.counts[level]
            y = self._convs[level].forward(h, rows, bounds)
            out = array(f"out {level}", n_rows, n_columns)
            norm = layer.scale, layer.shift, *self._seen[level], out
            statistics = normalise(counts, True, y, *norm)
            written = array(f"written {level}", n_rows, length)
            np.dot(out, layer.weight.T, out=written)
            written += layer.bias
            shares = torch.from_numpy(written)
            torch.softmax(shares, dim=1, out=shares)
            indptr, members, weights, width = weighted_arrays(batch.graphs[level], h.dtype)
            graphs = indptr, places[members], weights, width
            add_members(written, *graphs, False, total)
            self._levels.append(Level(graphs, counts, y, statistics, out, written))
            h = out
        return total

    @np.errstate(all="ignore")
    def backward(
        self, grad: Floats, made: Sequence[Writer], of_input: bool = False
    ) -> Floats | None:
        """Write the gradients of all layers, given that of what was written; the input's."""
        array, below = self._space.array, None
        for level in range(len(self.layers) - 1, -1, -1):
            layer, own, kept = self.layers[level], made[level], self._levels[level]
            shares = array("written grad", *kept.written.shape)
            shares[:] = 0
            to_members(grad, *kept.graphs, False, shares)
            back_through_softmax(kept.written, array("lanes", SPAN), shares, own.bias)
            np.dot(shares.T, kept.out, out=own.weight)
            out, y = array("out grad", *kept.out.shape), array("y grad", *kept.y.shape)
            np.dot(shares, layer.weight, out=out)
            if below is not None:
                out += below
            norm = out, kept.y, layer.scale, kept.statistics, kept.out, y
            own.scale[:], own.shift[:] = back_through_norm(kept.counts, True, *norm)
            below = self._convs[level].backward(y, own.filters, level > 0 or of_input)
        return below


@compiled
def back_through_softmax(shares: Floats, lanes: Floats, grad: Floats, total: Floats) -> None:
    """From the gradient of every row's shares to that of what they are the softmax of, in place.

    ``total`` becomes the sum of all rows; ``lanes`` is room for a span.
    """
    width = U(shares.shape[1])
    in_spans = width // LONG * LONG
    total[:] = 0
    for v in range(U(len(shares))):
        here, lanes[:] = v * width, 0
        sums = span(lanes, ZERO)
        for c in range(ZERO, in_spans, LONG):
            sums = sums + span(shares, here + c) * span(grad, here + c)
        put_span(lanes, ZERO, sums)
        mean = lanes.dtype.type(0)
        for lane in range(LONG):
            mean += lanes[lane]
        for c in range(in_spans, width):
            mean += shares[v, c] * grad[v, c]
        for c in range(ZERO, in_spans, LONG):
            own = span(shares, here + c) * (-mean + span(grad, here + c))
            put_span(grad, here + c, own)
            put_span(total, c, span(total, c) + own)
        for c in range(in_spans, width):
            grad[v, c] = shares[v, c] * (grad[v, c] - mean)
            total[c] += grad[v, c]
