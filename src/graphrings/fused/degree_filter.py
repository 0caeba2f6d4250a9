"""Sums over neighbourhoods, filtered by a matrix for every degree."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.fused.arrays import Floats
from graphrings.fused.ring_filter import gather, scatter
from graphrings.fused.workspace import Workspace
from graphrings.loops import ONE, TWO, U


class DegreePass:
    """Sums over rows that stand by degree, filtered by the matrix of their degree, and back.

    Who has few rows to begin with filters all of them for every degree, before they are added up.
    """

    def __init__(self, filters: Sequence[Floats], space: Workspace, name: str) -> None:
        self._filters, self._space, self._name = filters, space, name

    def forward(self, h: Floats, arrays: tuple[Any, Any, Any, int], bounds: list[int]) -> Floats:
        """The filtered sums; degree d has the rows from ``bounds[d]`` on."""
        indptr, indices, weights, width = self._arrays = arrays
        self._h, self._parts = h, [slice(*both) for both in pairwise(bounds)]
        y = self._space.array(f"{self._name} y", bounds[-1], len(self._filters[0]))
        self._filters_first = len(h) * len(self._filters) < len(y)
        columns = y.shape[1] if self._filters_first else h.shape[1]
        nothing = self._space.array("no bias", columns)
        nothing[:] = 0
        if self._filters_first:
            rows = self._space.array("rows", len(h), columns)
            for part, weight in zip(self._parts, self._filters, strict=True):
                np.dot(h, weight.T, out=rows)
                own = indptr[part.start : part.stop + 1]
                gather(rows, nothing, own, indices, weights, width, y[part])
            return y
        self._x = x = self._space.array(f"{self._name} x", len(y), columns)
        gather(h, nothing, *arrays, x)
        for part, weight in zip(self._parts, self._filters, strict=True):
            np.dot(x[part], weight.T, out=y[part])
        return y

    def backward(self, grad: Floats, made: Sequence[Floats], of_input: bool) -> Floats | None:
        """Write the gradients of the filters, given that of the sums; return the input's."""
        h, array, (indptr, indices, weights, width) = self._h, self._space.array, self._arrays
        nothing = array("none", len(h), 0)
        below = array("below", *h.shape) if of_input else None
        if self._filters_first:
            if below is not None:
                below[:] = 0
            rows, bias = array("rows", len(h), grad.shape[1]), array("bias", grad.shape[1])
            for part, weight, own in zip(self._parts, self._filters, made, strict=True):
                ends = indptr[part.start : part.stop + 1]
                near = ends, indices, weights, width
                scatter(grad[part], grad, False, nothing, *near, rows, bias)
                np.dot(rows.T, h, out=own)
                if below is not None:
                    below += np.dot(rows, weight)
            return below
        x = array("x grad", *(self._x.shape if of_input else (0, 0)))
        for part, weight, own in zip(self._parts, self._filters, made, strict=True):
            np.dot(grad[part].T, self._x[part], out=own)
            if of_input:
                np.dot(grad[part], weight, out=x[part])
        if below is not None:
            bias = array("bias", x.shape[1])
            scatter(x, x, False, nothing, *self._arrays, below, bias)
        return below


@compiled
def sort_by_degree(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    weights: Floats,
    places: NDArray[np.int32],
    n_degrees: int,
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64], NDArray[np.int32], Floats]:
    """Rows of two blocks in the order of their degrees, both blocks as one.

    A degree is the sum of the weights of block 1; all from the last one on count as one. Returned
    are the new places of the rows, where every degree begins, and the rows. ``places`` are those of
    their members, where these have moved.
    """
    n_rows, last = U(len(indptr) - 1) // TWO, U(n_degrees - 1)
    new, bounds = np.empty(n_rows, dtype=np.int32), np.zeros(n_degrees + 1, dtype=np.int64)
    for v in range(n_rows):
        degree = 0.0
        for e in range(U(indptr[TWO * v + ONE]), U(indptr[TWO * v + TWO])):
            degree += weights[e]
        own = min(U(degree), last)
        new[v] = own
        bounds[own + ONE] += 1
    for group in range(n_degrees):
        bounds[group + 1] += bounds[group]
    free = bounds.copy()
    ends = np.zeros(n_rows + ONE, dtype=np.int64)
    for v in range(n_rows):
        own = U(new[v])
        new[v] = free[own]
        free[own] += 1
        ends[U(new[v]) + ONE] = indptr[TWO * v + TWO] - indptr[TWO * v]
    for v in range(n_rows):
        ends[v + ONE] += ends[v]
    members, sorted_weights = np.empty_like(indices), np.empty_like(weights)
    moved = len(places) > 0
    for v in range(n_rows):
        at = U(ends[U(new[v])])
        for e in range(U(indptr[TWO * v]), U(indptr[TWO * v + TWO])):
            members[at] = places[U(indices[e])] if moved else indices[e]
            sorted_weights[at] = weights[e]
            at += ONE
    return new, bounds, ends, members, sorted_weights
