"""The largest value of every column over the members of a row, and the way back."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.fused.arrays import Floats
from graphrings.loops import ONE, U


@compiled
def largest_members(
    rows: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    first: int,
    out: Floats,
) -> None:
    """The columns of ``out`` from the first one on: the largest of every column of the members."""
    columns, begin = U(rows.shape[1]), U(first)
    for v in range(U(len(indptr) - 1)):
        for c in range(columns):
            out[v, begin + c] = -np.inf
        for e in range(U(indptr[v]), U(indptr[v + ONE])):
            u = U(indices[e])
            for c in range(columns):
                value, most = rows[u, c], out[v, begin + c]
                keeps = value <= most or most != most  # what is no number stays none
                out[v, begin + c] = most if keeps else value


@compiled
def to_largest(
    grad: Floats,
    rows: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    first: int,
    out: Floats,
    rows_grad: Floats,
) -> None:
    """Hand the gradient of every column to the members that have its largest value, in parts."""
    columns, begin = U(rows.shape[1]), U(first)
    zero, one = np.array([0, 1]).astype(rows.dtype)
    parts = np.empty(rows.shape[1], dtype=rows.dtype)
    for v in range(U(len(indptr) - 1)):
        parts[:] = 0
        members = range(U(indptr[v]), U(indptr[v + ONE]))
        for e in members:
            u = U(indices[e])
            for c in range(columns):
                parts[c] += one if rows[u, c] == out[v, begin + c] else zero
        for c in range(columns):
            parts[c] = grad[v, begin + c] / parts[c]
        for e in members:
            u = U(indices[e])
            for c in range(columns):
                rows_grad[u, c] += parts[c] if rows[u, c] == out[v, begin + c] else zero
