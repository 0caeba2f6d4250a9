"""All steps of a gated graph neural network as one step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from graphrings.compiled import compiled, inlined
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.arrays import Floats, array_of, weighted_arrays
from graphrings.fused.rational_tanh import tanh_of_span
from graphrings.fused.workspace import Workspace
from graphrings.hardware import SPAN, put_span, span
from graphrings.loops import ONE, TWO, ZERO, U

LONG, THREE, FOUR, FIVE, SIX = U(SPAN), U(3), U(4), U(5), U(6)


class Gates(NamedTuple):
    """The matrix of a message, matrices and biases of torch's GRU; or the gradients of these."""

    message: Floats
    of_input: Floats
    of_state: Floats
    input_bias: Floats
    state_bias: Floats


def gated_steps(h: Tensor, near: Sequence[WeightedRows], parameters: Sequence[Tensor]) -> Tensor:
    """The state after one step of ``GGNNConv`` for each of ``near``, which have two blocks.

    The columns that ``h`` lacks are zeros; ``parameters`` are those of ``Gates``.
    """
    state: Tensor = GatedSteps.apply(h, tuple(near), *parameters)
    return state


class GatedSteps(torch.autograd.Function):
    """``GatedPass`` for autograd."""

    @staticmethod
    def forward(ctx: Any, h: Tensor, near: tuple[WeightedRows, ...], *parameters: Tensor) -> Tensor:
        """All steps."""
        gates = Gates(*map(array_of, parameters))
        ctx.steps = GatedPass(gates, Workspace(gates.message.dtype))
        return torch.from_numpy(ctx.steps.forward(array_of(h), near))

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Any, ...]:
        """The same steps backwards."""
        made = Gates(*map(np.empty_like, ctx.steps.gates))
        h = ctx.steps.backward(array_of(grads[0]), made, ctx.needs_input_grad[0])
        return None if h is None else torch.from_numpy(h), None, *map(torch.from_numpy, made)


class GatedPass:
    """One pass forwards and one backwards through all steps, which share their weights.

    A matrix comes before the sum over neighbours, since a level has fewer rows than the next one;
    that of the message and that of the GRU's input are one. States have a whole number of spans of
    columns, of which those behind the ``width`` are zeros. What the way back needs is kept in the
    workspace, until the next pass.
    """

    def __init__(self, gates: Gates, space: Workspace) -> None:
        self.gates, self._space, self._width = gates, space, len(gates.message)
        self._wide = self._width + -self._width % SPAN

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def forward(self, h: Floats, near: Sequence[WeightedRows]) -> Floats:
        """The last state."""
        space, wide, n_given = self._space, self._wide, h.shape[1]
        self._filters, bias = self._joint()
        self._first, self._arrays = h, [weighted_arrays(own, h.dtype) for own in near]
        self._ends = np.cumsum([0, *(own.n_rows for own in near)])
        self._states = space.array("states", self._ends[-1], wide)
        self._kept = space.array("gates", self._ends[-1], 5 * wide)
        state = space.array("first state", len(h), wide)
        state[:, :n_given], state[:, n_given:] = h, 0
        for level, arrays in enumerate(self._arrays):
            here = slice(self._ends[level], self._ends[level + 1])
            rows = space.array("rows", len(state), 6 * wide)
            seen = state if level else h
            np.dot(seen, self._filters[:, : seen.shape[1]].T, out=rows)
            step(rows, bias, state, *arrays[:3], self._kept[here], self._states[here])
            state = self._states[here]
        return state if wide == self._width else np.ascontiguousarray(state[:, : self._width])

    @np.errstate(all="ignore")
    def backward(self, grad: Floats, made: Gates, of_input: bool = False) -> Floats | None:
        """Write the gradients of all weights, given that of the state; return that of ``h``."""
        wide, space, ends = self._wide, self._space, self._ends
        if wide > self._width:
            grad = np.pad(grad, ((0, 0), (0, wide - self._width)))
        filters, bias = np.zeros((6 * wide, wide), grad.dtype), np.zeros(4 * wide, grad.dtype)
        for level in range(len(self._arrays) - 1, -1, -1):
            seen = self._states[ends[level - 1] : ends[level]] if level else self._first
            rows = space.array("rows", len(seen), 6 * wide)
            below = space.array(f"state grad {level % 2}", len(seen), wide)
            rows[:], below[:] = 0, 0
            kept = self._kept[ends[level] : ends[level + 1]]
            step_back(grad, kept, *self._arrays[level][:3], rows, below, bias)
            filters[:, : seen.shape[1]] += np.dot(rows.T, seen)
            if level or of_input:
                below += np.dot(rows, self._filters, out=space.array("handed", len(rows), wide))
            grad = below
        self._to_parts(filters, bias, made)
        return np.ascontiguousarray(grad[:, : self._first.shape[1]]) if of_input else None

    def _joint(self) -> tuple[Floats, Floats]:
        """All filters as one, those of a node's own state first, and what is added to their sums.

        The biases are those of reset, update, and of both parts of what is new.
        """
        gates, d, wide = self.gates, self._width, self._wide
        filters = self._space.array("filters", 6, wide, wide)
        filters[:] = 0
        filters[:3, :d, :d] = gates.of_state.reshape(3, d, d)
        filters[3:, :d, :d] = np.dot(gates.of_input, gates.message).reshape(3, d, d)
        bias = np.zeros((4, wide), filters.dtype)
        bias[[0, 1, 2], :d] = gates.state_bias.reshape(3, d)
        bias[[0, 1, 3], :d] += gates.input_bias.reshape(3, d)
        return filters.reshape(6 * wide, wide), bias.reshape(-1)

    def _to_parts(self, filters: Floats, bias: Floats, made: Gates) -> None:
        """From the gradients of the joint filters and biases to those of their parts."""
        gates, d, wide = self.gates, self._width, self._wide
        own, others = filters.reshape(2, 3, wide, wide)[:, :, :d, :d].reshape(2, 3 * d, d)
        made.of_state[:] = own
        np.dot(others, gates.message.T, out=made.of_input)
        np.dot(gates.of_input.T, others, out=made.message)
        made.state_bias[:] = bias.reshape(4, wide)[[0, 1, 2], :d].reshape(-1)
        made.input_bias[:] = bias.reshape(4, wide)[[0, 1, 3], :d].reshape(-1)


