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
from graphrings.fused.rational_tanh import is_single, tanh_by
from graphrings.fused.workspace import Workspace

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

    What the way back needs is kept in the workspace, until the next pass.
    """

    def __init__(self, maps: Sequence[Floats], space: Workspace) -> None:
        self.maps, self._space, self._width = maps, space, len(maps[0])

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def forward(self, h: Floats, x: Floats, places: Places) -> Floats:
        """The rows under the gate."""
        gate, gate_bias, value, value_bias = self.maps
        space, columns, width = self._space, h.shape[1], 2 * self._width
        self._h, self._x, self._places = h, x, places
        self._of_h = space.array("gate of h", width, columns)
        self._of_x = space.array("gate of x", width, x.shape[1])
        np.concatenate([gate[:, :columns], value[:, :columns]], out=self._of_h)
        np.concatenate([gate[:, columns:], value[:, columns:]], out=self._of_x)
        self._both = np.dot(h, self._of_h.T, out=space.array("gate", len(h), width))
        seen = np.dot(x, self._of_x.T, out=space.array("gate seen", len(x), width))
        seen += np.concatenate([gate_bias, value_bias])
        out = space.array("gated", len(h), self._width)
        gated(self._both, seen, places, out)
        return out

    @np.errstate(all="ignore")
    def backward(self, grad: Floats, made: Sequence[Floats]) -> Floats:
        """Write the gradients of both maps, given that of the rows; return that of ``h``."""
        space, columns, width = self._space, self._h.shape[1], self._width
        both = space.array("gate grad", *self._both.shape)
        self._seen = space.array("gate seen grad", len(self._x), 2 * width)
        self._seen[:] = 0
        gated_back(grad, self._both, self._places, both, self._seen)
        of_h, of_x = np.dot(both.T, self._h), np.dot(self._seen.T, self._x)
        bias = self._seen.sum(axis=0)
        for part, (weight, own) in enumerate(zip(made[::2], made[1::2], strict=True)):
            here = slice(part * width, (part + 1) * width)
            weight[:, :columns], weight[:, columns:], own[:] = of_h[here], of_x[here], bias[here]
        return np.dot(both, self._of_h, out=space.array("gate h grad", *self._h.shape))

    @np.errstate(all="ignore")
    def of_x(self) -> Floats:
        """The gradient of ``x`` after that of ``h``."""
        x: Floats = np.dot(self._seen, self._of_x)
        return x


@compiled
def gated(both: Floats, seen: Floats, places: Places, out: Floats) -> None:
    """Add what is seen to both maps, then gate and value in place, and their product."""
    d = out.shape[1]
    half, single = out.dtype.type(0.5), is_single(out.dtype.type(1), out.dtype.type(1e-9))
    for v in range(len(out)):
        place = places[v]
        for c in range(d):  # the logistic function of x is 1/2 + tanh(x / 2) / 2
            both[v, c] = half * tanh_by(half * (both[v, c] + seen[place, c]), single) + half
        for c in range(d, 2 * d):
            both[v, c] = tanh_by(both[v, c] + seen[place, c], single)
        for c in range(d):
            out[v, c] = both[v, c] * both[v, d + c]


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
