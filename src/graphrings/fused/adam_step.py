"""A step of Adam on all parameters at once."""

import numpy as np

from graphrings.compiled import compiled
from graphrings.fused.arrays import Floats


@compiled
def adam_step(
    values: Floats,
    grads: Floats,
    means: Floats,
    squares: Floats,
    step_size: float,
    new_mean: float,
    new_square: float,
    scale: float,
    epsilon: float,
) -> None:
    """One step of Adam on all parameters at once."""
    for i in range(len(values)):
        means[i] += new_mean * (grads[i] - means[i])
        squares[i] += new_square * (grads[i] * grads[i] - squares[i])
        values[i] -= step_size * means[i] / (scale * np.sqrt(squares[i]) + epsilon)
