"""Oriented ring convolutions with ReLU on top of each other, on the paths of sorted nodes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.arrays import Floats, weighted_arrays
from graphrings.fused.block_sums import gather_sums, scatter_sums
from graphrings.fused.workspace import Workspace

Filters = tuple[Floats, Floats]  # of all blocks below each other, and the bias; or the gradients


class PathPass:
    """One pass forwards and one backwards through all layers.

    The first layer is given rows that its filters have been applied to, (n, blocks * out), and who
    is near a node of a path among these. What the way back needs is kept in the workspace, until
    the next pass.
    """

    def __init__(self, bias: Floats, layers: Sequence[Filters], space: Workspace) -> None:
        self._bias, self._layers, self._space = bias, layers, space

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def forward(self, rows: Floats, first: WeightedRows, near: WeightedRows) -> Floats:
        """The rows of the last layer, one for every node of a path."""
        self._first, self._near, self._shape = first, near, rows.shape
        self._made = [self._summed(0, rows, first, self._bias)]
        for level, (weight, bias) in enumerate(self._layers, start=1):
            blocks = self._space.array("path blocks", near.n_rows, len(weight))
            np.dot(self._made[-1], weight.T, out=blocks)
            self._made.append(self._summed(level, blocks, near, bias))
        return self._made[-1]

    @np.errstate(all="ignore")
    def backward(self, grad: Floats, bias: Floats, made: Sequence[Filters]) -> Floats:
        """Write the gradients of all filters, given that of the result; return that of the rows."""
        for level in range(len(self._layers), 0, -1):
            weight, added = made[level - 1]
            blocks = self._space.array("path blocks", len(grad), len(weight))
            self._handed(level, grad, self._near, blocks, added)
            np.dot(blocks.T, self._made[level - 1], out=weight)
            below = self._space.array(f"path grad {level}", *self._made[level - 1].shape)
            grad = np.dot(blocks, self._layers[level - 1][0], out=below)
        rows = self._space.array("path rows", *self._shape)
        self._handed(0, grad, self._first, rows, bias)
        return rows

    def _summed(self, level: int, rows: Floats, near: WeightedRows, bias: Floats) -> Floats:
        """The sums over all blocks of every node, and ReLU."""
        out = self._space.array(f"path {level}", near.n_rows, len(bias))
        gather_sums(rows, bias, *weighted_arrays(near, rows.dtype), out)
        return np.maximum(out, 0, out=out)

    def _handed(
        self, level: int, grad: Floats, near: WeightedRows, rows: Floats, bias: Floats
    ) -> None:
        """The gradients of the rows and of the bias, given that of what ReLU made of their sums."""
        through = self._space.array("path through", *grad.shape)
        np.multiply(grad, self._made[level] > 0, out=through)
        np.sum(through, axis=0, out=bias)
        rows[:] = 0
        scatter_sums(through, *weighted_arrays(near, rows.dtype), rows)
