"""All layers of ECC as one step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.arrays import Floats, array_of, weighted_arrays
from graphrings.fused.block_sums import gather_sums, scatter_sums
from graphrings.fused.dense_stack import DensePass
from graphrings.fused.row_norm import Counts, Seen, back_through_norm, normalise
from graphrings.fused.workspace import Workspace


class EdgeLayer(NamedTuple):
    """Weights and biases of a filter network, scale and shift of the norm; or their gradients."""

    network: Sequence[Floats]
    scale: Floats
    shift: Floats

    @classmethod
    def of(cls, parameters: Sequence[Floats]) -> EdgeLayer:
        """The same from all of them in order."""
        *network, scale, shift = parameters
        return cls(network, scale, shift)


class Kept(NamedTuple):
    """What the way back through a layer needs."""

    h: Floats
    filters: Floats
    near: tuple[Any, Any, Any, int]
    sums: Floats
    statistics: Floats
    out: Floats


def edge_stack(
    h: Tensor,
    near: Sequence[WeightedRows],
    counts: Sequence[Counts],
    seen: Sequence[Seen],
    parameters: Sequence[Sequence[Tensor]],
) -> Tensor:
    """The rows of the last of some ``ECCConv`` without a bias, each with a norm and ReLU.

    The width of ``near`` is the number of edge labels, with that of the node itself. ``seen`` are
    the running mean and variance of every norm, which move towards the batch; without ``counts``
    the norms are by them. ``parameters`` are those of ``EdgeLayer``, for every layer.
    """
    flat = [parameter for layer in parameters for parameter in layer]
    rows: Tensor = EdgeStack.apply(h, tuple(near), tuple(counts), tuple(seen), *flat)
    return rows


class EdgeStack(torch.autograd.Function):
    """``EdgePass`` for autograd."""

    @staticmethod
    def forward(
        ctx: Any,
        h: Tensor,
        near: tuple[WeightedRows, ...],
        counts: tuple[Counts, ...],
        seen: tuple[Seen, ...],
        *parameters: Tensor,
    ) -> Tensor:
        """All layers."""
        arrays, n_each = [array_of(one) for one in parameters], len(parameters) // len(near)
        ctx.own = [EdgeLayer.of(arrays[i : i + n_each]) for i in range(0, len(arrays), n_each)]
        ctx.layers = EdgePass(ctx.own, seen, Workspace(arrays[0].dtype))
        return torch.from_numpy(ctx.layers.forward(array_of(h), near, counts))

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Any, ...]:
        """The same steps backwards."""
        made = [
            EdgeLayer([np.empty_like(one) for one in network], *map(np.empty_like, norm))
            for network, *norm in ctx.own
        ]
        h = ctx.layers.backward(array_of(grads[0]), made, ctx.needs_input_grad[0])
        parameters = [array for network, *norm in made for array in (*network, *norm)]
        below = None if h is None else torch.from_numpy(h)
        return below, None, None, None, *map(torch.from_numpy, parameters)


class EdgePass:
    """One pass forwards and one backwards through all layers.

    A filter network is asked for all labels at once, before anything is filtered. What the way back
    needs is kept in the workspace, until the next pass.
    """

    def __init__(self, layers: Sequence[EdgeLayer], seen: Sequence[Seen], space: Workspace) -> None:
        self.layers, self._seen, self._space = layers, seen, space
        self._number = layers[0].scale.dtype
        n_labels = layers[0].network[0].shape[1]
        self._labels = np.eye(n_labels, dtype=self._number)
        self._networks = [DensePass(layer.network, Workspace(self._number)) for layer in layers]

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def forward(self, h: Floats, near: Sequence[WeightedRows], counts: Sequence[Counts]) -> Floats:
        """The rows of the last layer."""
        none = np.empty(0, dtype=np.int64)
        self._counts, self._kept = counts or [none] * len(near), list[Kept]()
        for level, (layer, own) in enumerate(zip(self.layers, near, strict=True)):
            arrays, columns = weighted_arrays(own, self._number), len(layer.scale)
            filters = self._filters(level, h.shape[1], columns)
            rows = self._space.array("rows", len(h), filters.shape[1])
            sums, out = (
                self._space.array(f"{name} {level}", own.n_rows, columns)
                for name in ("edges", "layer")
            )
            np.dot(h, filters, out=rows)
            gather_sums(rows, np.zeros(columns, self._number), *arrays, sums)
            affine = layer.scale, layer.shift
            given = self._counts[level], True, sums, *affine, *self._seen[level], out
            self._kept.append(Kept(h, filters, arrays, sums, normalise(*given), out))
            h = out
        return h

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def backward(
        self, grad: Floats, made: Sequence[EdgeLayer], of_input: bool = False
    ) -> Floats | None:
        """Write the gradients of all layers, given that of the rows; return the input's."""
        for level in range(len(self.layers) - 1, -1, -1):
            h, filters, arrays, sums, statistics, out = self._kept[level]
            layer, own, goes_on = self.layers[level], made[level], level > 0 or of_input
            sums_grad = self._space.array("edges grad", *sums.shape)
            kept = grad, sums, layer.scale, statistics, out, sums_grad
            own.scale[:], own.shift[:] = back_through_norm(self._counts[level], True, *kept)
            rows = self._space.array("rows", len(h), filters.shape[1])
            rows[:] = 0
            scatter_sums(sums_grad, *arrays, rows)
            filters_grad = self._space.array("filters grad", *filters.shape)
            np.dot(h.T, rows, out=filters_grad)
            self._filters_backward(level, filters_grad, own.network)
            if goes_on:
                grad = np.dot(rows, filters.T, out=self._space.array("below", *h.shape))
        return grad if of_input else None

    def _filters(self, level: int, width: int, columns: int) -> Floats:
        """The matrices of all labels, side by side."""
        matrices = self._networks[level].forward(self._labels, None)
        filters = self._space.array(f"filters {level}", width, len(matrices), columns)
        filters[:] = matrices.reshape(-1, width, columns).transpose(1, 0, 2)
        return filters.reshape(width, -1)

    def _filters_backward(self, level: int, grad: Floats, made: Sequence[Floats]) -> None:
        n_labels, width = len(self._labels), len(grad)
        matrices = self._space.array("matrices", n_labels, width, grad.shape[1] // n_labels)
        matrices[:] = grad.reshape(width, n_labels, -1).transpose(1, 0, 2)
        self._networks[level].backward(matrices.reshape(n_labels, -1), made, of_input=False)
