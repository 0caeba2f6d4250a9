"""Rows under a gate, as one step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from graphrings.compiled import compiled
from graphrings.fused.arrays import Floats, array_of
from graphrings.fused.rational_tanh import tanh_of_span
from graphrings.fused.workspace import Workspace
from graphrings.hardware import SPAN, put_span, span
from graphrings.loops import TWO, ZERO, U

LONG = U(SPAN)
Places = NDArray[np.int32]


def gated_rows(h: Tensor, x: Tensor, places: Places, parameters: Sequence[Tensor]) -> Tensor:
    r"""The rows :math:`\sigma(i(h_v, x_p)) \odot \tanh(j(h_v, x_p))`, p being the place of v.

    ``parameters`` are weight and bias of the linear map i, then of j.
    """
    rows: Tensor = GatedRows.apply(h, x, places, *parameters)
    return rows


class GatedRows(torch.autograd.Function):
    """``GatePass`` for autograd."""

    @staticmethod
    def forward(ctx: Any, h: Tensor, x: Tensor, places: Places, *parameters: Tensor) -> Tensor:
        """All rows."""
        maps = [array_of(parameter) for parameter in parameters]
        ctx.gate = GatePass(maps, Workspace(maps[0].dtype))
        return torch.from_numpy(ctx.gate.forward(array_of(h), array_of(x), places))

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Any, ...]:
        """The same steps backwards."""
        made = [np.empty_like(parameter) for parameter in ctx.gate.maps]
        h = torch.from_numpy(ctx.gate.backward(array_of(grads[0]), made))
        x = torch.from_numpy(ctx.gate.of_x()) if ctx.needs_input_grad[1] else None
        return h, x, None, *map(torch.from_numpy, made)


class GatePass:
    """One pass forwards and one backwards; what is seen of ``x`` is computed once per row of it.

    Gates and values have a whole number of spans of columns, of which those behind the width of a
    row are for nobody. What the way back needs is kept in the workspace, until the next pass.
    """

    def __init__(self, maps: Sequence[Floats], space: Workspace) -> None:
        self.maps, self._space, self._width = maps, space, len(maps[0])
        self._wide = self._width + -self._width % SPAN

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def forward(self, h: Floats, x: Floats, places: Places) -> Floats:
        """The rows under the gate."""
        gate, gate_bias, value, value_bias = self.maps
        space, d, wide, columns = self._space, self._width, self._wide, h.shape[1]
        self._h, self._x, self._places = h, x, places
        maps, bias = space.array("maps", 2, wide, gate.shape[1]), np.zeros((2, wide), h.dtype)
        maps[0, :d], maps[1, :d], maps[:, d:] = gate, value, 0
        bias[0, :d], bias[1, :d] = gate_bias, value_bias
        self._maps = maps.reshape(2 * wide, -1)
        self._both = np.dot(h, self._maps[:, :columns].T, out=space.array("gate", len(h), 2 * wide))
        seen = np.dot(x, self._maps[:, columns:].T, out=space.array("seen", len(x), 2 * wide))
        seen += bias.reshape(-1)
        out = space.array("gated", len(h), wide)
        gated(self._both, seen, places, out)
        return out if wide == d else np.ascontiguousarray(out[:, :d])

    @np.errstate(all="ignore")
    def backward(self, grad: Floats, made: Sequence[Floats]) -> Floats:
        """Write the gradients of both maps, given that of the rows; return that of ``h``."""
        space, d, wide, columns = self._space, self._width, self._wide, self._h.shape[1]
        if wide > d:
            grad = np.pad(grad, ((0, 0), (0, wide - d)))
        both = space.array("gate grad", *self._both.shape)
        self._seen = space.array("seen grad", len(self._x), 2 * wide)
        self._seen[:] = 0
        gated_back(grad, self._both, self._places, both, self._seen)
        of_h, of_x = np.dot(both.T, self._h), np.dot(self._seen.T, self._x)
        bias = self._seen.sum(axis=0)
        for weight, own, first in zip(made[::2], made[1::2], (0, wide), strict=True):
            here = slice(first, first + d)
            weight[:, :columns], weight[:, columns:], own[:] = of_h[here], of_x[here], bias[here]
        below = space.array("gate h grad", *self._h.shape)
        return np.dot(both, self._maps[:, :columns], out=below)

    @np.errstate(all="ignore")
    def of_x(self) -> Floats:
        """The gradient of ``x`` after that of ``h``."""
        x: Floats = np.dot(self._seen, self._maps[:, self._h.shape[1] :])
        return x


@compiled
def gated(both: Floats, seen: Floats, places: Places, out: Floats) -> None:
    """Add what is seen to both maps, then gate and value in place, and their product."""
    d, one, half = U(out.shape[1]), out.dtype.type(1), out.dtype.type(0.5)
    spare = np.zeros(SPAN, dtype=out.dtype)
    for v in range(U(len(out))):
        here, there = TWO * d * v, TWO * d * U(places[v])
        for c in range(ZERO, d, LONG):
            gate = span(both, here + c) + span(seen, there + c)
            value = span(both, here + d + c) + span(seen, there + d + c)
            # The logistic function of x is 1/2 + tanh(x / 2) / 2.
            gate = half + half * tanh_of_span(half * gate, one, spare)
            value = tanh_of_span(value, one, spare)
            put_span(both, here + c, gate)
            put_span(both, here + d + c, value)
            put_span(out, d * v + c, gate * value)


@compiled
def gated_back(grad: Floats, both: Floats, places: Places, out: Floats, seen: Floats) -> None:
    """The gradients of both maps, which are added to those of what was seen."""
    d, one = grad.shape[1], grad.dtype.type(1)
    for v in range(len(grad)):
        place = places[v]
        for c in range(d):
            gate, value = both[v, c], both[v, d + c]
            out[v, c] = grad[v, c] * value * gate * (one - gate)
            out[v, d + c] = grad[v, c] * gate * (one - value * value)
        for c in range(2 * d):
            seen[place, c] += out[v, c]
