"""The convolutions of PATCHY-SAN, over fields and over their sequence, as one step."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from graphrings.compiled import compiled
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.arrays import Floats, array_of, weighted_arrays
from graphrings.fused.block_sums import gather_sums, scatter_sums
from graphrings.fused.window_stack import add_and_relu, through_relu
from graphrings.fused.workspace import Workspace
from graphrings.hardware import SHORT, put_span, short_span
from graphrings.loops import ONE, ZERO, U

BRIEF = U(SHORT)
Places = NDArray[np.int64]


class Convolutions(NamedTuple):
    """Filters and bias of fields, filters and bias of the sequence; or the gradients of these."""

    fields: Floats
    fields_bias: Floats
    sequence: Floats
    sequence_bias: Floats


def field_stack(h: Tensor, near: WeightedRows, places: Places, parameters: list[Tensor]) -> Tensor:
    """Convolve fields, lay them out, convolve their sequence, with ReLU after both convolutions.

    Block j of a row of ``near`` holds the node at place j of a field. ``places`` says which field
    stands where in the sequence of a graph; the field behind the last one is empty. ``parameters``
    are those of ``Convolutions``. Shapes: ``h`` is (n, in), ``places`` (graphs, positions), the
    result (graphs, windows * out).
    """
    x: Tensor = FieldStack.apply(h, near, places, *parameters)
    return x


class FieldStack(torch.autograd.Function):
    """``FieldPass`` for autograd."""

    @staticmethod
    def forward(
        ctx: Any, h: Tensor, near: WeightedRows, places: Places, *parameters: Tensor
    ) -> Tensor:
        """Both convolutions."""
        ctx.own = Convolutions(*map(array_of, parameters))
        ctx.layers = FieldPass(ctx.own, Workspace(ctx.own.fields.dtype))
        return torch.from_numpy(ctx.layers.forward(array_of(h), near, places))

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Any, ...]:
        """The same steps backwards."""
        made = Convolutions(*map(np.empty_like, ctx.own))
        # What autograd hands out is not ours to write to.
        h = ctx.layers.backward(array_of(grads[0]).copy(), made, ctx.needs_input_grad[0])
        below = None if h is None else torch.from_numpy(h)
        return below, None, None, *map(torch.from_numpy, made)


class FieldPass:
    """One pass forwards and one backwards through both convolutions.

    A window sees every field through filters of its own, one for each of its positions. All of them
    are applied to the different fields before these are laid out; a window is then a sum. What the
    way back needs is kept in the workspace, until the next pass.
    """

    def __init__(self, layers: Convolutions, space: Workspace) -> None:
        self._layers, self._space = layers, space
        n_inputs, self._n_outputs = len(layers.fields_bias), len(layers.sequence_bias)
        self._by_output = self._n_outputs, layers.sequence.shape[1] // n_inputs, n_inputs

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def forward(self, h: Floats, near: WeightedRows, places: Places) -> Floats:
        """What every window shows, the windows of a graph side by side."""
        layers, space = self._layers, self._space
        self._h, self._places = h, places
        self._arrays = weighted_arrays(near, layers.fields.dtype)
        n_outputs, size, n_inputs = self._by_output
        rows = space.array("field rows", len(h), len(layers.fields))
        self._fields = fields = space.array("fields", near.n_rows + 1, n_inputs)
        self._filters = space.array("position filters", size * n_outputs, n_inputs)
        np.dot(h, layers.fields.T, out=rows)
        none = np.zeros(n_inputs, rows.dtype)
        gather_sums(rows, none, *self._arrays, fields[:-1])
        fields[-1] = 0
        add_and_relu(fields, layers.fields_bias)
        by_position = self._filters.reshape(size, n_outputs, n_inputs)
        by_position[:] = layers.sequence.reshape(self._by_output).transpose(1, 0, 2)
        shown = space.array("shown", len(fields), len(self._filters))
        np.dot(fields, self._filters.T, out=shown)
        n_windows = places.shape[1] - size + 1
        self._out = space.array("field windows", len(places) * n_windows, n_outputs)
        add_positions(shown, places, n_windows, self._out)
        add_and_relu(self._out, layers.sequence_bias)
        return self._out.reshape(len(places), n_windows * n_outputs)

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def backward(self, grad: Floats, made: Convolutions, of_input: bool = False) -> Floats | None:
        """Write the gradients of both, given that of the result, which goes; return the input's."""
        space, h, fields = self._space, self._h, self._fields
        n_outputs, size, n_inputs = self._by_output
        by_window = grad.reshape(self._out.shape)
        through_relu(self._out, by_window, made.sequence_bias)
        shown = space.array("shown", len(fields), len(self._filters))
        shown[:] = 0
        to_positions(by_window, self._places, len(by_window) // max(1, len(self._places)), shown)
        filters = space.array("position filters grad", *self._filters.shape)
        np.dot(shown.T, fields, out=filters)
        by_position = filters.reshape(size, n_outputs, n_inputs)
        made.sequence.reshape(self._by_output)[:] = by_position.transpose(1, 0, 2)
        fields_grad = space.array("fields grad", *fields.shape)
        np.dot(shown, self._filters, out=fields_grad)
        through_relu(fields, fields_grad, made.fields_bias)
        rows = space.array("field rows", len(h), len(made.fields))
        rows[:] = 0
        scatter_sums(fields_grad[:-1], *self._arrays, rows)
        np.dot(rows.T, h, out=made.fields)
        if not of_input:
            return None
        return np.dot(rows, self._layers.fields, out=space.array("below", *h.shape))


@compiled
def in_sequence(
    graph_ptr: NDArray[np.int64], members: NDArray[np.int32], width: int, empty: int
) -> NDArray[np.int64]:
    """The fields of every graph in their order, (graphs, width), filled up with ``empty``."""
    places = np.full((len(graph_ptr) - 1, width), empty, dtype=np.int64)
    for graph in range(len(places)):
        first = graph_ptr[graph]
        for i in range(first, graph_ptr[graph + 1]):
            places[graph, i - first] = members[i]
    return places


@compiled
def add_positions(shown: Floats, places: Places, n_windows: int, out: Floats) -> None:
    """Every window = the sum of what its positions show of the fields there, each its own part."""
    n_given, columns, at = U(shown.shape[1]), U(out.shape[1]), ZERO
    size, brief = U(places.shape[1] - n_windows + 1), columns // BRIEF * BRIEF
    for graph in range(len(places)):
        for p in range(U(n_windows)):
            for c in range(ZERO, brief, BRIEF):
                some = short_span(shown, U(places[graph, p]) * n_given + c)
                for t in range(ONE, size):
                    field = U(places[graph, p + t])
                    some = some + short_span(shown, field * n_given + t * columns + c)
                put_span(out, at * columns + c, some)
            for c in range(brief, columns):
                one = shown[U(places[graph, p]), c]
                for t in range(ONE, size):
                    one += shown[U(places[graph, p + t]), t * columns + c]
                out[at, c] = one
            at += ONE


@compiled
def to_positions(grad: Floats, places: Places, n_windows: int, shown_grad: Floats) -> None:
    """The transpose of ``add_positions``, added to what is there."""
    n_given, columns, at = U(shown_grad.shape[1]), U(grad.shape[1]), ZERO
    size, brief = U(places.shape[1] - n_windows + 1), columns // BRIEF * BRIEF
    for graph in range(len(places)):
        for p in range(U(n_windows)):
            for t in range(size):
                field = U(places[graph, p + t])
                for c in range(ZERO, brief, BRIEF):
                    place = field * n_given + t * columns + c
                    some = short_span(shown_grad, place) + short_span(grad, at * columns + c)
                    put_span(shown_grad, place, some)
                for c in range(brief, columns):
                    shown_grad[field, t * columns + c] += grad[at, c]
            at += ONE
