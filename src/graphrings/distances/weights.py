"""What a member counts for in its ring, where that is not its part of a mean."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.distances.levels import Levels
from graphrings.distances.rings import Rings
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.graphs.small_numbers import first_of_each, numbered


def summed(rings: Rings) -> WeightedRows:
    """Every member counts as often as it is there: the rings are added up, not averaged."""
    return rings.weighted(rings.counted)


def symmetric(rings: Rings, sizes: NDArray[Any] | None = None) -> WeightedRows:
    r"""Weights :math:`D^{-1/2} SP^j D^{-1/2}`, every ring by its own sizes.

    ``sizes`` are those of the rings of all members: where rings lead from one level to the next,
    a member has no rings in them.
    """
    blocks = rings.blocks
    own = rings.sizes.ravel()[blocks]
    sizes = rings.sizes if sizes is None else sizes
    theirs = sizes[rings.indices, blocks % rings.width]
    return rings.weighted(rings.counted / np.sqrt(own * theirs))


def averaged_together(rings: Rings) -> WeightedRows:
    """Every member has its part in the mean over all rings of a node, as if they were one."""
    totals = rings.sizes.sum(axis=1)
    return rings.weighted(rings.counted / totals[rings.blocks // rings.width])


def numbered_by(
    start: NDArray[np.integer[Any]], columns: Iterable[NDArray[np.integer[Any]]]
) -> NDArray[np.int64]:
    """Number nodes by what they had before and by further whole numbers, none below 0."""
    for column in columns:
        room = int(column.max(initial=0)) + 1
        start = numbered(np.asarray(start, dtype=np.int64) * room + column)
    return np.asarray(start, dtype=np.int64)


def by_colour(levels: Levels, level: int, values: NDArray[Any]) -> NDArray[Any]:
    """What the nodes of every colour of a level have in common, from one value per node."""
    common: NDArray[Any] = values[first_of_each(levels.colours[level])]
    return common
