"""The three streams of the released network, and a linear map of all their results.

Both streams that see neighbours divide the same sums, by two degrees, so that the sums are made
once. The 0-hop stream sees no structure: all nodes with equal features have its row in common, in
every layer, so that it has as many rows as there are features.
"""

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
from graphrings.fused.workspace import Workspace
from graphrings.hardware import SPAN, put_span, span
from graphrings.loops import ONE, TWO, ZERO, U

LONG = U(SPAN)
STREAMS = U(3)


class Shared(NamedTuple):
    """What all streams share, and the map of their results; or the gradients of these.

    A weight is (in, out). The readout has the columns of the 1-hop, 2-hop and 0-hop stream of every
    layer.
    """

    weights: Sequence[Floats]
    biases: Sequence[Floats]
    readout: Floats

    def empty(self) -> Shared:
        """Room for as much."""
        weights, biases = ([np.empty_like(one) for one in part] for part in self[:2])
        return Shared(weights, biases, np.empty_like(self.readout))


def stream_stack(
    h: Tensor,
    near: Sequence[WeightedRows],
    weights: Sequence[Tensor],
    biases: Sequence[Tensor],
    readout: Tensor,
) -> tuple[Tensor, Tensor]:
    """What ``readout`` makes of the streams of all layers, and the sort key of every row of ``h``.

    ``near`` are the rows of ``Streams``. The first result has the rows of the 0-hop stream, all of
    its layers added up, and below them those of the other streams of every layer, both added up. A
    key is the last column of the last layer, which is the 0-hop stream's; it carries no gradient.
    """
    read, keys = StreamStack.apply(h, readout, tuple(near), *weights, *biases)
    return read, keys


class StreamStack(torch.autograd.Function):
    """``StreamPass`` for autograd."""

    @staticmethod
    def forward(
        ctx: Any, h: Tensor, readout: Tensor, near: tuple[WeightedRows, ...], *parameters: Tensor
    ) -> tuple[Tensor, Tensor]:
        """All layers."""
        arrays = [array_of(parameter) for parameter in parameters]
        shared = Shared(arrays[: len(near)], arrays[len(near) :], array_of(readout))
        ctx.streams = StreamPass(shared, Workspace(shared.readout.dtype))
        read, keys = map(torch.from_numpy, ctx.streams.forward(array_of(h), near))
        ctx.mark_non_differentiable(keys)
        return read, keys

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """The same steps backwards."""
        made = ctx.streams.shared.empty()
        h = ctx.streams.backward(array_of(grads[0]), made, ctx.needs_input_grad[0])
        arrays = h, made.readout, None, *made.weights, *made.biases
        return tuple(None if array is None else torch.from_numpy(array) for array in arrays)


class StreamPass:
    """One pass forwards and one backwards through all streams.

    The 0-hop stream is computed in double precision: keys that are equal by the equation stay equal
    once they are rounded to single, wherever in a product their rows stand. What the way back needs
    is kept in the workspace, until the next pass.
    """

    def __init__(self, shared: Shared, space: Workspace) -> None:
        self.shared, self._space, self._number = shared, space, shared.readout.dtype
        self._double = Workspace(np.dtype(np.float64))
        widths = [len(bias) for bias in shared.biases]
        starts = list(accumulate((3 * c for c in widths), initial=0))
        begun = list(zip(starts, widths, strict=False))
        self._pairs = [slice(start, start + 2 * c) for start, c in begun]  # 1-hop and 2-hop
        self._alone = [slice(start + 2 * c, start + 3 * c) for start, c in begun]  # 0-hop

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def forward(self, h: Floats, near: Sequence[WeightedRows]) -> tuple[Floats, Floats]:
        """What was read, and the keys."""
        bounds = accumulate((len(h), *(block.n_rows for block in near)), initial=0)
        self._parts, shared = [slice(*both) for both in pairwise(bounds)], self.shared
        read = self._space.array("read", self._parts[-1].stop, len(shared.readout))
        keys = self._forward_alone(h, read[self._parts[0]])
        self._arrays = [weighted_arrays(block, self._number)[:3] for block in near]
        self._seen, self._out = [h], list[Floats]()
        for level, (weight, bias) in enumerate(zip(shared.weights, shared.biases, strict=True)):
            one_hop, columns = self._seen[-1], len(bias)
            rows = self._space.array("rows", len(one_hop), columns)
            out = self._space.array(f"layer {level}", near[level].n_rows, 2 * columns)
            np.dot(one_hop, weight, out=rows)
            # A copy of their own: products are slow with columns that lie between others.
            next_hop = self._space.array(f"1-hop {level}", len(out), columns)
            gather_streams(rows, bias, *self._arrays[level], out, next_hop)
            if self._number != np.float32:
                next_hop[:] = np.tanh(out, out=out)[:, :columns]
            np.dot(out, shared.readout[:, self._pairs[level]].T, out=read[self._parts[level + 1]])
            self._seen.append(next_hop)
            self._out.append(out)
        return read, keys

    @np.errstate(all="ignore")
    def backward(self, read: Floats, grads: Shared, of_input: bool = False) -> Floats | None:
        """Write the gradients of what is shared, given those of what was read; the input's."""
        shared, below = self.shared, self._space.array("below", *self._seen[-1].shape)
        below[:] = 0
        for level in range(len(self._out) - 1, -1, -1):
            h, out, own = self._seen[level], self._out[level], read[self._parts[level + 1]]
            weight, bias, columns = shared.weights[level], grads.biases[level], out.shape[1] // 2
            grads.readout[:, self._pairs[level]] = np.dot(own.T, out)
            grad, rows, inner = (
                self._space.array("grad", *out.shape),
                self._space.array("rows", len(h), columns),
                self._space.array("inner", columns),
            )
            np.dot(own, shared.readout[:, self._pairs[level]], out=grad)
            rows[:], bias[:] = 0, 0
            hand_out_streams(grad, below, out, *self._arrays[level], inner, rows, bias)
            np.dot(h.T, rows, out=grads.weights[level])
            if level or of_input:
                below = np.dot(rows, weight.T, out=self._space.array("below", len(h), len(weight)))
        alone = self._backward_alone(read[self._parts[0]], grads, of_input)
        return None if alone is None else np.add(below, alone, out=below)

    def _forward_alone(self, h: Floats, read: Floats) -> Floats:
        """The 0-hop stream; its keys."""
        self._stages = [h.astype(np.float64)]
        for level, (weight, bias) in enumerate(
            zip(self.shared.weights, self.shared.biases, strict=True)
        ):
            x = self._double.array(f"layer {level}", len(h), len(bias))
            np.dot(self._stages[-1], weight.astype(np.float64), out=x)
            x += bias
            self._stages.append(np.tanh(x, out=x))
        widths = [x.shape[1] for x in self._stages[1:]]
        joined = self._double.array("side by side", len(h), sum(widths))
        np.concatenate(self._stages[1:], axis=1, out=joined)
        self._filters = np.concatenate(
            [self.shared.readout[:, columns] for columns in self._alone], axis=1
        ).astype(np.float64)
        read[:] = np.dot(joined, self._filters.T)
        self._joined = joined
        keys: Floats = self._stages[-1][:, -1].astype(self._number)
        return keys

    def _backward_alone(self, read: Floats, grads: Shared, of_input: bool) -> Floats | None:
        """Add the gradients of the 0-hop stream to the others'; that of its input."""
        grad = read.astype(np.float64)
        filters, whole = np.dot(grad.T, self._joined), np.dot(grad, self._filters)
        below: NDArray[np.float64] | None = None
        end = whole.shape[1]
        for level in range(len(self._stages) - 2, -1, -1):
            x, out = self._stages[level], self._stages[level + 1]
            start = end - out.shape[1]
            grads.readout[:, self._alone[level]] = filters[:, start:end]
            own = whole[:, start:end]
            if below is not None:
                own += below
            own *= 1 - out * out
            grads.biases[level][:] += own.sum(axis=0)
            grads.weights[level][:] += np.dot(x.T, own)
            if level or of_input:
                below = np.dot(own, self.shared.weights[level].T.astype(np.float64))
            end = start
        return below if of_input else None


