"""The weighted sums over every block of several tables at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from graphrings.compiled import compiled
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.arrays import Floats, arrays_of, weighted_arrays
from graphrings.fused.workspace import Workspace


def row_sums(
    rows: Sequence[Tensor], near: Sequence[WeightedRows], blocks: bool
) -> tuple[Tensor, ...]:
    """What ``weighted_sum`` computes, for several tables in one step."""
    sums: tuple[Tensor, ...] = RowSums.apply(tuple(near), blocks, *rows)
    return sums


class RowSums(torch.autograd.Function):
    """Gather forward, scatter backward."""

    @staticmethod
    def forward(
        ctx: Any, near: tuple[WeightedRows, ...], blocks: bool, *rows: Tensor
    ) -> tuple[Tensor, ...]:
        """Add up the members of every block."""
        ctx.near, ctx.blocks, ctx.shapes = near, blocks, [h.shape for h in rows]
        sums = []
        for h, own in zip(rows, near, strict=True):
            out = h.new_zeros((own.n_rows, h.shape[1] if blocks else h.shape[1] * own.width))
            add_members(h.contiguous().detach().numpy(), *arrays_of(own, h), blocks, out.numpy())
            sums.append(out)
        return tuple(sums)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Any, ...]:
        """Hand the gradient of every block to its members, where somebody asks for it."""
        rows: list[Tensor | None] = []
        for place, (grad, near) in enumerate(zip(grads, ctx.near, strict=True)):
            out = None
            if ctx.needs_input_grad[2 + place]:
                out = grad.new_zeros(ctx.shapes[place])
                arrays = grad.contiguous().numpy(), *arrays_of(near, grad), ctx.blocks
                to_members(*arrays, out.numpy())
            rows.append(out)
        return None, None, *rows


class SumsPass:
    """Sums over rows of one block each, those of all tables side by side, and the way back."""

    def __init__(self, space: Workspace) -> None:
        self._space = space

    def forward(self, rows: Sequence[Floats], near: Sequence[WeightedRows]) -> Floats:
        """Add up the members of every row."""
        number = rows[0].dtype
        self._shapes, parts = [h.shape for h in rows], []
        self._arrays = [weighted_arrays(own, number) for own in near]
        for place, (h, arrays) in enumerate(zip(rows, self._arrays, strict=True)):
            part = self._space.array(f"sums {place}", near[place].n_rows, h.shape[1])
            part[:] = 0
            add_members(h, *arrays, False, part)
            parts.append(part)
        width = sum(part.shape[1] for part in parts)
        joined = self._space.array("side by side", near[0].n_rows, width)
        return np.concatenate(parts, axis=1, out=joined)

    def backward(self, grad: Floats, first: int = 0) -> list[Floats]:
        """The gradients of all tables from the first one on that somebody asks for."""
        grads, start = [], sum(width for _, width in self._shapes[:first])
        for place in range(first, len(self._shapes)):
            out = self._space.array(f"sums grad {place}", *self._shapes[place])
            out[:] = 0
            end = start + out.shape[1]
            own = np.ascontiguousarray(grad[:, start:end])
            to_members(own, *self._arrays[place], False, out)
            grads.append(out)
            start = end
        return grads


@compiled
def add_members(
    rows: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    weights: Floats,
    width: int,
    blocks: bool,
    out: Floats,
) -> None:
    """Block j of out[v] += the weighted sum of rows[u] (its block j) over block j of v."""
    columns = out.shape[1] // width
    for v in range(len(out)):
        for j in range(width):
            here, there = j * columns, j * columns if blocks else 0
            for e in range(indptr[v * width + j], indptr[v * width + j + 1]):
                u, weight = indices[e], weights[e]
                for c in range(columns):
                    out[v, here + c] += weight * rows[u, there + c]


@compiled
def to_members(
    grad: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    weights: Floats,
    width: int,
    blocks: bool,
    out: Floats,
) -> None:
    """The transpose of ``add_members``."""
    columns = grad.shape[1] // width
    for v in range(len(grad)):
        for j in range(width):
            here, there = j * columns, j * columns if blocks else 0
            for e in range(indptr[v * width + j], indptr[v * width + j + 1]):
                u, weight = indices[e], weights[e]
                for c in range(columns):
                    out[u, there + c] += weight * grad[v, here + c]
