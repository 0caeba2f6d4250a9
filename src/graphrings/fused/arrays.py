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


def array_of(tensor: Tensor) -> Floats:
    """The numbers of a tensor, in one piece of memory."""
    array: Floats = tensor.detach().contiguous().numpy()
    return array


def gradient_of(parameter: Tensor) -> Floats:
    """The memory of the gradient of a parameter."""
    assert parameter.grad is not None
    return array_of(parameter.grad)


def arrays_of(near: WeightedRows, like: Tensor) -> tuple[Any, Any, Any, int]:
    """The arrays of weighted rows, with weights in the precision of a tensor."""
    return weighted_arrays(near, np.dtype("f8" if like.dtype == torch.float64 else "f4"))


def weighted_arrays(near: WeightedRows, number: np.dtype[Any]) -> tuple[Any, Any, Any, int]:
    """The arrays of weighted rows, with weights of a type."""
    weights = near.weights_as("float64" if number == np.float64 else "float32")
    return near.indptr, near.indices, weights, near.width
