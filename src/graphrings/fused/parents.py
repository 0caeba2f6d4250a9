"""Rows and those of the layer before that they lead back to."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.fused.arrays import Floats
from graphrings.loops import U

Parents = NDArray[np.int32]


@compiled
def add_parents(rows: Floats, parents: Parents, out: Floats) -> None:
    """Add the last columns of every row's parent."""
    columns = U(out.shape[1])
    start = U(rows.shape[1]) - columns
    for v in range(U(len(out))):
        parent = U(parents[v])
        for c in range(columns):
            out[v, c] += rows[parent, start + c]


@compiled
def to_parents(grad: Floats, parents: Parents, out: Floats) -> None:
    """The transpose of ``add_parents``."""
    columns = U(grad.shape[1])
    start = U(out.shape[1]) - columns
    for v in range(U(len(grad))):
        parent = U(parents[v])
        for c in range(columns):
            out[parent, start + c] += grad[v, c]
