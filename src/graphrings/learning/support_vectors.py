"""What a support vector machine decides, from what is left of it after training."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]


def pair_weights(dual_coef: Reals, n_support: NDArray[np.integer[Any]]) -> Reals:
    """The weight of every support vector in the decision of every pair of classes.

    libsvm sorts support vectors by class and gives each k - 1 coefficients, one against every other
    class. A decision above 0 is for the second class of its pair, here as for two classes there.
    """
    n_classes, n_vectors = len(n_support), int(n_support.sum())
    if n_classes == 2:
        return dual_coef
    own = np.split(np.arange(n_vectors), np.cumsum(n_support)[:-1])
    pairs = list(combinations(range(n_classes), 2))
    weights = np.zeros((len(pairs), n_vectors))
    for p, (i, j) in enumerate(pairs):
        weights[p, own[i]] = -dual_coef[j - 1, own[i]]
        weights[p, own[j]] = -dual_coef[i, own[j]]
    return weights


def by_votes(decisions: Reals, n_classes: int) -> Reals:
    """A score a class: the pairs that it wins, and less than one half for how clearly it does.

    This is scikit-learn's way to make one decision a class of one a pair.
    """
    votes, lead = np.zeros((2, len(decisions), n_classes))
    for p, (i, j) in enumerate(combinations(range(n_classes), 2)):
        second = decisions[:, p] > 0
        votes[:, i] += ~second
        votes[:, j] += second
        lead[:, i] -= decisions[:, p]
        lead[:, j] += decisions[:, p]
    scores: Reals = votes + lead / (3 * (np.abs(lead) + 1))
    return scores
