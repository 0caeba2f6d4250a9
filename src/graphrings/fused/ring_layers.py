"""Ring convolutions on top of each other, with norms, an activation per ring and residuals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from graphrings.compiled import compiled
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.activations import WRITTEN_OUT
from graphrings.fused.arrays import Floats
from graphrings.fused.filter_stack import FilterPass
from graphrings.fused.parents import Parents, add_parents, to_parents
from graphrings.fused.rational_tanh import tanh_of
from graphrings.fused.row_norm import Counts, Seen, back_through_norm, normalise
from graphrings.fused.workspace import Workspace
from graphrings.loops import U


class RingLayer(NamedTuple):
    """The filters of a layer, and scale and shift of its norm, if any; or their gradients."""

    weight: Floats
    bias: Floats | None
    affine: tuple[Floats, Floats] | None


class RingLayersPass:
    """One pass forwards and one backwards through all layers.

    ``seen`` are the running mean and variance of every norm. ``activations`` has a name for every
    ring, one of those ``WITHIN`` a ring filter. With ``residual`` a layer adds its input where that
    is as wide as its result. What the way back needs is kept in the workspace, until the next pass.
    """

    def __init__(
        self,
        layers: Sequence[RingLayer],
        seen: Sequence[Seen | None],
        activations: Sequence[str],
        residual: bool,
        space: Workspace,
    ) -> None:
        self._layers, self._seen, self._space = layers, seen, space
        self._activations, self._residual = activations, residual
        self._filters = [
            FilterPass(layer.weight, layer.bias, "identity", space, f"ring layer {level}")
            for level, layer in enumerate(layers)
        ]

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def forward(
        self,
        h: Floats,
        near: Sequence[WeightedRows],
        parents: Sequence[Parents],
        counts: Sequence[Counts],
    ) -> list[Floats]:
        """The rows of every layer; without ``counts`` the norms are by what was seen."""
        none = np.empty(0, dtype=np.int64)
        self._parents, self._counts = parents, counts or [none] * len(near)
        self._kept, rows = list[tuple[Floats, Any, Floats, bool]](), list[Floats]()
        for level, layer in enumerate(self._layers):
            x, statistics, made = self._filters[level].forward(h, near[level]), None, None
            out, seen = x, self._seen[level]
            if layer.affine is not None and seen is not None:
                out = self._space.array(f"normed {level}", *x.shape)
                arrays = x, *layer.affine, *seen, out
                statistics = normalise(self._counts[level], False, *arrays)
            for first, last, name in self._blocks(out):
                apply(name, out, first, last)
            adds = self._residual and out.shape[1] == h.shape[1]
            if adds:
                made = self._space.array(f"added {level}", *out.shape)
                np.copyto(made, out)
                add_parents(h, parents[level], made)
            self._kept.append((x, statistics, out, adds))
            h = out if made is None else made
            rows.append(h)
        return rows

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def backward(self, grads: Sequence[Floats], made: Sequence[RingLayer]) -> None:
        """Write the gradients of all layers, given those of their rows, which are written to."""
        for level in range(len(self._layers) - 1, -1, -1):
            x, statistics, out, adds = self._kept[level]
            layer, own, grad = self._layers[level], made[level], grads[level]
            through = self._space.array("through", *grad.shape)
            for first, last, name in self._blocks(out):
                own_columns = np.s_[:, first:last]
                back = WRITTEN_OUT[name].back
                back(grad[own_columns], out[own_columns], through[own_columns])
            if layer.affine is not None and own.affine is not None:
                behind, arrays = self._space.array("behind", *grad.shape), (x, layer.affine[0])
                made_of = statistics, out, behind
                own.affine[0][:], own.affine[1][:] = back_through_norm(
                    self._counts[level], False, through, *arrays, *made_of
                )
                through = behind
            below = self._filters[level].backward(through, own.weight, own.bias, level > 0)
            if below is not None:
                grads[level - 1][:] += below
                if adds:
                    to_parents(grad, self._parents[level], grads[level - 1])

    def _blocks(self, out: Floats) -> list[tuple[int, int, str]]:
        """Where the columns of every ring begin and end, and their activation."""
        if len(set(self._activations)) == 1:
            return [(0, out.shape[1], self._activations[0])]
        c = out.shape[1] // len(self._activations)
        return [(j * c, (j + 1) * c, name) for j, name in enumerate(self._activations)]


def apply(name: str, x: Floats, first: int, last: int) -> None:
    """Apply an activation to some columns."""
    columns = x[:, first:last]
    if name == "relu":
        np.maximum(columns, 0, out=columns)
    elif name == "tanh" and x.dtype == np.float32:
        tanh_of_columns(x, first, last)
    elif name == "tanh":
        np.tanh(columns, out=columns)


@compiled
def tanh_of_columns(x: Floats, first: int, last: int) -> None:
    """The tanh of some columns, in single precision."""
    for v in range(U(x.shape[0])):
        for c in range(U(first), U(last)):
            x[v, c] = tanh_of(x[v, c])
