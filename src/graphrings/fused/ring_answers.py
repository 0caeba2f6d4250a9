"""Stacked ring convolutions without a gradient: what a prediction needs, in fewer passes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from graphrings.compiled import compiled
from graphrings.distances.rings import Rings
from graphrings.fused.arrays import Floats
from graphrings.fused.rational_tanh import rational_tanh

TILE = 16  # numbers in single precision that the widest registers hold


def ring_answers(
    h: Tensor,
    near: Sequence[Rings],
    filters: Sequence[tuple[Tensor, Tensor | None]],
    readout: Tensor,
) -> tuple[Tensor, list[Tensor]]:
    """What ``ring_stack`` computes for rings whose members count once, up to rounding.

    Sums over a ring are made in double precision, where they do not depend on the order of its
    members: nodes that see the same have the same rows, although no two nodes share one.
    """
    weights = [weight for weight, _ in filters]
    own = torch.split_with_sizes(readout, [weight.shape[0] for weight in weights], 1)
    behind = [weights[0], *map(torch.cat, zip(weights[1:], own, strict=False)), own[-1]]
    layers, read = [h], []
    for rings, (weight, bias), both in zip(near, filters, behind, strict=False):
        rows, width = product(layers[-1], both), weight.shape[0]
        out = rows.new_empty((rings.n_rows, width))
        added = rows.new_zeros(width) if bias is None else bias
        average(rows.numpy(), added.numpy(), rings.indptr, rings.indices, rings.width, out.numpy())
        rational_tanh(out.numpy())
        layers.append(out)
        read.append(rows[:, width : both.shape[0]])
    read.append(product(layers[-1], own[-1])[:, : readout.shape[0]])
    return torch.cat(read[1:]), layers[1:]


def product(h: Tensor, filters: Tensor) -> Tensor:
    """The rows of ``h`` filtered, with columns of zeros behind: equal rows have equal results.

    At the edges of a matrix whose sides are no multiples of what a processor computes at once,
    libraries take other instructions, and rows that are equal may differ in the last bit.
    """
    n_rows, (n_columns, n_inputs) = h.shape[0], filters.shape
    turned = filters.new_zeros((n_inputs, -(-n_columns // TILE) * TILE))
    turned[:, :n_columns] = filters.t()
    if n_rows >= TILE:
        return h @ turned
    padded = h.new_zeros((TILE, n_inputs))
    padded[:n_rows] = h
    return (padded @ turned)[:n_rows]


@compiled
def average(
    rows: Floats,
    bias: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    width: int,
    out: Floats,
) -> None:
    """Block j of out[v] = the mean of block j of rows[u] over the members u of ring j, and bias.

    An empty ring gives zeros. Places are counted from ``indptr[0]``, so that rings may be a part
    of others.
    """
    columns = out.shape[1] // width
    total = np.empty(columns)
    begin = indptr[0]
    for v in range(len(out)):
        for j in range(width):
            here = j * columns
            first, last = indptr[v * width + j] - begin, indptr[v * width + j + 1] - begin
            if first == last:
                for c in range(columns):
                    out[v, here + c] = 0
                continue
            for c in range(columns):
                total[c] = 0
            for e in range(first, last):
                u = indices[e]
                for c in range(columns):
                    total[c] += rows[u, here + c]
            share = 1 / (last - first)
            for c in range(columns):
                out[v, here + c] = total[c] * share + bias[here + c]
