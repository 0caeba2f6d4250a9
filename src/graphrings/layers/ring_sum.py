"""The weighted sum over every ring, without filters: what most convolutions are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from graphrings.compiled import compiled
from graphrings.distances.rings import Rings
from graphrings.layers.kernels import Floats
from graphrings.layers.ring_conv import ring_arrays, ring_mean


def ring_sum(rows: Tensor, rings: Rings, *, blocks: bool = False) -> Tensor:
    """The sums over rings 0 .. r of every node, side by side, by the weights of the rings.

    Shapes: ``rows`` is (n, c), or with ``blocks`` (n, (r + 1) * c): what a node looks like from
    every ring. The result is (n, (r + 1) * c).
    """
    return ring_sums([rows], [rings], blocks=blocks)[0]


def ring_sums(
    rows: Sequence[Tensor], rings: Sequence[Rings], *, blocks: bool = False
) -> tuple[Tensor, ...]:
    """Several sums at once, which start sooner than one after the other."""
    if rows[0].device.type != "cpu":
        return tuple(
            ring_mean(h if blocks else h.repeat(1, near.radius + 1), near)
            for h, near in zip(rows, rings, strict=True)
        )
    found: tuple[Tensor, ...] = RingSums.apply(tuple(rings), blocks, *rows)
    return found


class RingSums(torch.autograd.Function):
    """Gather forward, scatter backward, on the CPU."""

    @staticmethod
    def forward(
        ctx: Any, rings: tuple[Rings, ...], blocks: bool, *rows: Tensor
    ) -> tuple[Tensor, ...]:
        """Add up the members of every ring."""
        ctx.rings, ctx.blocks, ctx.shapes = rings, blocks, [h.shape for h in rows]
        found = []
        for h, near in zip(rows, rings, strict=True):
            width = near.radius + 1
            out = h.new_zeros((near.n_nodes, h.shape[1] if blocks else h.shape[1] * width))
            add_members(h.contiguous().detach().numpy(), *ring_arrays(near, h), blocks, out.numpy())
            found.append(out)
        return tuple(found)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Any, ...]:
        """Hand the gradient of every ring to its members, where somebody asks for it."""
        found: list[Tensor | None] = []
        for place, (grad, near) in enumerate(zip(grads, ctx.rings, strict=True)):
            out = None
            if ctx.needs_input_grad[2 + place]:
                out = grad.new_zeros(ctx.shapes[place])
                arrays = grad.contiguous().numpy(), *ring_arrays(near, grad), ctx.blocks
                to_members(*arrays, out.numpy())
            found.append(out)
        return None, None, *found


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
    """Block j of out[v] += the weighted sum of rows[u] (its block j) over ring j of v."""
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
