"""How large the rings of a dataset are, ring by ring."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphrings.distances.rings import Rings


@dataclass(frozen=True)
class RingSummary:
    """The sizes of ring j over all nodes."""

    ring: int
    members_avg: float
    members_max: int
    empty_share: float
    pairs: int


def summarise(rings: Rings) -> list[RingSummary]:
    """One row per ring: how many members it has, and how often none."""
    sizes = rings.sizes
    n_nodes = max(1, len(sizes))
    return [
        RingSummary(
            ring=j,
            members_avg=float(sizes[:, j].sum() / n_nodes),
            members_max=int(sizes[:, j].max(initial=0)),
            empty_share=float(np.count_nonzero(sizes[:, j] == 0) / n_nodes),
            pairs=int(sizes[:, j].sum()),
        )
        for j in range(rings.radius + 1)
    ]
