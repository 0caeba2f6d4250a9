"""SortPooling of rows that are never concatenated."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from graphrings.compiled import compiled, inlined
from graphrings.fused.arrays import Arrays, Floats


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
    below = tuple(parents) or (members,)  # a tuple must not be empty to be compiled
    nodes = graph_ptr, members, multiplicity
    buffers = np.empty((2, len(members)), dtype=np.int64)
    places = np.full((len(graph_ptr) - 1, k), -1, dtype=np.int32)
    write_places(*nodes, keys, all_columns, arrays, below, buffers, places)
    return places


@inlined
def stands_before(a: int, b: int, layers: Arrays, parents: Arrays) -> bool:
    """Whether row a comes before row b: is larger, from the last column of the last layer on."""
    for back in range(1, len(layers) + 1):
        h = layers[len(layers) - back]
        for c in range(h.shape[1] - 1, -1, -1):
            if h[a, c] != h[b, c]:
                return bool(h[a, c] > h[b, c])
        if back < len(layers):
            a, b = parents[len(parents) - back][a], parents[len(parents) - back][b]
            if a == b:
                return False
    return False


@inlined
def merge_sorted(
    order: NDArray[np.int64],
    spare: NDArray[np.int64],
    members: NDArray[np.int32],
    keys: Floats,
    deep: bool,
    layers: Arrays,
    parents: Arrays,
) -> None:
    """Sort places by the keys of their rows, descending, ties by the columns before; stable."""
    # Not `loops.merge_sort`, whose call per comparison makes this three to seven times slower.
    length = 1
    while length < len(order):
        for first in range(0, len(order), 2 * length):
            middle = min(first + length, len(order))
            last = min(first + 2 * length, len(order))
            i, k = first, middle
            for at in range(first, last):
                take = i < middle
                if take and k < last:
                    a, b = members[order[i]], members[order[k]]
                    if keys[b] > keys[a] or (
                        deep and keys[a] == keys[b] and stands_before(b, a, layers, parents)
                    ):
                        take = False
                if take:
                    spare[at] = order[i]
                    i += 1
                else:
                    spare[at] = order[k]
                    k += 1
        for at in range(len(order)):  # a slice would cost two seconds of compilation
            order[at] = spare[at]
        length *= 2


@compiled
def write_places(
    graph_ptr: NDArray[np.int64],
    members: NDArray[np.int32],
    multiplicity: NDArray[np.int32],
    keys: Floats,
    deep: bool,
    layers: Arrays,
    parents: Arrays,
    buffers: NDArray[np.int64],
    places: NDArray[np.int32],
) -> None:
    """The rows of the first nodes of every graph, in order, as many as there are places."""
    for graph in range(len(places)):
        start, stop = graph_ptr[graph], graph_ptr[graph + 1]
        order = buffers[0, : stop - start]
        for i in range(stop - start):
            order[i] = start + i
        spare = buffers[1, : stop - start]
        merge_sorted(order, spare, members, keys, deep, layers, parents)
        at = 0
        for i in range(stop - start):
            for _ in range(multiplicity[order[i]]):
                if at < places.shape[1]:
                    places[graph, at] = members[order[i]]
                    at += 1
