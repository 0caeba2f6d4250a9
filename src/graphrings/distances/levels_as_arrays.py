"""Levels as a flat set of named arrays, so that processes can share them."""

from __future__ import annotations

import numpy as np

from graphrings.distances.levels import Levels
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.graphs.array_cache import Arrays


def levels_to_arrays(levels: Levels) -> Arrays:
    """Every array of the levels under a name of its own; weights in the precision of batches."""
    arrays = {name: getattr(levels, name) for name in ("graph_ptr", "top", "multiplicity")}
    arrays |= {f"colours-{k}": colours for k, colours in enumerate(levels.colours)}
    arrays |= {f"parents-{k}": parents for k, parents in enumerate(levels.parents)}
    for k, rows in enumerate(levels.rows):
        arrays |= {
            f"width-{k}": np.array(rows.width),
            f"indptr-{k}": rows.indptr,
            f"indices-{k}": rows.indices,
            f"weights-{k}": rows.weights_as("float32"),
        }
    return arrays


def levels_from_arrays(arrays: Arrays) -> Levels:
    """The levels that ``levels_to_arrays`` has taken apart."""
    depth = sum(name.startswith("parents-") for name in arrays)
    return Levels(
        colours=tuple(arrays[f"colours-{k}"] for k in range(depth + 1)),
        rows=tuple(
            WeightedRows.trusted(
                int(arrays[f"width-{k}"]),
                *(arrays[f"{name}-{k}"] for name in ("indptr", "indices", "weights")),
            )
            for k in range(depth)
        ),
        parents=tuple(arrays[f"parents-{k}"] for k in range(depth)),
        graph_ptr=arrays["graph_ptr"],
        top=arrays["top"],
        multiplicity=arrays["multiplicity"],
    )
