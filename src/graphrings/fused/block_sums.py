"""The sum over all blocks of a row, every block with columns of its own, and the way back."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.fused.arrays import Floats
from graphrings.hardware import SHORT, SPAN, put_span, short_span, span
from graphrings.loops import ONE, ZERO, U

LONG, BRIEF = U(SPAN), U(SHORT)


@compiled
def gather_sums(
    rows: Floats,
    bias: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    weights: Floats,
    width: int,
    out: Floats,
) -> None:
    """out[v] = the bias, and of all blocks j the weighted sums of block j of rows[u]."""
    blocks, n_given, columns = U(width), U(rows.shape[1]), U(out.shape[1])
    long, brief = columns // LONG * LONG, columns // BRIEF * BRIEF
    for v in range(U(len(out))):
        for c in range(ZERO, long, LONG):
            many = span(bias, c)
            for j in range(blocks):
                b, at = v * blocks + j, j * columns + c
                for e in range(U(indptr[b]), U(indptr[b + ONE])):
                    many = many + weights[e] * span(rows, U(indices[e]) * n_given + at)
            put_span(out, v * columns + c, many)
        for c in range(long, brief, BRIEF):
            some = short_span(bias, c)
            for j in range(blocks):
                b, at = v * blocks + j, j * columns + c
                for e in range(U(indptr[b]), U(indptr[b + ONE])):
                    some = some + weights[e] * short_span(rows, U(indices[e]) * n_given + at)
            put_span(out, v * columns + c, some)
        for c in range(brief, columns):
            one = bias[c]
            for j in range(blocks):
                b, at = v * blocks + j, j * columns + c
                for e in range(U(indptr[b]), U(indptr[b + ONE])):
                    one += weights[e] * rows[U(indices[e]), at]
            out[v, c] = one


@compiled
def scatter_sums(
    grad: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    weights: Floats,
    width: int,
    rows_grad: Floats,
) -> None:
    """The transpose of ``gather_sums``, added to the gradient of its rows."""
    blocks, n_given, columns = U(width), U(rows_grad.shape[1]), U(grad.shape[1])
    long, brief = columns // LONG * LONG, columns // BRIEF * BRIEF
    for v in range(U(len(grad))):
        for j in range(blocks):
            b = v * blocks + j
            for e in range(U(indptr[b]), U(indptr[b + ONE])):
                there, weight = U(indices[e]) * n_given + j * columns, weights[e]
                here = v * columns
                for c in range(ZERO, long, LONG):
                    many = span(rows_grad, there + c) + weight * span(grad, here + c)
                    put_span(rows_grad, there + c, many)
                for c in range(long, brief, BRIEF):
                    some = short_span(rows_grad, there + c) + weight * short_span(grad, here + c)
                    put_span(rows_grad, there + c, some)
                for c in range(brief, columns):
                    rows_grad[U(indices[e]), j * columns + c] += weight * grad[v, c]
