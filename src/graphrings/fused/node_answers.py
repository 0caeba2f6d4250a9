"""A dense layer with ReLU on every node, and a map of its sums over every graph, as one step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from graphrings.compiled import compiled
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.arrays import Floats, array_of, weighted_arrays
from graphrings.fused.feature_rows import FeatureRows
from graphrings.fused.workspace import Workspace


def node_answers(
    h: Tensor,
    x: Tensor,
    places: NDArray[np.int32],
    near: WeightedRows,
    parameters: Sequence[Tensor],
) -> Tensor:
    """The sums over the rows of every graph of what ``DenseHead`` makes of ``h`` and ``x``.

    They are what its last map makes of the sums of its hidden layer, which are fewer rows. A row of
    ``h`` has the row of ``x`` at its place, and ``near`` has a row for every graph; ``parameters``
    are weight and bias of both maps.
    """
    outputs: Tensor = NodeAnswers.apply(h, x, places, near, *parameters)
    return outputs


class NodeAnswers(torch.autograd.Function):
    """``NodePass`` for autograd."""

    @staticmethod
    def forward(
        ctx: Any,
        h: Tensor,
        x: Tensor,
        places: NDArray[np.int32],
        near: WeightedRows,
        *parameters: Tensor,
    ) -> Tensor:
        """Both maps."""
        layers, space = [array_of(one) for one in parameters], Workspace(array_of(h).dtype)
        ctx.nodes = NodePass(layers, space)
        rows = FeatureRows.of(array_of(x), places, space)
        return torch.from_numpy(ctx.nodes.forward(array_of(h), rows, near))

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Any, ...]:
        """The same steps backwards."""
        made = [np.empty_like(parameter) for parameter in ctx.nodes.layers]
        h = torch.from_numpy(ctx.nodes.backward(array_of(grads[0]), made))
        x = torch.from_numpy(ctx.nodes.of_x()) if ctx.needs_input_grad[1] else None
        return h, x, None, None, *map(torch.from_numpy, made)


class NodePass:
    """One pass forwards and one backwards through both maps and the sums between them.

    What the way back needs is kept in the workspace, until the next pass.
    """

    def __init__(self, layers: Sequence[Floats], space: Workspace) -> None:
        self.layers, self._space = layers, space

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def forward(self, h: Floats, x: FeatureRows, near: WeightedRows) -> Floats:
        """The outputs of every graph, in memory of their own."""
        dense, bias, out, out_bias = self.layers
        self._arrays, self._h, self._x = weighted_arrays(near, h.dtype)[:3], h, x
        of_h, of_x = dense[:, : h.shape[1]], dense[:, h.shape[1] :]
        self._known = self._space.array("known", len(h), len(dense))
        np.dot(h, of_h.T, out=self._known)
        seen = x.mapped(of_x, self._space.array("known grad", len(h), len(dense)))
        self._sums = self._space.array("known sums", near.n_rows, len(dense))
        self._totals = self._space.array("totals", near.n_rows)
        add_known(self._known, seen, bias, *self._arrays, self._sums, self._totals)
        outputs: Floats = np.dot(self._sums, out.T)
        outputs += self._totals[:, None] * out_bias
        return outputs

    @np.errstate(all="ignore")
    def backward(self, grad: Floats, made: Sequence[Floats]) -> Floats:
        """Write the gradients of both maps, given that of the outputs; return that of ``h``."""
        dense, _, out, _ = self.layers
        np.dot(grad.T, self._sums, out=made[2])
        np.dot(self._totals, grad, out=made[3])
        sums = np.dot(grad, out, out=self._space.array("sums grad", *self._sums.shape))
        self._grad = self._space.array("known grad", *self._known.shape)
        hand_back(sums, self._known, *self._arrays, self._grad, made[1])
        width = self._h.shape[1]
        made[0][:, :width] = np.dot(self._grad.T, self._h)
        made[0][:, width:] = self._x.gradient(self._grad)
        h = self._space.array("node grad", *self._h.shape)
        return np.dot(self._grad, dense[:, :width], out=h)

    @np.errstate(all="ignore")
    def of_x(self) -> Floats:
        """The gradient of ``x`` after that of ``h``."""
        return self._x.handed(np.dot(self._grad, self.layers[0][:, self._h.shape[1] :]))


@compiled
def add_known(
    known: Floats,
    seen: Floats,
    bias: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    weights: Floats,
    sums: Floats,
    totals: Floats,
) -> None:
    """Add what is seen and the bias to every row, then ReLU, in place; sums of rows and weights."""
    for v in range(known.shape[0]):
        for c in range(known.shape[1]):
            value = known[v, c] + seen[v, c] + bias[c]
            known[v, c] = 0 if value < 0 else value
    for graph in range(len(sums)):
        sums[graph], totals[graph] = 0, 0
        for e in range(indptr[graph], indptr[graph + 1]):
            v, weight = indices[e], weights[e]
            totals[graph] += weight
            for c in range(known.shape[1]):
                sums[graph, c] += weight * known[v, c]


@compiled
def hand_back(
    sums: Floats,
    known: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    weights: Floats,
    grad: Floats,
    bias: Floats,
) -> None:
    """The gradients of all rows before ReLU, and of the bias, given those of the sums."""
    grad[:], bias[:] = 0, 0
    for graph in range(len(sums)):
        for e in range(indptr[graph], indptr[graph + 1]):
            v, weight = indices[e], weights[e]
            for c in range(known.shape[1]):
                grad[v, c] += weight * sums[graph, c] if known[v, c] > 0 else 0
    for v in range(grad.shape[0]):
        for c in range(grad.shape[1]):
            bias[c] += grad[v, c]