@compiled
def gather_streams(
    rows: Floats,
    bias: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    weights: Floats,
    out: Floats,
    next_hop: Floats,
) -> None:
    """The sums of ``rows`` over block 0 and the bias, divided by both degrees, side by side.

    The degrees are the weights of blocks 1 and 2. In single precision tanh is applied as well, and
    the first half of a row is written to ``next_hop``.
    """
    one, columns = out.dtype.type(1), U(len(bias))
    in_spans = columns // LONG * LONG
    for v in range(U(len(out))):
        first, last = U(indptr[v * STREAMS]), U(indptr[v * STREAMS + ONE])
        by_one, by_two = one / weights[last], one / weights[U(indptr[v * STREAMS + TWO])]
        here = v * TWO * columns
        for c in range(ZERO, in_spans, LONG):
            total = span(bias, c)
            for e in range(first, last):
                total = total + weights[e] * span(rows, U(indices[e]) * columns + c)
            put_span(out, here + c, by_one * total)
            put_span(out, here + columns + c, by_two * total)
        for c in range(in_spans, columns):
            value = bias[c]
            for e in range(first, last):
                value += weights[e] * rows[U(indices[e]), c]
            out[v, c] = by_one * value
            out[v, columns + c] = by_two * value
        if out.itemsize == 4:
            for c in range(TWO * columns):  # while the row is still at hand
                out[v, c] = tanh_of(out[v, c])
            for c in range(columns):
                next_hop[v, c] = out[v, c]


@compiled
def hand_out_streams(
    grad: Floats,
    below: Floats,
    out: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    weights: Floats,
    inner: Floats,
    rows_grad: Floats,
    bias_grad: Floats,
) -> None:
    """The way back through tanh, degrees and sums, added to the members and to the bias.

    ``below`` adds to the gradient of the 1-hop stream. ``inner`` is room for one row.
    """
    one, columns = out.dtype.type(1), U(len(inner))
    in_spans = columns // LONG * LONG
    for v in range(U(len(out))):
        first, last = U(indptr[v * STREAMS]), U(indptr[v * STREAMS + ONE])
        by_one, by_two = one / weights[last], one / weights[U(indptr[v * STREAMS + TWO])]
        for c in range(columns):
            near, far = out[v, c], out[v, columns + c]
            given = by_one * (grad[v, c] + below[v, c]) * (one - near * near)
            inner[c] = given + by_two * grad[v, columns + c] * (one - far * far)
        for c in range(columns):
            bias_grad[c] += inner[c]
        for c in range(ZERO, in_spans, LONG):
            handed = span(inner, c)
            for e in range(first, last):
                place = U(indices[e]) * columns + c
                put_span(rows_grad, place, span(rows_grad, place) + weights[e] * handed)
        for c in range(in_spans, columns):
            for e in range(first, last):
                rows_grad[U(indices[e]), c] += weights[e] * inner[c]
