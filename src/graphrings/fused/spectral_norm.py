"""The spectral norm of a matrix, and its gradient."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import eigh

from graphrings.fused.arrays import Floats


class Steepest(NamedTuple):
    """The largest singular value of a matrix; by its entries its gradient is this outer product."""

    norm: float
    left: Floats
    right: Floats

    @property
    def gradient(self) -> Floats:
        """How the norm grows with every entry."""
        return np.outer(self.left, self.right)


def steepest(weight: Floats) -> Steepest:
    """The largest singular value and its vectors, in double precision.

    They are those of the largest eigenvalue of the smaller of ``W W'`` and ``W' W``, of which no
    other is computed. A matrix with what is no number has no norm.
    """
    if weight.shape[0] > weight.shape[1]:
        norm, right, left = steepest(weight.T)
        return Steepest(norm, left, right)
    largest = float(np.abs(weight).max())
    if not 0 < largest < np.inf:
        nothing = [np.full(size, 0 * largest) for size in weight.shape]
        return Steepest(largest, nothing[0], nothing[1])
    scaled = weight.astype(np.float64) / largest  # so that squares are neither infinite nor zero
    last = len(scaled) - 1
    _, vectors = eigh(scaled @ scaled.T, subset_by_index=(last, last), check_finite=False)
    left = vectors[:, 0]
    right = left @ scaled
    norm = float(np.linalg.norm(right))
    return Steepest(norm * largest, left, right / norm)
