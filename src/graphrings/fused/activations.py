"""Activations of plain arrays, in place, and the way back through them by their results."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from graphrings.compiled import compiled
from graphrings.fused.arrays import Floats
from graphrings.loops import U


class Activation(NamedTuple):
    """How an activation is applied, and how a gradient goes back through it.

    ``apply`` is also given room for as many numbers. ``back`` is given the gradient of the results,
    the results, and where to write the gradient of what was there before them.
    """

    apply: Callable[[Floats, Floats], object]
    back: Callable[[Floats, Floats, Floats], object]


def elu(x: Floats, room: Floats) -> None:
    """What is below 0 becomes exp(x) - 1, which is never less than x."""
    np.minimum(x, 0, out=room)
    np.exp(room, out=room)
    np.subtract(room, 1, out=room)
    np.maximum(x, room, out=x)


@compiled
def back_through_relu(grad: Floats, out: Floats, below: Floats) -> None:
    """The gradient, or 0 where ReLU gave nothing."""
    for v in range(U(grad.shape[0])):
        for c in range(U(grad.shape[1])):
            below[v, c] = grad[v, c] if out[v, c] > 0 else 0


@compiled
def back_through_elu(grad: Floats, out: Floats, below: Floats) -> None:
    """Where the result is below 0, the slope is what it lies above -1."""
    one = out.dtype.type(1)
    for v in range(U(grad.shape[0])):
        for c in range(U(grad.shape[1])):
            slope = one if out[v, c] > 0 else out[v, c] + one
            below[v, c] = grad[v, c] * slope


@compiled
def back_through_tanh(grad: Floats, out: Floats, below: Floats) -> None:
    """The slope is what the square of the result leaves of 1."""
    one = out.dtype.type(1)
    for v in range(U(grad.shape[0])):
        for c in range(U(grad.shape[1])):
            below[v, c] = grad[v, c] * (one - out[v, c] * out[v, c])


WRITTEN_OUT = {
    "identity": Activation(lambda x, _: x, lambda grad, _, below: np.copyto(below, grad)),
    "relu": Activation(lambda x, _: np.maximum(x, 0, out=x), back_through_relu),
    "elu": Activation(elu, back_through_elu),
    "tanh": Activation(lambda x, _: np.tanh(x, out=x), back_through_tanh),
}
