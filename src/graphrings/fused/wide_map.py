"""A linear map of all layers side by side, whose rows are never laid out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

import numpy as np

from graphrings.fused.arrays import Floats
from graphrings.fused.parents import Parents, add_parents, to_parents
from graphrings.fused.workspace import Workspace


class WideMapPass:
    """One pass forwards and one backwards through the map.

    A row of the last layer stands beside the rows of the layers before that it leads back to. So
    the map is a sum of one map per layer, and every layer is mapped once for each of its own rows.
    """

    def __init__(self, weight: Floats, widths: Sequence[int], space: Workspace) -> None:
        self.weight, self._space = weight, space
        self._columns = [slice(*both) for both in pairwise(accumulate(widths, initial=0))]

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def forward(self, layers: Sequence[Floats], parents: Sequence[Parents]) -> Floats:
        """A row for every row of the last layer; ``parents`` lead to the layer before."""
        self._layers, self._parents = layers, parents
        total: Floats | None = None
        for level, h in enumerate(layers):
            mapped = self._space.array(f"wide {level}", len(h), len(self.weight))
            np.dot(h, self.weight[:, self._columns[level]].T, out=mapped)
            if total is not None:
                add_parents(total, parents[level - 1], mapped)
            total = mapped
        assert total is not None
        return total

    @np.errstate(all="ignore")
    def backward(self, grad: Floats, made: Floats) -> list[Floats]:
        """Write the gradient of the weight, given that of the rows; return those of the layers."""
        grads = list[Floats]()
        for level in range(len(self._layers) - 1, -1, -1):
            h, columns = self._layers[level], self._columns[level]
            made[:, columns] = np.dot(grad.T, h)
            out = self._space.array(f"wide grad {level}", *h.shape)
            grads.insert(0, np.dot(grad, self.weight[:, columns], out=out))
            if level:
                below = self._space.array(
                    f"wide below {level}", len(self._layers[level - 1]), grad.shape[1]
                )
                below[:] = 0
                to_parents(grad, self._parents[level - 1], below)
                grad = below
        return grads
