"""All layers of NN4G as one step.

A layer sees the features of a node, and its neighbours in all layers before. The layers before are
never laid side by side: each is filtered for all that come after it, once per row that it has, and
a row adds what the layers before have made of the row that it comes from. Features are filtered for
all layers at once.
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
from graphrings.fused.filter_stack import where_positive
from graphrings.fused.parents import Parents, add_parents, to_parents
from graphrings.fused.rational_tanh import tanh_of
from graphrings.fused.workspace import Workspace
from graphrings.hardware import SPAN, put_span, span
from graphrings.loops import ONE, TWO, ZERO, U

LONG = U(SPAN)


class Maps(NamedTuple):
    """Weight and bias of every layer for the features, and weights for neighbours; or gradients.

    The first layer sees no neighbours. The weight of another one for neighbours has the columns of
    all layers before it.
    """

    weights: Sequence[Floats]
    biases: Sequence[Floats]
    others: Sequence[Floats]

    @classmethod
    def of(cls, arrays: Sequence[Floats]) -> Maps:
        """From all arrays in order."""
        depth = (len(arrays) + 1) // 3
        return Maps(arrays[:depth], arrays[depth : 2 * depth], arrays[2 * depth :])

    def arrays(self) -> list[Floats]:
        """All arrays in order."""
        return [*self.weights, *self.biases, *self.others]


def nn4g_stack(
    x: Tensor,
    near: Sequence[WeightedRows],
    parents: Sequence[Parents],
    parameters: Sequence[Tensor],
    activation: str,
) -> list[Tensor]:
    """The rows of all layers, from features; ``near`` are of radius 1, with counts for weights.

    ``parameters`` are in the order of ``Maps``; the activation is one of those ``WITHIN`` a ring
    filter.
    """
    return list(NN4GStack.apply(x, tuple(near), tuple(parents), activation, *parameters))


class NN4GStack(torch.autograd.Function):
    """``NN4GPass`` for autograd."""

    @staticmethod
    def forward(
        ctx: Any,
        x: Tensor,
        near: tuple[WeightedRows, ...],
        parents: tuple[Parents, ...],
        activation: str,
        *parameters: Tensor,
    ) -> tuple[Tensor, ...]:
        """All layers."""
        arrays = [array_of(parameter) for parameter in parameters]
        ctx.layers = NN4GPass(Maps.of(arrays), activation, Workspace(arrays[0].dtype))
        return tuple(map(torch.from_numpy, ctx.layers.forward(array_of(x), near, parents)))

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Any, ...]:
        """The same steps backwards; every layer has a gradient of its own."""
        made = Maps.of(list(map(np.empty_like, ctx.layers.maps.arrays())))
        # What autograd hands out is not ours to write to.
        own = [array_of(grad).copy() for grad in grads]
        x = ctx.layers.backward(own, made, ctx.needs_input_grad[0])
        parameters = map(torch.from_numpy, made.arrays())
        return None if x is None else torch.from_numpy(x), None, None, None, *parameters


class NN4GPass:
    """One pass forwards and one backwards through all layers.

    What the way back needs is kept in the workspace, until the next pass.
    """

    def __init__(self, maps: Maps, activation: str, space: Workspace) -> None:
        self.maps, self._activation, self._space = maps, activation, space
        bounds = accumulate(map(len, maps.biases), initial=0)
        self._columns = [slice(*both) for both in pairwise(bounds)]  # of every layer

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def forward(
        self, x: Floats, near: Sequence[WeightedRows], parents: Sequence[Parents]
    ) -> list[Floats]:
        """The rows of every layer."""
        array, width = self._space.array, self._columns[-1].stop
        self._x, self._parents = x, parents
        self._arrays = [weighted_arrays(block, x.dtype)[:3] for block in near]
        self._roots = list[Parents]()  # the features of every row; the first layer's are its own
        own = np.dot(x, self._all_weights().T, out=array("own", len(x), width))
        own += np.concatenate(self.maps.biases)
        first = array("layer 0", len(x), len(self.maps.biases[0]))
        first[:] = own[:, self._columns[0]]
        self._layers = [activated(first, self._activation)]
        seen = np.empty((0, 0), x.dtype)
        for level, arrays in enumerate(self._arrays):
            columns, h = self._columns[level + 1], self._layers[-1]
            later = array(f"later {level % 2}", len(h), width - columns.start)
            np.dot(h, self._for_later(level).T, out=later)
            if level:
                add_parents(seen, parents[level - 1], later)
            roots = self._roots[-1][parents[level]] if level else parents[0]
            out = array(f"layer {level + 1}", len(roots), columns.stop - columns.start)
            is_tanh = self._activation == "tanh"
            gather_others(own, columns.start, roots, later, *arrays, is_tanh, out)
            if not is_tanh or x.dtype != np.float32:
                activated(out, self._activation)
            self._roots.append(roots)
            self._layers.append(out)
            seen = later
        return self._layers

    @np.errstate(all="ignore")
    def backward(
        self, grads: Sequence[Floats], made: Maps, of_input: bool = False
    ) -> Floats | None:
        """Write the gradients of all maps, given those of the rows; return the input's.

        The gradients of the rows are written over.
        """
        array, width = self._space.array, self._columns[-1].stop
        own = array("own grad", len(self._x), width)
        own[:] = 0
        above: Floats | None = None  # of what the layer's rows are filtered to for later ones
        for level in range(len(grads) - 1, -1, -1):
            grad, h = grads[level], self._layers[level]
            if above is not None:
                filters = self._for_later(level)
                self._write_later(level, np.dot(above.T, h), made)
                grad += np.dot(above, filters, out=array("below", *h.shape))
            if self._activation == "relu":
                where_positive(grad, h, grad)
            if self._activation == "tanh":
                back_through_tanh(h, grad)
            columns = self._columns[level]
            if level == 0:
                own[:, columns] = grad
                break
            later = array(
                f"later grad {level % 2}", len(self._layers[level - 1]), width - columns.start
            )
            later[:] = 0
            if above is not None:
                to_parents(above, self._parents[level - 1], later)
            arrays = self._arrays[level - 1]
            hand_out_others(grad, columns.start, self._roots[level - 1], *arrays, own, later)
            above = later
        self._write_own(np.dot(own.T, self._x), own, made)
        return np.dot(own, self._all_weights()) if of_input else None

    def _all_weights(self) -> Floats:
        """The weights of all layers for the features, below each other."""
        shape = self._columns[-1].stop, self.maps.weights[0].shape[1]
        return np.concatenate(self.maps.weights, out=self._space.array("weights", *shape))

    def _for_later(self, level: int) -> Floats:
        """The weights of all later layers for the rows of this one, below each other."""
        own = self._columns[level]
        shape = self._columns[-1].stop - own.stop, own.stop - own.start
        parts = [weight[:, own] for weight in self.maps.others[level:]]
        return np.concatenate(parts, out=self._space.array("filters", *shape))

    def _write_later(self, level: int, filters: Floats, made: Maps) -> None:
        """Take the gradient of ``_for_later`` apart."""
        at = 0
        for weight in made.others[level:]:
            weight[:, self._columns[level]] = filters[at : at + len(weight)]
            at += len(weight)

    def _write_own(self, weights: Floats, own: Floats, made: Maps) -> None:
        """Take the gradients of all weights and biases apart."""
        total = own.sum(axis=0)
        for columns, weight, bias in zip(self._columns, made.weights, made.biases, strict=True):
            weight[:], bias[:] = weights[columns], total[columns]


def activated(rows: Floats, activation: str) -> Floats:
    """Apply an activation in place."""
    given = torch.from_numpy(rows)
    if activation == "relu":
        given.relu_()
    if activation == "tanh":
        given.tanh_()
    return rows


@compiled
def gather_others(
    own: Floats,
    start: int,
    roots: Parents,
    rows: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    weights: Floats,
    tanh: bool,
    out: Floats,
) -> None:
    """The columns of ``own`` from ``start`` on for every root, and ``rows`` summed over block 1.

    Rows are as wide as ``out``, or wider: then their first columns are added up. In single
    precision ``tanh`` is applied as well.
    """
    n_own, n_given, columns = U(own.shape[1]), U(rows.shape[1]), U(out.shape[1])
    in_spans = columns // LONG * LONG
    for v in range(U(len(out))):
        first, last = U(indptr[TWO * v + ONE]), U(indptr[TWO * v + TWO])
        root = U(roots[v]) * n_own + U(start)
        for c in range(ZERO, in_spans, LONG):
            total = span(own, root + c)
            for e in range(first, last):
                total = total + weights[e] * span(rows, U(indices[e]) * n_given + c)
            put_span(out, v * columns + c, total)
        for c in range(in_spans, columns):
            value = own[U(roots[v]), U(start) + c]
            for e in range(first, last):
                value += weights[e] * rows[U(indices[e]), c]
            out[v, c] = value
        if tanh and out.itemsize == 4:
            for c in range(columns):  # while the row is still at hand
                out[v, c] = tanh_of(out[v, c])


@compiled
def hand_out_others(
    grad: Floats,
    start: int,
    roots: Parents,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    weights: Floats,
    own_grad: Floats,
    rows_grad: Floats,
) -> None:
    """The transpose of ``gather_others``, added."""
    n_given, columns = U(rows_grad.shape[1]), U(grad.shape[1])
    in_spans = columns // LONG * LONG
    for v in range(U(len(grad))):
        first, last = U(indptr[TWO * v + ONE]), U(indptr[TWO * v + TWO])
        root = U(roots[v])
        for c in range(columns):
            own_grad[root, U(start) + c] += grad[v, c]
        for c in range(ZERO, in_spans, LONG):
            given = span(grad, v * columns + c)
            for e in range(first, last):
                place = U(indices[e]) * n_given + c
                put_span(rows_grad, place, span(rows_grad, place) + weights[e] * given)
        for c in range(in_spans, columns):
            for e in range(first, last):
                rows_grad[U(indices[e]), c] += weights[e] * grad[v, c]


@compiled
def back_through_tanh(out: Floats, grad: Floats) -> None:
    """The gradient before tanh, whose results are ``out``, in place."""
    one = out.dtype.type(1)
    for v in range(len(out)):
        for c in range(out.shape[1]):
            grad[v, c] *= one - out[v, c] * out[v, c]
