"""Several ring convolutions on top of each other, and a linear map of all their results."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from graphrings.compiled import compiled
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.arrays import Floats, array_of, weighted_arrays
from graphrings.fused.rational_tanh import tanh_of
from graphrings.fused.ring_filter import gather_row, scatter
from graphrings.fused.workspace import Workspace
from graphrings.loops import U


class Filters(NamedTuple):
    """Weights and biases of all layers, and the map of their results; or the gradients of these."""

    weights: Sequence[Floats]
    biases: Sequence[Floats | None]
    readout: Floats


def ring_stack(
    h: Tensor,
    near: Sequence[WeightedRows],
    filters: Sequence[tuple[Tensor, Tensor | None]],
    readout: Tensor,
) -> tuple[Tensor, list[Tensor]]:
    """Stacked ring convolutions with tanh: what ``readout`` makes of the layers, and the layers.

    ``filters`` are a weight and a bias (or None) per layer; ``readout`` has a column for every
    column of every layer. The first result holds the rows of all layers below each other, each
    mapped by its own columns. The layers carry no gradient. No row of ``near`` may have members
    that a layer does not have.
    """
    parameters = [parameter for both in filters for parameter in both]
    read, *layers = RingStack.apply(h, readout, tuple(near), *parameters)
    return read, layers


class RingStack(torch.autograd.Function):
    """``RingPass`` for autograd."""

    @staticmethod
    def forward(
        ctx: Any, h: Tensor, readout: Tensor, near: tuple[WeightedRows, ...], *parameters: Any
    ) -> tuple[Tensor, ...]:
        """All layers."""
        weights = [array_of(weight) for weight in parameters[::2]]
        biases = [None if bias is None else array_of(bias) for bias in parameters[1::2]]
        filters = Filters(weights, biases, array_of(readout))
        ctx.rings = RingPass(filters, Workspace(filters.readout.dtype))
        read, layers = ctx.rings.forward(array_of(h), near)
        results = torch.from_numpy(read), *map(torch.from_numpy, layers)
        ctx.mark_non_differentiable(*results[1:])
        ctx.set_materialize_grads(False)  # no zeros in the place of what the layers do not have
        return results

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """The same steps backwards."""
        filters = ctx.rings.filters
        made = Filters(
            [np.empty_like(weight) for weight in filters.weights],
            [None if bias is None else np.empty_like(bias) for bias in filters.biases],
            np.empty_like(filters.readout),
        )
        inputs = ctx.rings.backward(array_of(grads[0]), made, ctx.needs_input_grad[0])
        parameters = [
            array for both in zip(made.weights, made.biases, strict=True) for array in both
        ]
        return tuple(
            None if array is None else torch.from_numpy(array)
            for array in (inputs, made.readout, None, *parameters)
        )


class RingPass:
    """One pass forwards and one backwards through all layers with some filters.

    A layer shares its dense product with the readout of the one before. What the way back needs is
    kept in the workspace, until the next pass.
    """

    def __init__(self, filters: Filters, space: Workspace) -> None:
        self.filters, self._space, self._number = filters, space, filters.readout.dtype
        bounds = accumulate(map(len, filters.weights), initial=0)
        self._columns = [slice(*both) for both in pairwise(bounds)]  # of the readout, by layer
        self._added = [
            np.zeros(len(weight), self._number) if bias is None else bias
            for weight, bias in zip(filters.weights, filters.biases, strict=True)
        ]

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def forward(self, h: Floats, near: Sequence[WeightedRows]) -> tuple[Floats, list[Floats]]:
        """What ``readout`` makes of the rows of all layers, and the rows."""
        bounds = accumulate((block.n_rows for block in near), initial=0)
        self._parts, self._near = [slice(*both) for both in pairwise(bounds)], near
        read = self._space.array("read", self._parts[-1].stop, len(self.filters.readout))
        self._layers, self._joined = [h], []
        for level, block in enumerate(near):
            above, joined = self._layers[-1], self._join(level)
            rows = self._space.array("rows", len(above), len(joined))
            out = self._space.array(f"layer {level}", block.n_rows, len(self._added[level]))
            arrays = weighted_arrays(block, self._number)
            np.dot(above, joined.T, out=rows)
            if level:
                read[self._parts[level - 1]] = rows[:, out.shape[1] :]
            gather_with_tanh(rows, self._added[level], *arrays, out)
            if self._number != np.float32:
                np.tanh(out, out=out)
            self._layers.append(out)
            self._joined.append(joined)
        self._last = np.ascontiguousarray(self.filters.readout[:, self._columns[-1]])
        np.dot(self._layers[-1], self._last.T, out=read[self._parts[-1]])
        return read, self._layers[1:]

    @np.errstate(all="ignore")
    def backward(self, read: Floats, grads: Filters, of_input: bool = False) -> Floats | None:
        """Write the gradients of all filters, given those of what was read; return the input's."""
        last = read[self._parts[-1]]
        grads.readout[:, self._columns[-1]] = np.dot(last.T, self._layers[-1])
        grad = self._space.array("grad", *self._layers[-1].shape)
        np.dot(last, self._last, out=grad)
        for level in range(len(self._near) - 1, -1, -1):
            h, out, joined = self._layers[level], self._layers[level + 1], self._joined[level]
            width, goes_on = out.shape[1], level > 0 or of_input
            rows, made = (
                self._space.array("rows", len(h), len(joined)),
                self._space.array("made", *joined.shape),
            )
            bias = self._space.array("bias", width)
            # What ``scatter`` has passed on is not needed any more.
            below = self._space.array("grad", *(h.shape if goes_on else (0, 0)))
            behind = read[self._parts[level - 1]] if level else self._space.array("none", len(h), 0)
            arrays = weighted_arrays(self._near[level], self._number)
            scatter(grad, out, True, behind, *arrays, rows, bias)
            np.dot(rows.T, h, out=made)
            if goes_on:
                np.dot(rows, joined, out=below)
            grads.weights[level][:] = made[:width]
            if (own := grads.biases[level]) is not None:
                own[:] = bias
            if level:
                grads.readout[:, self._columns[level - 1]] = made[width:]
            grad = below
        return grad if of_input else None

    def _join(self, level: int) -> Floats:
        """The filters of a layer, and below them the readout of the one before."""
        weight = self.filters.weights[level]
        if not level:
            return weight
        own = self.filters.readout[:, self._columns[level - 1]]
        joined = self._space.array(f"filters {level}", len(weight) + len(own), weight.shape[1])
        joined[: len(weight)], joined[len(weight) :] = weight, own
        return joined


@compiled
def gather_with_tanh(
    rows: Floats,
    bias: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    weights: Floats,
    width: int,
    out: Floats,
) -> None:
    """Row u of ``rows`` is what u looks like from every ring; tanh in single precision alone."""
    n_columns = U(out.shape[1])
    for v in range(U(len(out))):
        gather_row(rows, bias, indptr, indices, weights, U(width), v, out)
        if out.itemsize == 4:
            for c in range(n_columns):  # while the row is still at hand
                out[v, c] = tanh_of(out[v, c])
