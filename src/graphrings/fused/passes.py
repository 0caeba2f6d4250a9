"""Layers on top of each other, all of whose rows are read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.arrays import Floats


class LayerPass(Protocol):
    """One pass forwards and one backwards through a layer."""

    def forward(self, h: Floats, near: WeightedRows) -> Floats:
        """The rows of the layer."""

    def backward(self, grad: Floats, *made_and_of_input: Any) -> Floats | None:
        """Write the gradients of its parameters; return that of ``h``, if it is asked for."""


class Passes:
    """One pass forwards and one backwards through all layers."""

    def __init__(self, layers: Sequence[LayerPass]) -> None:
        self._layers = layers

    def forward(self, h: Floats, near: Sequence[WeightedRows]) -> list[Floats]:
        """The rows of every layer."""
        rows = []
        for layer, own in zip(self._layers, near, strict=True):
            h = layer.forward(h, own)
            rows.append(h)
        return rows

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def backward(
        self,
        grads: Sequence[Floats],
        made: Sequence[tuple[Floats | None, ...]],
        of_input: bool = False,
    ) -> Floats | None:
        """Write the gradients of all layers, given those of the rows; return the input's.

        To the gradient of a layer's rows that of the next layer is added.
        """
        below: Floats | None = None
        for level in range(len(self._layers) - 1, -1, -1):
            grad = grads[level]
            if below is not None:
                grad += below
            below = self._layers[level].backward(grad, *made[level], level > 0 or of_input)
        return below
