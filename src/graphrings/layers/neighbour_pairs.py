"""The pairs of a node and a neighbour, as rows of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.distances.weighted_rows import WeightedRows
from graphrings.errors import LayerError


@dataclass(frozen=True, eq=False)
class Pairs:
    """The pairs of a node and a neighbour, in the order of the nodes.

    ``mean`` leads from pairs to their nodes, with the weights of ring 1; ``back`` adds up what
    pairs hand to their neighbours.
    """

    node: NDArray[np.int64]
    neighbour: NDArray[np.int32]
    mean: WeightedRows
    back: WeightedRows

    @classmethod
    def of(cls, near: WeightedRows) -> Pairs:
        """Those of ring 1; a neighbour has the number of its own rings, not that of its row."""
        number = np.full(max(near.n_rows, near.n_members), -1, dtype=np.int32)
        number[near.own] = np.arange(near.n_rows, dtype=np.int32)
        blocks = near.blocks
        chosen = blocks % 2 == 1
        node, neighbour = blocks[chosen] // 2, number[near.indices[chosen]]
        if np.any(neighbour < 0):
            raise LayerError(f"{near!r} lead to nodes that have no row among them")
        pairs = np.arange(len(node), dtype=np.int32)
        order = np.argsort(neighbour, kind="stable").astype(np.int32)
        return cls(
            node,
            neighbour,
            WeightedRows.trusted(1, _bounds(node, near.n_rows), pairs, near.weights[chosen]),
            WeightedRows.trusted(1, _bounds(neighbour, near.n_rows), order, np.ones(len(order))),
        )


def _bounds(owners: NDArray[Any], n: int) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(np.bincount(owners, minlength=n))])