@compiled
def step(
    rows: Floats,
    bias: Floats,
    state: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    weights: Floats,
    kept: Floats,
    out: Floats,
) -> None:
    """Row v of ``out`` is the GRU of block 0, the node itself, and of block 1, its neighbours.

    ``rows`` have what a node looks like to itself (reset, update, new), then to others. ``kept``
    are reset, update, new, what of new there was to reset, and the state less new.
    """
    d, one, half = U(out.shape[1]), out.dtype.type(1), out.dtype.type(0.5)
    spare = np.zeros(SPAN, dtype=out.dtype)
    nothing = span(spare, ZERO)
    for v in range(U(len(out))):
        first, middle, last = U(indptr[TWO * v]), U(indptr[TWO * v + ONE]), U(indptr[TWO * v + TWO])
        for c in range(ZERO, d, LONG):
            reset, update, own = span(bias, c), span(bias, d + c), nothing
            old, new = span(bias, TWO * d + c), span(bias, THREE * d + c)
            for e in range(first, middle):
                u, weight = U(indices[e]), weights[e]
                here = SIX * d * u + c
                reset = reset + weight * span(rows, here)
                update = update + weight * span(rows, here + d)
                old = old + weight * span(rows, here + TWO * d)
                own = own + weight * span(state, d * u + c)
            for e in range(middle, last):
                weight, here = weights[e], SIX * d * U(indices[e]) + THREE * d + c
                reset = reset + weight * span(rows, here)
                update = update + weight * span(rows, here + d)
                new = new + weight * span(rows, here + TWO * d)
            # The logistic function of x is 1/2 + tanh(x / 2) / 2.
            reset = half + half * tanh_of_span(half * reset, one, spare)
            update = half + half * tanh_of_span(half * update, one, spare)
            new = tanh_of_span(new + reset * old, one, spare)
            own = own - new
            put_span(out, d * v + c, new + update * own)
            here = FIVE * d * v + c
            put_span(kept, here, reset)
            put_span(kept, here + d, update)
            put_span(kept, here + TWO * d, new)
            put_span(kept, here + THREE * d, old)
            put_span(kept, here + FOUR * d, own)


@compiled
def step_back(
    grad: Floats,
    kept: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    weights: Floats,
    rows: Floats,
    below: Floats,
    bias: Floats,
) -> None:
    """Add to the gradients of rows, states and biases before a step, given that of its result."""
    d, one = U(grad.shape[1]), grad.dtype.type(1)
    for c in range(ZERO, d, LONG):
        of_reset, of_update = span(bias, c), span(bias, d + c)
        of_old, of_new = span(bias, TWO * d + c), span(bias, THREE * d + c)
        for v in range(U(len(grad))):
            here, given = FIVE * d * v + c, span(grad, d * v + c)
            reset, update, new = span(kept, here), span(kept, here + d), span(kept, here + TWO * d)
            new = given * (one - update) * (one - new * new)
            own = given * update
            update = own * span(kept, here + FOUR * d) * (one - update)
            old = new * reset
            reset = old * span(kept, here + THREE * d) * (one - reset)
            of_reset, of_update = of_reset + reset, of_update + update
            of_old, of_new = of_old + old, of_new + new
            for e in range(U(indptr[TWO * v]), U(indptr[TWO * v + ONE])):
                u, weight = U(indices[e]), weights[e]
                here = SIX * d * u + c
                add_span(rows, here, weight, reset)
                add_span(rows, here + d, weight, update)
                add_span(rows, here + TWO * d, weight, old)
                add_span(below, d * u + c, weight, own)
            for e in range(U(indptr[TWO * v + ONE]), U(indptr[TWO * v + TWO])):
                weight, here = weights[e], SIX * d * U(indices[e]) + THREE * d + c
                add_span(rows, here, weight, reset)
                add_span(rows, here + d, weight, update)
                add_span(rows, here + TWO * d, weight, new)
        put_span(bias, c, of_reset)
        put_span(bias, d + c, of_update)
        put_span(bias, TWO * d + c, of_old)
        put_span(bias, THREE * d + c, of_new)


@inlined
def add_span(array: Floats, place: np.uint64, weight: Any, numbers: Floats) -> None:
    """Add a span, as often as its weight says, to what is at a place."""
    put_span(array, place, span(array, place) + weight * numbers)
