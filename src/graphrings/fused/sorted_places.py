"""SortPooling of rows that are never concatenated."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from graphrings.compiled import compiled, inlined
from graphrings.fused.arrays import Arrays, Floats
from graphrings.fused.pooled_rows import joined


def sort_places(
    layers: Sequence[Tensor],
    parents: Sequence[NDArray[np.int32]],
    graph_ptr: NDArray[np.int64],
    members: NDArray[np.int32],
    multiplicity: NDArray[np.int32],
    k: int,
    all_columns: bool = True,
) -> NDArray[np.int32]:
    """Which rows of the last layer SortPooling keeps, (graphs, k); -1 stands for a zero row.

    The rows to compare are the concatenation of all layers. It is never made: ``parents[l]`` leads
    from a row of layer l + 1 to the row of layer l that it goes with. Graph i has the rows
    ``members[graph_ptr[i] : graph_ptr[i + 1]]``, each as often as ``multiplicity`` says. Ties in
    the last column fall to the columns before it, if ``all_columns`` count.
    """
    arrays = tuple(h.detach().cpu().contiguous().numpy() for h in layers)
    return places_of(arrays, parents, graph_ptr, members, multiplicity, k, all_columns)


def places_of(
    arrays: Arrays,
    parents: Sequence[NDArray[np.int32]],
    graph_ptr: NDArray[np.int64],
    members: NDArray[np.int32],
    multiplicity: NDArray[np.int32],
    k: int,
    all_columns: bool,
) -> NDArray[np.int32]:
    """The same for layers that are arrays."""
    keys = np.ascontiguousarray(arrays[-1][:, -1])
    starts = np.array(list(accumulate(map(len, parents), initial=0)))
    below = joined(parents)
    nodes = graph_ptr, members, multiplicity
    order, spare = np.arange(len(members)), np.arange(len(members))
    places = np.full((len(graph_ptr) - 1, k), -1, dtype=np.int32)
    write_places(*nodes, keys, all_columns, arrays, starts, below, order, spare, places)
    return places


@inlined
def stands_before(
    a: int, b: int, layers: Arrays, starts: NDArray[np.int64], parents: NDArray[np.int32]
) -> bool:
    """Whether row a comes before row b: is larger, from the last column of the last layer on."""
    level = len(layers) - 1
    while a != b:
        h = layers[level]
        for c in range(h.shape[1] - 1, -1, -1):
            if h[a, c] != h[b, c]:
                return bool(h[a, c] > h[b, c])
        level -= 1
        if level < 0:
            return False
        a, b = parents[starts[level] + a], parents[starts[level] + b]
    return False


@compiled
def write_places(
    graph_ptr: NDArray[np.int64],
    members: NDArray[np.int32],
    multiplicity: NDArray[np.int32],
    keys: Floats,
    deep: bool,
    layers: Arrays,
    starts: NDArray[np.int64],
    parents: NDArray[np.int32],
    order: NDArray[np.int64],
    spare: NDArray[np.int64],
    places: NDArray[np.int32],
) -> None:
    """The rows of the first nodes of every graph, in order, as many as there are places.

    The order is by keys, descending, ties by the columns before; it is stable. ``order`` and
    ``spare`` both begin with all places of ``members``; ``parents`` as ``joined``, those of a layer
    from ``starts`` on.
    """
    # Not `loops.merge_sort`, whose call per comparison makes this three to seven times slower.
    for graph in range(len(places)):
        start, stop = graph_ptr[graph], graph_ptr[graph + 1]
        length = 1
        while length < stop - start:
            for first in range(start, stop, 2 * length):
                middle, last = min(first + length, stop), min(first + 2 * length, stop)
                i, k = first, middle
                for at in range(first, last):
                    take = i < middle
                    if take and k < last:
                        a, b = members[order[i]], members[order[k]]
                        if keys[b] > keys[a] or (
                            deep
                            and keys[a] == keys[b]
                            and stands_before(b, a, layers, starts, parents)
                        ):
                            take = False
                    if take:
                        spare[at] = order[i]
                        i += 1
                    else:
                        spare[at] = order[k]
                        k += 1
            order, spare = spare, order
            length *= 2
        at = 0
        for i in range(start, stop):
            for _ in range(multiplicity[order[i]]):
                if at < places.shape[1]:
                    places[graph, at] = members[order[i]]
                    at += 1
