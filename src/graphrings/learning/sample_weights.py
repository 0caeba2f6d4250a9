"""What every graph counts for, as a user says it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import DatasetError


def checked_weights(sample_weight: Any, n_graphs: int) -> NDArray[np.float64] | None:
    """One finite weight per graph, none negative and not all 0; None if there are none."""
    if sample_weight is None:
        return None
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.shape != (n_graphs,):
        raise DatasetError(
            f"sample_weight of shape {weights.shape} for {n_graphs} graphs; expected one per graph"
        )
    good = np.isfinite(weights) & (weights >= 0)
    if not good.all() or not weights.any():
        place = int(np.argmin(good))
        raise DatasetError(
            f"sample_weight[{place}] = {weights[place]:g}; expected finite numbers, 0 or larger, "
            "not all of them 0"
        )
    return weights
