"""Paths with a direction: forward and backward, every distance is a ring of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.distances.rings import checked_radius
from graphrings.distances.weighted_rows import WeightedRows


def path_rings(lengths: NDArray[np.integer[Any]], radius: int) -> WeightedRows:
    """The oriented rings of paths whose nodes stand one after the other, path after path.

    Ring j of a path has at most two nodes. The direction tells them apart: block radius + j of node
    v holds the node j places after v, for j = -radius .. radius, and is empty beyond the ends.
    """
    width = 2 * checked_radius(radius) + 1
    ends = np.cumsum(lengths, dtype=np.int64)
    first, last = np.repeat(ends - lengths, lengths), np.repeat(ends, lengths)
    there = np.arange(len(first))[:, None] + np.arange(-radius, radius + 1)
    inside = (there >= first[:, None]) & (there < last[:, None])
    indptr = np.zeros(len(first) * width + 1, dtype=np.int64)
    np.cumsum(inside.ravel(), out=indptr[1:])
    members = there[inside].astype(np.int32)
    return WeightedRows.trusted(width, indptr, members, np.ones(len(members), dtype=np.float32))


def path_means(lengths: NDArray[np.integer[Any]]) -> WeightedRows:
    """The mean over every path, as rows of one block."""
    bounds = np.append(0, np.cumsum(lengths, dtype=np.int64))
    members = np.arange(bounds[-1], dtype=np.int32)
    weights = 1 / np.repeat(lengths, lengths).astype(np.float64)
    return WeightedRows.trusted(1, bounds, members, weights)
