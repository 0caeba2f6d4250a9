"""The loss of a batch with its gradient, in one pass; by the name of torch's function."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.fused.arrays import Floats


@compiled
def cross_entropy(
    outputs: Floats, goals: NDArray[np.int64], shares: NDArray[np.float64], grad: Floats
) -> float:
    """The mean of ``-log softmax(outputs[i])[goals[i]]``, where graph i counts for its share."""
    mean = 0.0
    for i in range(len(outputs)):
        largest, total = outputs[i, 0], 0.0
        for c in range(1, outputs.shape[1]):
            largest = max(largest, outputs[i, c])
        for c in range(outputs.shape[1]):
            total += np.exp(np.float64(outputs[i, c] - largest))
        mean += shares[i] * (np.log(total) - np.float64(outputs[i, goals[i]] - largest))
        for c in range(outputs.shape[1]):
            grad[i, c] = shares[i] * np.exp(np.float64(outputs[i, c] - largest)) / total
        grad[i, goals[i]] -= shares[i]
    return mean


@compiled
def mse_loss(outputs: Floats, goals: Floats, shares: NDArray[np.float64], grad: Floats) -> float:
    """The mean of the squared differences, where graph i counts for its share."""
    mean, columns = 0.0, outputs.shape[1]
    for i in range(len(outputs)):
        for c in range(columns):
            difference = np.float64(outputs[i, c]) - np.float64(goals[i, c])
            mean += shares[i] * difference * difference / columns
            grad[i, c] = 2 * shares[i] * difference / columns
    return mean


LOSSES: dict[str, Any] = {"cross_entropy": cross_entropy, "mse_loss": mse_loss}
