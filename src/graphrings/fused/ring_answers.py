"""Stacked ring convolutions without a gradient: what a prediction needs, in fewer passes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from graphrings.compiled import compiled
from graphrings.fused.arrays import Floats
from graphrings.fused.rational_tanh import tanh_of

TILE = 16  # numbers in single precision that the widest registers hold


class NodePart(NamedTuple):
    """Some neighbouring nodes that see only each other, and their rings.

    ``near`` are the members of all rings of node ``begin``, then of the next one; ``lowest`` says
    which row of a table of features each of them has. Ring j of the v-th node, counted from 0, ends
    at ``indptr[v * width + j + 1]``; places are counted from ``indptr[0]``.
    """

    width: int
    begin: int
    indptr: NDArray[np.int64]
    near: NDArray[np.int32]
    lowest: NDArray[np.int32]

    @property
    def n_nodes(self) -> int:
        """How many there are."""
        return (len(self.indptr) - 1) // self.width


class RingAnswers:
    """What ``ring_stack`` computes, up to rounding, for one part of the nodes after the other.

    Sums over a ring are made in double precision, where they do not depend on the order of its
    members: nodes that see the same have the same rows, although no two nodes share one. Every part
    is written to the same memory, which stays in the processor's cache if parts are small.
    """

    def __init__(
        self,
        table: Tensor,
        filters: Sequence[tuple[Tensor, Tensor | None]],
        readout: Tensor,
        most_nodes: int,
    ) -> None:
        weights = [weight for weight, _ in filters]
        own = torch.split_with_sizes(readout, [weight.shape[0] for weight in weights], 1)
        behind = [*map(torch.cat, zip(weights[1:], own, strict=False)), own[-1]]
        self._shown = product(table, weights[0]).numpy()
        self._filters = [in_tiles(both) for both in behind]
        self._biases = [
            np.zeros(len(weight), dtype=np.float32) if bias is None else bias.numpy()
            for weight, bias in filters
        ]
        n_rows = max(TILE, most_nodes)
        self._layers = [table.new_zeros((n_rows, len(weight))) for weight in weights]
        space = table.new_empty(n_rows * max(turned.shape[1] for turned in self._filters))
        self._rows = [
            space[: n_rows * turned.shape[1]].view(n_rows, -1) for turned in self._filters
        ]
        self._arrays = [
            (layer.numpy(), rows.numpy())
            for layer, rows in zip(self._layers, self._rows, strict=True)
        ]
        # Behind what the filters of the next layer make of a row stands what is read of it.
        self._read_from = [*(len(weight) for weight in weights[1:]), 0]
        self._read = np.empty((len(weights), n_rows, len(readout)), dtype=np.float32)

    def __call__(self, part: NodePart) -> tuple[Floats, tuple[Floats, ...]]:
        """What is read of all layers, (layers, nodes, out), and the layers."""
        n, n_rows = part.n_nodes, max(TILE, part.n_nodes)
        read, layers = self._read[:, :n], tuple(layer[:n] for layer, _ in self._arrays)
        rows, near, begin = self._shown, part.lowest, 0
        for level, turned in enumerate(self._filters):
            out, bias = layers[level], self._biases[level]
            average(rows, bias, part.indptr, near, begin, part.width, out)
            torch.mm(self._layers[level][:n_rows], turned, out=self._rows[level][:n_rows])
            rows, near, begin = self._arrays[level][1], part.near, part.begin
            copy_columns(rows, self._read_from[level], read[level])
        return self._read, layers


def product(h: Tensor, filters: Tensor) -> Tensor:
    """The rows of ``h`` filtered, with columns of zeros behind: equal rows have equal results.

    At the edges of a matrix whose sides are no multiples of what a processor computes at once,
    libraries take other instructions, and rows that are equal may differ in the last bit.
    """
    n_rows = h.shape[0]
    if n_rows >= TILE:
        return h @ in_tiles(filters)
    padded = h.new_zeros((TILE, h.shape[1]))
    padded[:n_rows] = h
    return (padded @ in_tiles(filters))[:n_rows]


def in_tiles(filters: Tensor) -> Tensor:
    """The transpose, with columns of zeros behind up to a whole number of tiles."""
    n_columns, n_inputs = filters.shape
    turned = filters.new_zeros((n_inputs, -(-n_columns // TILE) * TILE))
    turned[:, :n_columns] = filters.t()
    return turned


@compiled
def copy_columns(rows: Floats, first: int, out: Floats) -> None:
    """Write the columns of ``rows`` from ``first`` on; numpy is slow where rows are short."""
    for v in range(len(out)):
        for c in range(out.shape[1]):
            out[v, c] = rows[v, first + c]


@compiled
def average(
    rows: Floats,
    bias: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    begin: int,
    width: int,
    out: Floats,
) -> None:
    """Block j of out[v] = tanh of the mean of block j over the members of ring j, and bias.

    Member u has the row ``u - begin``. An empty ring gives zeros. Places are counted from
    ``indptr[0]``, so that rings may be a part of others.
    """
    columns = out.shape[1] // width
    total = np.empty(columns)
    start = indptr[0]
    for v in range(len(out)):
        for j in range(width):
            here = j * columns
            first, last = indptr[v * width + j] - start, indptr[v * width + j + 1] - start
            if first == last:
                for c in range(columns):
                    out[v, here + c] = 0
                continue
            u = indices[first] - begin
            if last - first == 1:
                for c in range(columns):
                    out[v, here + c] = rows[u, here + c] + bias[here + c]
                continue
            w = indices[first + 1] - begin
            for c in range(columns):
                total[c] = np.float64(rows[u, here + c]) + rows[w, here + c]
            # Two members at a time, added one after the other: the same sums in fewer passes.
            for e in range(first + 2, last - 1, 2):
                u, w = indices[e] - begin, indices[e + 1] - begin
                for c in range(columns):
                    total[c] = total[c] + rows[u, here + c] + rows[w, here + c]
            if (last - first) % 2 == 1:
                u = indices[last - 1] - begin
                for c in range(columns):
                    total[c] += rows[u, here + c]
            share = 1 / (last - first)
            for c in range(columns):
                out[v, here + c] = total[c] * share + bias[here + c]
        for c in range(out.shape[1]):
            out[v, c] = tanh_of(out[v, c])
