"""Features under linear maps; where they are mostly zeros, as labels are, by what else there is."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.fused.arrays import Floats
from graphrings.fused.ring_filter import gather, scatter
from graphrings.fused.workspace import Workspace

FEW = 8  # one number of so many is few: listed, it takes as long as so many in a dense product


class FeatureRows(NamedTuple):
    """Row v of the features is row ``places[v]`` of ``given``.

    ``listed`` are the bounds, columns and values of its numbers that are not zero, if these are
    few; otherwise ``dense`` has all of them.
    """

    given: Floats
    places: NDArray[np.int32]
    listed: tuple[NDArray[np.int64], NDArray[np.int32], Floats]
    dense: Floats
    space: Workspace

    @classmethod
    def of(cls, given: Floats, places: NDArray[np.int32], space: Workspace) -> FeatureRows:
        """Some rows of features, in any order."""
        listed = list_numbers(given, places, len(places) * given.shape[1] // FEW)
        n_dense = 0 if len(listed[0]) else len(places)
        dense = space.array("features", n_dense, given.shape[1])
        np.take(given, places[:n_dense], axis=0, out=dense, mode="clip")
        return cls(given, places, listed, dense, space)

    def mapped(self, weight: Floats, out: Floats) -> Floats:
        """Write what a matrix makes of every row."""
        if not len(self.listed[0]):
            return np.dot(self.dense, weight.T, out=out)
        gather(np.ascontiguousarray(weight.T), np.zeros(len(weight), out.dtype), *self._rows, out)
        return out

    def gradient(self, grad: Floats) -> Floats:
        """That of the matrix, given that of what it made of the rows."""
        if not len(self.listed[0]):
            whole: Floats = np.dot(grad.T, self.dense)
            return whole
        turned = self.space.array("turned", self.given.shape[1], grad.shape[1])
        nothing, bias = np.empty((len(turned), 0), grad.dtype), np.empty(grad.shape[1], grad.dtype)
        scatter(grad, grad, False, nothing, *self._rows, turned, bias)
        return turned.T

    def handed(self, grad: Floats) -> Floats:
        """The gradient of what was given, given that of the rows."""
        out = np.zeros(self.given.shape, grad.dtype)
        np.add.at(out, self.places, grad)
        return out

    @property
    def _rows(self) -> tuple[Any, Any, Any, int]:
        return *self.listed, 1


@compiled
def list_numbers(
    given: Floats, places: NDArray[np.int32], most: int
) -> tuple[NDArray[np.int64], NDArray[np.int32], Floats]:
    """The bounds, columns and values of what is not zero in some rows; no bounds if that is more.

    What is no number is not zero.
    """
    counts = np.zeros(len(given), dtype=np.int64)
    bounds, total = np.zeros(len(places) + 1, dtype=np.int64), 0
    for row in range(len(given)):
        count = 0
        for c in range(given.shape[1]):
            count += given[row, c] != 0
        counts[row] = count
    for v in range(len(places)):
        total += counts[places[v]]
        bounds[v + 1] = total
    if total > most:
        total = 0
        bounds = bounds[:0]
    columns, values = np.empty(total, dtype=np.int32), np.empty(total, dtype=given.dtype)
    for v in range(len(bounds) - 1):
        at, row, c = bounds[v], places[v], 0
        while at < bounds[v + 1]:
            if given[row, c] != 0:
                columns[at], values[at] = c, given[row, c]
                at += 1
            c += 1
    return bounds, columns, values
