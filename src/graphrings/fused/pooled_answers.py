"""SortPooling and the head's first 1-D convolution without a gradient, on rows of their own."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.fused.arrays import Floats
from graphrings.fused.sorted_places import places_of


class PooledAnswers:
    """What ``pooled_rows`` computes where a node has the same place in every layer."""

    def __init__(self, bias: Floats, k: int, all_columns: bool, most_nodes: int) -> None:
        self._bias, self._k, self._all_columns = bias, k, all_columns
        self._nodes = np.arange(most_nodes, dtype=np.int32)
        self._once = np.ones_like(self._nodes)

    def __call__(
        self,
        filtered: Floats,
        layers: tuple[Floats, ...],
        graph_ptr: NDArray[np.int64],
        out: Floats,
    ) -> None:
        """Sort the rows of every graph, add up what was filtered, ReLU, maximum of every pair."""
        n = graph_ptr[-1]
        nodes, once = self._nodes[:n], self._once[:n]
        parents = [nodes] * (len(layers) - 1)
        places = places_of(layers, parents, graph_ptr, nodes, once, self._k, self._all_columns)
        pool_answers(filtered, places, self._bias, out)


@compiled
def pool_answers(
    filtered: Floats,
    places: NDArray[np.int32],
    bias: Floats,
    out: Floats,
) -> None:
    """What ``pool_forward`` computes, in the same order."""
    channels = len(bias)
    pair = np.empty((2, channels), dtype=out.dtype)
    for graph in range(out.shape[0]):
        for m in range(out.shape[1]):
            for side in range(2):
                for c in range(channels):
                    pair[side, c] = bias[c]
                row = places[graph, 2 * m + side]
                if row >= 0:
                    for layer in range(filtered.shape[0] - 1, -1, -1):
                        for c in range(channels):
                            pair[side, c] += filtered[layer, row, c]
            for c in range(channels):
                larger = pair[1, c] if pair[1, c] > pair[0, c] else pair[0, c]
                out[graph, m, c] = larger if larger > 0 else 0
