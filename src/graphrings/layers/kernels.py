"""The inner loops of the layers, forward and backward."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled

Floats = NDArray[np.floating[Any]]
Arrays = tuple[NDArray[Any], ...]


@compiled
def gather(
    rows: Floats,
    bias: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    weights: Floats,
    width: int,
    out: Floats,
) -> None:
    """Block j of out[v] = the weighted sum of block j of rows[u] over the members u of ring j of v.

    ``rows`` and ``out`` have ``width`` blocks of columns, one a ring. A ring with members gets the
    bias, as if it stood inside the mean.
    """
    columns = out.shape[1] // width
    for v in range(len(out)):
        for j in range(width):
            here = j * columns
            first, last = indptr[v * width + j], indptr[v * width + j + 1]
            for c in range(columns):
                out[v, here + c] = bias[here + c] if last > first else 0
            for e in range(first, last):
                u, share = indices[e], weights[e]
                for c in range(columns):
                    out[v, here + c] += share * rows[u, here + c]


@compiled
def scatter(
    grad: Floats,
    out: Floats,
    tanh: bool,
    behind: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    weights: Floats,
    width: int,
    rows_grad: Floats,
    bias_grad: Floats,
) -> None:
    """The transpose of ``gather``: hand the gradient of every ring to its members.

    If ``tanh`` was applied, with the results ``out``, the gradient goes through it first. The
    columns of ``behind`` come behind those of the rings.
    """
    columns = grad.shape[1] // width
    for u in range(len(rows_grad)):
        for c in range(grad.shape[1]):
            rows_grad[u, c] = 0
        for c in range(behind.shape[1]):
            rows_grad[u, grad.shape[1] + c] = behind[u, c]
    bias_grad[:] = 0
    inner = np.empty(columns, dtype=grad.dtype)
    for v in range(len(grad)):
        for j in range(width):
            here = j * columns
            first, last = indptr[v * width + j], indptr[v * width + j + 1]
            if first == last:
                continue
            for c in range(columns):
                inner[c] = grad[v, here + c]
                if tanh:
                    inner[c] *= 1 - out[v, here + c] * out[v, here + c]
                bias_grad[here + c] += inner[c]
            for e in range(first, last):
                u, share = indices[e], weights[e]
                for c in range(columns):
                    rows_grad[u, here + c] += share * inner[c]


@compiled
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


@compiled
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
        order[:] = spare
        length *= 2


@compiled
def sorted_places(
    graph_ptr: NDArray[np.int64],
    members: NDArray[np.int32],
    multiplicity: NDArray[np.int32],
    keys: Floats,
    k: int,
    deep: bool,
    layers: Arrays,
    parents: Arrays,
) -> NDArray[np.int32]:
    """The rows of the k first nodes of every graph, in order; -1 where a graph has fewer."""
    places = np.full((len(graph_ptr) - 1, k), -1, dtype=np.int32)
    most = 0
    for graph in range(len(places)):
        most = max(most, graph_ptr[graph + 1] - graph_ptr[graph])
    buffer, spare = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64)
    for graph in range(len(places)):
        start, stop = graph_ptr[graph], graph_ptr[graph + 1]
        order = buffer[: stop - start]
        for i in range(stop - start):
            order[i] = start + i
        merge_sorted(order, spare[: stop - start], members, keys, deep, layers, parents)
        at = 0
        for place in order:
            for _ in range(multiplicity[place]):
                if at < k:
                    places[graph, at] = members[place]
                    at += 1
    return places


@compiled
def pool_forward(
    filtered: Floats,
    starts: NDArray[np.int64],
    parents: Arrays,
    places: NDArray[np.int32],
    bias: Floats,
    out: Floats,
    winner: NDArray[np.int8],
) -> None:
    """Sum over layers, ReLU, maximum of every pair of places; ``winner`` is -1 where ReLU is off.

    The rows of layer l begin at ``starts[l]``. A place has a row of the last layer, and its parents
    in those before.
    """
    channels = len(bias)
    pair = np.empty((2, channels), dtype=filtered.dtype)
    for graph in range(out.shape[0]):
        for m in range(out.shape[1]):
            for side in range(2):
                for c in range(channels):
                    pair[side, c] = bias[c]
                row = places[graph, 2 * m + side]
                for back in range(1, len(starts) + 1):
                    if row >= 0:
                        at = starts[len(starts) - back] + row
                        for c in range(channels):
                            pair[side, c] += filtered[at, c]
                        if back < len(starts):
                            row = parents[len(parents) - back][row]
            for c in range(channels):
                larger = 1 if pair[1, c] > pair[0, c] else 0
                value = pair[larger, c]
                out[graph, m, c] = value if value > 0 else 0
                winner[graph, m, c] = larger if value > 0 else -1


@compiled
def pool_backward(
    grad: Floats,
    winner: NDArray[np.int8],
    starts: NDArray[np.int64],
    parents: Arrays,
    places: NDArray[np.int32],
    filtered_grad: Floats,
    bias_grad: Floats,
) -> None:
    """Hand the gradient of every pair to the place that won, in all layers; add it to zeros."""
    channels = len(bias_grad)
    won = np.empty(channels, dtype=grad.dtype)
    for graph in range(grad.shape[0]):
        for m in range(grad.shape[1]):
            for side in range(2):
                for c in range(channels):
                    won[c] = grad[graph, m, c] if winner[graph, m, c] == side else 0
                    bias_grad[c] += won[c]
                row = places[graph, 2 * m + side]
                for back in range(1, len(starts) + 1):
                    if row >= 0:
                        at = starts[len(starts) - back] + row
                        for c in range(channels):
                            filtered_grad[at, c] += won[c]
                        if back < len(starts):
                            row = parents[len(parents) - back][row]


@compiled
def cut_windows(x: Floats, out: Floats) -> None:
    """Window p of a graph: as many positions from p on as fit into a row of ``out``."""
    size = out.shape[2] // x.shape[2]
    for graph in range(out.shape[0]):
        for p in range(out.shape[1]):
            for t in range(size):
                for c in range(x.shape[2]):
                    out[graph, p, t * x.shape[2] + c] = x[graph, p + t, c]


@compiled
def add_windows(grad: Floats, out: Floats) -> None:
    """Add window p of every graph to the positions that it was cut from."""
    size = grad.shape[2] // out.shape[2]
    for graph in range(grad.shape[0]):
        for p in range(grad.shape[1]):
            for t in range(size):
                for c in range(out.shape[2]):
                    out[graph, p + t, c] += grad[graph, p, t * out.shape[2] + c]


@compiled
def through_relu(out: Floats, grad: Floats, total: Floats) -> None:
    """Set the gradient to zero where ReLU gave none of ``out``; add its rows to ``total``."""
    for i in range(grad.shape[0]):
        for c in range(grad.shape[1]):
            grad[i, c] = grad[i, c] if out[i, c] > 0 else 0
            total[c] += grad[i, c]


@compiled
def adam_step(
    values: Floats,
    grads: Floats,
    means: Floats,
    squares: Floats,
    step_size: float,
    new_mean: float,
    new_square: float,
    scale: float,
    epsilon: float,
) -> None:
    """One step of Adam on all parameters at once."""
    for i in range(len(values)):
        means[i] += new_mean * (grads[i] - means[i])
        squares[i] += new_square * (grads[i] * grads[i] - squares[i])
        values[i] -= step_size * means[i] / (scale * np.sqrt(squares[i]) + epsilon)
