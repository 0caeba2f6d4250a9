"""Support vector regression on a Gram matrix."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin

from graphrings.learning.support_machine import balance
from graphrings.learning.support_vectors import added_up

Reals = NDArray[np.float64]


class Regression(RegressorMixin, BaseEstimator):
    """What libsvm learns, to the last bit; errors up to epsilon cost nothing."""

    def __init__(self, c: float = 1.0, epsilon: float = 0.1, most_steps: int = -1) -> None:
        self.c, self.epsilon, self.most_steps = c, epsilon, most_steps

    def __sklearn_tags__(self) -> Any:
        """A part of the graphs is a part of rows and columns."""
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = True
        return tags

    def fit(self, gram: Reals, values: Reals, weights: Reals | None = None) -> Self:
        """Learn the values of graphs, those of weight 0 left out."""
        weights = np.ones(len(gram)) if weights is None else weights
        graphs = np.flatnonzero(weights)
        bounds = self.c * weights[graphs]
        found = balance(
            gram,
            np.concatenate([graphs, graphs]),
            np.concatenate([values[graphs] - self.epsilon, values[graphs] + self.epsilon]),
            np.concatenate([bounds, -bounds]),
            self.most_steps,
        )
        above, below = np.split(found.beta, 2)
        weighed = above + below
        self.support_, self.dual_coef_ = graphs[weighed != 0], weighed[weighed != 0]
        self.intercept_, self.n_iter_ = found.threshold, found.n_steps
        return self

    def predict(self, gram: Reals) -> Reals:
        """The values of graphs by their kernel with those of the fit."""
        every, weights = np.arange(len(gram)), self.dual_coef_[None]
        sums = added_up(gram, every, self.support_, weights)
        values: Reals = sums[:, 0] + self.intercept_
        return values
