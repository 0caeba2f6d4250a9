"""The weighted sum over every ring, without filters: what most convolutions are made of."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from graphrings.compiled import compiled
from graphrings.distances.rings import Rings
from graphrings.layers.kernels import Floats
from graphrings.layers.ring_conv import ring_mean


def ring_sum(rows: Tensor, rings: Rings, *, blocks: bool = False) -> Tensor:
    """The sums over rings 0 .. r of every node, side by side, by the weights of the rings.

    Shapes: ``rows`` is (n, c), or with ``blocks`` (n, (r + 1) * c): what a node looks like from
    every ring. The result is (n, (r + 1) * c).
    """
    width = rings.radius + 1
    if rows.device.type != "cpu":
        return ring_mean(rows if blocks else rows.repeat(1, width), rings)
    found: Tensor = RingSum.apply(rows, rings, width if blocks else 1)
    return found


class RingSum(torch.autograd.Function):
    """Gather forward, scatter backward, on the CPU."""

    @staticmethod
    def forward(ctx: Any, rows: Tensor, rings: Rings, blocks: int) -> Tensor:
        """Add up the members of every ring."""
        rows = rows.contiguous()
        width = rings.radius + 1
        out = rows.new_zeros((rings.n_nodes, rows.shape[1] * width // blocks))
        ctx.rings, ctx.blocks, ctx.shape = rings, blocks, rows.shape
        add_members(rows.detach().numpy(), *_arrays(rings, rows), blocks, out.numpy())
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """Hand the gradient of every ring to its members."""
        grad = grads[0].contiguous()
        out = grad.new_zeros(ctx.shape)
        to_members(grad.numpy(), *_arrays(ctx.rings, grad), ctx.blocks, out.numpy())
        return out, None, None


def _arrays(rings: Rings, like: Tensor) -> tuple[Any, Any, Any, int]:
    weights = rings.weights_as("float64" if like.dtype == torch.float64 else "float32")
    return rings.indptr, rings.indices, weights, rings.radius + 1


@compiled
def add_members(
    rows: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    weights: Floats,
    width: int,
    blocks: int,
    out: Floats,
) -> None:
    """Block j of out[v] += the weighted sum of rows[u] (its block j) over ring j of v."""
    columns = out.shape[1] // width
    for v in range(len(out)):
        for j in range(width):
            here, there = j * columns, j * columns if blocks > 1 else 0
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
    blocks: int,
    out: Floats,
) -> None:
    """The transpose of ``add_members``."""
    columns = grad.shape[1] // width
    for v in range(len(grad)):
        for j in range(width):
            here, there = j * columns, j * columns if blocks > 1 else 0
            for e in range(indptr[v * width + j], indptr[v * width + j + 1]):
                u, weight = indices[e], weights[e]
                for c in range(columns):
                    out[u, there + c] += weight * grad[v, here + c]
