"""All layers of neural fingerprints as one step, from features to what every graph has written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from graphrings.compiled import compiled
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.arrays import Floats, array_of, weighted_arrays
from graphrings.fused.ring_filter import gather, scatter
from graphrings.fused.row_norm import Counts, Seen, back_through_norm, normalise
from graphrings.fused.row_sums import add_members, to_members
from graphrings.fused.workspace import Workspace

LANES = 16  # sums that a loop makes side by side


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

    ``bounds`` says where degrees begin; the rows of ``h`` are summed up in ``x``, filtered in
    ``y``, normalised in ``out``, and ``written`` as shares.
    """

    h: Floats
    arrays: tuple[Any, Any, Any, int]
    graphs: tuple[Any, Any, Any, int]
    counts: Counts
    bounds: list[int]
    x: Floats
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
            places, bounds, *rows = sort_by_degree(*given, places, len(layer.filters))
            arrays = *rows, 1
            counts = np.empty(n_rows if batch.counts else 0, dtype=np.int64)
            if batch.counts:
                counts[places] = batch.counts[level]
            x = array(f"sums {level}", n_rows, h.shape[1])
            y, out = (array(f"{name} {level}", n_rows, n_columns) for name in ("y", "out"))
            nothing = array("no bias", h.shape[1])
            nothing[:] = 0
            gather(h, nothing, *arrays, x)
            ends = bounds.tolist()
            for degree, weight in enumerate(layer.filters):
                own = slice(*ends[degree : degree + 2])
                np.dot(x[own], weight.T, out=y[own])
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
            self._levels.append(
                Level(h, arrays, graphs, counts, ends, x, y, statistics, out, written)
            )
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
            back_through_softmax(kept.written, array("lanes", LANES), shares)
            np.dot(shares.T, kept.out, out=own.weight)
            np.sum(shares, axis=0, out=own.bias)
            out, y = array("out grad", *kept.out.shape), array("y grad", *kept.y.shape)
            np.dot(shares, layer.weight, out=out)
            if below is not None:
                out += below
            norm = out, kept.y, layer.scale, kept.statistics, kept.out, y
            own.scale[:], own.shift[:] = back_through_norm(kept.counts, True, *norm)
            goes_on = level > 0 or of_input
            x = array("sums grad", *(kept.x.shape if goes_on else (0, 0)))
            for degree, weight in enumerate(layer.filters):
                part = slice(*kept.bounds[degree : degree + 2])
                np.dot(y[part].T, kept.x[part], out=own.filters[degree])
                if goes_on:
                    np.dot(y[part], weight, out=x[part])
            if goes_on:
                below = array("below", *kept.h.shape)
                nothing, bias = array("none", len(below), 0), array("bias", x.shape[1])
                scatter(x, x, False, nothing, *kept.arrays, below, bias)
        return below if of_input else None


@compiled
def sort_by_degree(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    weights: Floats,
    places: NDArray[np.int32],
    n_degrees: int,
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64], NDArray[np.int32], Floats]:
    """Rows of two blocks in the order of their degrees, both blocks as one.

    A degree is the sum of the weights of block 1; all from the last one on count as one. Returned
    are the new places of the rows, where every degree begins, and the rows. ``places`` are those of
    their members, where these have moved.
    """
    n_rows = (len(indptr) - 1) // 2
    new, bounds = np.empty(n_rows, dtype=np.int32), np.zeros(n_degrees + 1, dtype=np.int64)
    for v in range(n_rows):
        degree = 0.0
        for e in range(indptr[2 * v + 1], indptr[2 * v + 2]):
            degree += weights[e]
        new[v] = min(int(degree), n_degrees - 1)
        bounds[new[v] + 1] += 1
    for degree in range(n_degrees):
        bounds[degree + 1] += bounds[degree]
    free = bounds.copy()
    ends = np.zeros(n_rows + 1, dtype=np.int64)
    for v in range(n_rows):
        place = free[new[v]]
        free[new[v]] += 1
        new[v] = place
        ends[place + 1] = indptr[2 * v + 2] - indptr[2 * v]
    for v in range(n_rows):
        ends[v + 1] += ends[v]
    members, sorted_weights = np.empty_like(indices), np.empty_like(weights)
    moved = len(places) > 0
    for v in range(n_rows):
        at = ends[new[v]]
        for e in range(indptr[2 * v], indptr[2 * v + 2]):
            members[at] = places[indices[e]] if moved else indices[e]
            sorted_weights[at] = weights[e]
            at += 1
    return new, bounds, ends, members, sorted_weights


@compiled
def back_through_softmax(shares: Floats, lanes: Floats, grad: Floats) -> None:
    """From the gradient of every row's shares to that of what they are the softmax of, in place.

    The sum over a row is made in as many ``lanes`` as that has places.
    """
    width = shares.shape[1]
    whole = width // len(lanes) * len(lanes)
    for v in range(len(shares)):
        lanes[:] = 0
        for c in range(0, whole, len(lanes)):
            for lane in range(len(lanes)):
                lanes[lane] += shares[v, c + lane] * grad[v, c + lane]
        mean = lanes.dtype.type(0)
        for lane in range(len(lanes)):
            mean += lanes[lane]
        for c in range(whole, width):
            mean += shares[v, c] * grad[v, c]
        for c in range(width):
            grad[v, c] = shares[v, c] * (grad[v, c] - mean)
