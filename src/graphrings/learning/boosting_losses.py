"""What boosted trees lower: a loss of every row by its scores, with two derivatives.

Scores are odds, one for two classes and else one per class, or a value. A row counts for its
weight.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, softmax

Reals = NDArray[np.float64]
SMALLEST = 1e-9  # a class's share of all weights, before its logarithm is taken


class Loss(Protocol):
    """``start`` are the scores of all rows before the first tree."""

    @property
    def start(self) -> Reals:
        """The constant scores that make the loss least, one of each kind."""
        ...

    def derivatives(self, scores: Reals) -> tuple[Reals, Reals]:
        """The first and the second derivative by every score."""
        ...


class Logistic:
    """The log loss of two classes, by the odds of the second."""

    def __init__(self, goals: NDArray[np.int64], weights: Reals) -> None:
        self._goals, self._weights = goals[:, None], weights[:, None]
        share = np.clip(np.average(goals, weights=weights), SMALLEST, 1 - SMALLEST)
        self.start = np.log([share / (1 - share)])

    def derivatives(self, scores: Reals) -> tuple[Reals, Reals]:
        """They are p - y and p (1 - p), with p the probability of the second class."""
        p = expit(scores)
        return self._weights * (p - self._goals), self._weights * p * (1 - p)


class Softmax:
    """The log loss of several classes, by a score for each."""

    def __init__(self, goals: NDArray[np.int64], weights: Reals) -> None:
        self._goals = np.eye(goals.max() + 1)[goals]
        self._weights = weights[:, None]
        shares = np.average(self._goals, axis=0, weights=weights)
        logs = np.log(np.maximum(shares, SMALLEST))
        self.start = logs - logs.mean()

    def derivatives(self, scores: Reals) -> tuple[Reals, Reals]:
        """They are p - y and p (1 - p) of every class, the diagonal of the second derivative."""
        p = softmax(scores, axis=1)
        return self._weights * (p - self._goals), self._weights * p * (1 - p)


class Squared:
    """Half the squared error of a value."""

    def __init__(self, goals: Reals, weights: Reals) -> None:
        self._goals, self._weights = goals[:, None], weights[:, None]
        self.start = np.array([np.average(goals, weights=weights)])

    def derivatives(self, scores: Reals) -> tuple[Reals, Reals]:
        """The error, and 1."""
        return self._weights * (scores - self._goals), self._weights
