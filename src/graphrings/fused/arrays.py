"""What compiled loops are given: plain arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from graphrings.distances.weighted_rows import WeightedRows

Floats = NDArray[np.floating[Any]]
Arrays = tuple[NDArray[Any], ...]


def arrays_of(near: WeightedRows, like: Tensor) -> tuple[Any, Any, Any, int]:
    """The arrays of weighted rows, with weights in the precision of a tensor."""
    weights = near.weights_as("float64" if like.dtype == torch.float64 else "float32")
    return near.indptr, near.indices, weights, near.width
