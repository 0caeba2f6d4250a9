"""All steps of a gated graph neural network as one step."""

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
from graphrings.fused.rational_tanh import is_single, tanh_by
from graphrings.fused.workspace import Workspace


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
    that of the message and that of the GRU's input are one. What the way back needs is kept in the
    workspace, until the next pass.
    """

    def __init__(self, gates: Gates, space: Workspace) -> None:
        self.gates, self._space, self._width = gates, space, len(gates.message)

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def forward(self, h: Floats, near: Sequence[WeightedRows]) -> Floats:
        """The last state."""
        gates, space, width = self.gates, self._space, self._width
        self._filters = space.array("filters", 6 * width, width)
        self._filters[: 3 * width] = gates.of_state
        np.dot(gates.of_input, gates.message, out=self._filters[3 * width :])
        both = gates.input_bias + gates.state_bias
        bias = np.concatenate(
            [both[: 2 * width], gates.state_bias[2 * width :], gates.input_bias[2 * width :]]
        )
        self._first, self._arrays = h, [weighted_arrays(own, h.dtype) for own in near]
        self._ends = np.cumsum([0, *(own.n_rows for own in near)])
        self._states = space.array("states", self._ends[-1], width)
        self._kept = space.array("gates", self._ends[-1], 5 * width)
        state = space.array("first state", len(h), width)
        state[:, : h.shape[1]], state[:, h.shape[1] :] = h, 0
        for level, arrays in enumerate(self._arrays):
            here = slice(self._ends[level], self._ends[level + 1])
            rows = space.array("rows", len(state), 6 * width)
            seen = h if level == 0 else state
            np.dot(seen, self._filters[:, : seen.shape[1]].T, out=rows)
            step(rows, bias, state, *arrays[:3], self._kept[here], self._states[here])
            state = self._states[here]
        return state

    @np.errstate(all="ignore")
    def backward(self, grad: Floats, made: Gates, of_input: bool = False) -> Floats | None:
        """Write the gradients of all weights, given that of the state; return that of ``h``."""
        width, space, ends, first = self._width, self._space, self._ends, self._first
        inner = space.array("rows grad", ends[-2], 6 * width)
        inner[:] = 0
        lowest = space.array("first rows grad", len(first), 6 * width)
        lowest[:] = 0
        bias = np.zeros(4 * width, grad.dtype)
        for level in range(len(self._arrays) - 1, -1, -1):
            rows = inner[ends[level - 1] : ends[level]] if level else lowest
            below = space.array(f"state grad {level % 2}", len(rows), width)
            below[:] = 0
            kept = self._kept[ends[level] : ends[level + 1]]
            step_back(grad, kept, *self._arrays[level][:3], rows, below, bias)
            if level or of_input:
                below += np.dot(rows, self._filters, out=space.array("handed", len(rows), width))
            grad = below
        filters = np.dot(inner.T, self._states[: ends[-2]])
        filters[:, : first.shape[1]] += np.dot(lowest.T, first)
        self._of_parts(filters, bias, made)
        return np.ascontiguousarray(grad[:, : first.shape[1]]) if of_input else None

    def _of_parts(self, filters: Floats, bias: Floats, made: Gates) -> None:
        """From the gradients of the joint matrix and bias to those of their parts."""
        width, gates = self._width, self.gates
        made.of_state[:] = filters[: 3 * width]
        np.dot(filters[3 * width :], gates.message.T, out=made.of_input)
        np.dot(gates.of_input.T, filters[3 * width :], out=made.message)
        for own, last in ((made.state_bias, 2), (made.input_bias, 3)):
            own[: 2 * width] = bias[: 2 * width]
            own[2 * width :] = bias[last * width : (last + 1) * width]


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
    are reset r, update z, new n, what of n there was to reset, and the state less n.
    """
    d = out.shape[1]
    two, three, five = 2 * d, 3 * d, 5 * d
    sums, own = np.empty(4 * d, dtype=out.dtype), np.empty(d, dtype=out.dtype)
    half, single = out.dtype.type(0.5), is_single(out.dtype.type(1), out.dtype.type(1e-9))
    for v in range(len(out)):
        for c in range(4 * d):
            sums[c] = bias[c]
        for c in range(d):
            own[c] = 0
        for e in range(indptr[2 * v], indptr[2 * v + 1]):
            u, weight = indices[e], weights[e]
            for c in range(three):
                sums[c] += weight * rows[u, c]
            for c in range(d):
                own[c] += weight * state[u, c]
        for e in range(indptr[2 * v + 1], indptr[2 * v + 2]):
            u, weight = indices[e], weights[e]
            for c in range(two):
                sums[c] += weight * rows[u, three + c]
            for c in range(d):
                sums[three + c] += weight * rows[u, five + c]
        for c in range(two):  # the logistic function of x is 1/2 + tanh(x / 2) / 2
            sums[c] = half * tanh_by(half * sums[c], single) + half
        for c in range(d):
            new = tanh_by(sums[three + c] + sums[c] * sums[two + c], single)
            sums[three + c] = new
            own[c] -= new
            out[v, c] = new + sums[d + c] * own[c]
        for c in range(two):
            kept[v, c] = sums[c]
        for c in range(d):
            kept[v, two + c] = sums[three + c]
            kept[v, three + c] = sums[two + c]
        for c in range(d):
            kept[v, 4 * d + c] = own[c]


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
    d = grad.shape[1]
    two, three, five = 2 * d, 3 * d, 5 * d
    sums, own = np.empty(4 * d, dtype=grad.dtype), np.empty(d, dtype=grad.dtype)
    one = grad.dtype.type(1)
    for v in range(len(grad)):
        for c in range(d):
            reset, update, new = kept[v, c], kept[v, d + c], kept[v, two + c]
            of_new = grad[v, c] * (one - update) * (one - new * new)
            sums[c] = of_new * kept[v, three + c] * reset * (one - reset)
            sums[d + c] = grad[v, c] * kept[v, 4 * d + c] * update * (one - update)
            sums[two + c] = of_new * reset
            sums[three + c] = of_new
            own[c] = grad[v, c] * update
        for c in range(4 * d):
            bias[c] += sums[c]
        for e in range(indptr[2 * v], indptr[2 * v + 1]):
            u, weight = indices[e], weights[e]
            for c in range(three):
                rows[u, c] += weight * sums[c]
            for c in range(d):
                below[u, c] += weight * own[c]
        for e in range(indptr[2 * v + 1], indptr[2 * v + 2]):
            u, weight = indices[e], weights[e]
            for c in range(two):
                rows[u, three + c] += weight * sums[c]
            for c in range(d):
                rows[u, five + c] += weight * sums[three + c]
