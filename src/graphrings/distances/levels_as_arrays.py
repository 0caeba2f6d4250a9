"""Levels as a flat set of named arrays, so that processes can share them."""

from __future__ import annotations

import numpy as np

from graphrings.distances.levels import Levels
from graphrings.distances.rings import Rings
from graphrings.graphs.array_cache import Arrays

RING_ARRAYS = ("indptr", "indices", "counts", "multiplicity", "shares")


def levels_to_arrays(levels: Levels) -> Arrays:
    """Every array of the levels under a name of its own."""
    arrays = {name: getattr(levels, name) for name in ("graph_ptr", "top", "multiplicity")}
    arrays |= {f"colours-{k}": colours for k, colours in enumerate(levels.colours)}
    arrays |= {f"parents-{k}": parents for k, parents in enumerate(levels.parents)}
    for k, rings in enumerate(levels.rings):
        arrays[f"radius-{k}"] = np.array(rings.radius)
        found = {name: getattr(rings, name) for name in RING_ARRAYS}
        arrays |= {f"{name}-{k}": v for name, v in found.items() if v is not None}
    return arrays


def levels_from_arrays(arrays: Arrays) -> Levels:
    """The levels that ``levels_to_arrays`` has taken apart."""
    depth = sum(name.startswith("parents-") for name in arrays)
    return Levels(
        colours=tuple(arrays[f"colours-{k}"] for k in range(depth + 1)),
        rings=tuple(
            Rings(
                int(arrays[f"radius-{k}"]),
                **{name: arrays.get(f"{name}-{k}") for name in RING_ARRAYS},  # type: ignore[arg-type]
            )
            for k in range(depth)
        ),
        parents=tuple(arrays[f"parents-{k}"] for k in range(depth)),
        graph_ptr=arrays["graph_ptr"],
        top=arrays["top"],
        multiplicity=arrays["multiplicity"],
    )
