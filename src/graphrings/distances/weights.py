"""What a member counts for in its ring, where that is not its share in a mean."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.distances.levels import Levels, numbered
from graphrings.distances.rings import Rings


def summed(rings: Rings) -> Rings:
    """Every member counts as often as it is there: the rings are added up, not averaged."""
    return replace(rings, shares=rings.counted)


def symmetric(rings: Rings, sizes: NDArray[Any] | None = None) -> Rings:
    r"""Weights :math:`D^{-1/2} SP^j D^{-1/2}`, every ring by its own sizes.

    ``sizes`` are those of the rings of all members: where rings lead from one level to the next,
    a member has no rings in them.
    """
    width = rings.radius + 1
    own = rings.sizes.ravel()[rings.rows]
    sizes = rings.sizes if sizes is None else sizes
    theirs = sizes[rings.indices, rings.rows % width]
    return replace(rings, shares=rings.counted / np.sqrt(own * theirs))


def told_apart(
    start: NDArray[np.integer[Any]], columns: Iterable[NDArray[np.integer[Any]]]
) -> NDArray[np.int64]:
    """Number nodes by what they had before and by further whole numbers, none below 0."""
    for column in columns:
        room = int(column.max(initial=0)) + 1
        start = numbered(np.asarray(start, dtype=np.int64) * room + column)
    return np.asarray(start, dtype=np.int64)


def by_colour(levels: Levels, level: int, values: NDArray[Any]) -> NDArray[Any]:
    """What the nodes of every colour of a level have in common, from one value a node."""
    found: NDArray[Any] = values[np.unique(levels.colours[level], return_index=True)[1]]
    return found


def averaged_together(rings: Rings) -> Rings:
    """Every member counts for its share in the mean over all rings of a node, as if one."""
    totals = rings.sizes.sum(axis=1)
    return replace(rings, shares=rings.counted / totals[rings.rows // (rings.radius + 1)])
