"""The first 1-D convolution of the SortPooling head, on rows that are never concatenated.

Its window and stride are one node row, so that it is a linear map of every row; the row is the
concatenation of all layers, so that it is a sum of linear maps, one per layer. They are applied
before the rows are laid out: once per row, not once per place.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from graphrings.compiled import compiled
from graphrings.fused.arrays import Floats, array_of
from graphrings.fused.workspace import Workspace
from graphrings.loops import ONE, TWO, U


def filtered_rows(layers: Sequence[Tensor], weight: Tensor) -> Tensor:
    """Every layer mapped by its own columns of ``weight``, below each other."""
    own = torch.split_with_sizes(weight, [h.shape[1] for h in layers], 1)
    return torch.cat([h @ part.t() for h, part in zip(layers, own, strict=True)])


def pooled_rows(
    filtered: Tensor,
    bias: Tensor,
    lengths: Sequence[int],
    parents: Sequence[NDArray[np.int32]],
    places: NDArray[np.int32],
) -> Tensor:
    """Add up the filtered rows of all layers at every place, then ReLU and max-pooling of pairs.

    Layer l has ``lengths[l]`` rows; ``parents`` lead from the rows of a layer to those of the one
    before. Shapes: ``places`` is (graphs, k), the result (graphs, k // 2, out).
    """
    out: Tensor = PooledRows.apply(bias, filtered, lengths, parents, places)
    return out


def joined(parents: Sequence[NDArray[np.int32]]) -> NDArray[np.int32]:
    """One array instead of some, which a loop is compiled for in less time.

    The parent of row r of all layers below each other is number ``r - starts[1]``.
    """
    return np.concatenate(parents) if parents else np.empty(0, dtype=np.int32)


class PooledRows(torch.autograd.Function):
    """``PoolPass`` for autograd."""

    @staticmethod
    def forward(
        ctx: Any,
        bias: Tensor,
        filtered: Tensor,
        lengths: Sequence[int],
        parents: Sequence[NDArray[np.int32]],
        places: NDArray[np.int32],
    ) -> Tensor:
        """One pass over all places."""
        ctx.pool = PoolPass(Workspace(array_of(bias).dtype))
        rows = array_of(filtered), lengths, parents, places
        return torch.from_numpy(ctx.pool.forward(*rows, array_of(bias)))

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """One pass over all places."""
        bias = grads[0].new_empty(grads[0].shape[2])
        rows = ctx.pool.backward(array_of(grads[0]), bias.numpy())
        return bias, torch.from_numpy(rows), None, None, None


class PoolPass:
    """The sum over layers, ReLU and max-pooling of pairs, forwards and backwards."""

    def __init__(self, space: Workspace) -> None:
        self._space = space

    def forward(
        self,
        filtered: Floats,
        lengths: Sequence[int],
        parents: Sequence[NDArray[np.int32]],
        places: NDArray[np.int32],
        bias: Floats,
    ) -> Floats:
        """What ``pooled_rows`` returns."""
        out = self._space.array("pooled", len(places), places.shape[1] // 2, len(bias))
        winner = np.empty(out.shape, dtype=np.int8)
        rows = np.array(list(accumulate(lengths[:-1], initial=0))), joined(parents), places
        pair = np.empty((2, len(bias)), dtype=filtered.dtype)
        pool_forward(filtered, *rows, bias, pair, out, winner)
        self._rows, self._shape = (winner, *rows), filtered.shape
        return out

    def backward(self, grad: Floats, bias: Floats) -> Floats:
        """The gradient of the filtered rows; that of the bias is written."""
        rows = self._space.array("filtered grad", *self._shape)
        rows[:], bias[:] = 0, 0
        won = np.empty_like(bias)
        pool_backward(grad, *self._rows, won, rows, bias)
        return rows


@compiled
def pool_forward(
    filtered: Floats,
    starts: NDArray[np.int64],
    parents: NDArray[np.int32],
    places: NDArray[np.int32],
    bias: Floats,
    pair: Floats,
    out: Floats,
    winner: NDArray[np.int8],
) -> None:
    """Sum over layers, ReLU, maximum of every pair of places; ``winner`` is -1 where ReLU is off.

    The rows of layer l begin at ``starts[l]``. A place has a row of the last layer, and its parents
    in those before, as in ``joined``. ``pair`` is room for two places.
    """
    channels, depth = U(len(bias)), U(len(starts))
    for graph in range(U(out.shape[0])):
        for m in range(U(out.shape[1])):
            for side in range(TWO):
                for c in range(channels):
                    pair[side, c] = bias[c]
                row = places[graph, TWO * m + side]
                for back in range(ONE, depth + ONE):
                    if row >= 0:
                        at = U(starts[depth - back] + row)
                        for c in range(channels):
                            pair[side, c] += filtered[at, c]
                        if back < depth:
                            row = parents[at - U(starts[ONE])]
            for c in range(channels):
                first, second = pair[0, c], pair[1, c]
                value = second if second > first else first
                larger = 1 if second > first else 0
                out[graph, m, c] = value if value > 0 else 0
                winner[graph, m, c] = larger if value > 0 else -1


@compiled
def pool_backward(
    grad: Floats,
    winner: NDArray[np.int8],
    starts: NDArray[np.int64],
    parents: NDArray[np.int32],
    places: NDArray[np.int32],
    won: Floats,
    filtered_grad: Floats,
    bias_grad: Floats,
) -> None:
    """Hand the gradient of every pair to the place that won, in all layers; add it to zeros.

    ``won`` is room for one place.
    """
    channels, depth = U(len(bias_grad)), U(len(starts))
    for graph in range(U(grad.shape[0])):
        for m in range(U(grad.shape[1])):
            for side in range(TWO):
                for c in range(channels):
                    won[c] = grad[graph, m, c] if winner[graph, m, c] == np.int8(side) else 0
                    bias_grad[c] += won[c]
                row = places[graph, TWO * m + side]
                for back in range(ONE, depth + ONE):
                    if row >= 0:
                        at = U(starts[depth - back] + row)
                        for c in range(channels):
                            filtered_grad[at, c] += won[c]
                        if back < depth:
                            row = parents[at - U(starts[ONE])]
