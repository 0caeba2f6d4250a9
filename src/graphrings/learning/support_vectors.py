"""Support vector machines for any number of classes: one for every pair, and how they decide."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.learning.support_machine import balance
from graphrings.loops import read_only

Reals = NDArray[np.float64]
Numbers = NDArray[np.int64]


class Separation(NamedTuple):
    """The graphs that carry decisions, sorted by class, and what they count for, as in libsvm.

    Each has k - 1 coefficients, one against every other class, or one if there are two classes.
    """

    support: Numbers
    n_support: NDArray[np.int32]
    dual_coef: Reals
    intercept: Reals  # of a decision for the second class of every pair
    n_steps: int


def separate(
    gram: Reals, classes: Sequence[Numbers], bounds: Reals, most_steps: int = -1
) -> Separation:
    """A machine for every pair of classes, which are given as numbers of graphs.

    ``bounds`` has C, times its weight, for every graph of the Gram matrix.
    """
    k, n_steps = len(classes), 0
    coefficients, intercepts = np.zeros((k - 1, len(gram))), list[float]()
    for i, j in combinations(range(k), 2):
        one, other = classes[i], classes[j]
        both, limits = np.concatenate([one, other]), np.concatenate([bounds[one], -bounds[other]])
        found = balance(gram, both, np.sign(limits), limits, most_steps)
        coefficients[j - 1, one] = found.beta[: len(one)]
        coefficients[i, other] = found.beta[len(one) :]
        intercepts.append(-found.threshold)
        n_steps += found.n_steps
    carry = (coefficients != 0).any(axis=0)
    kept = [graphs[carry[graphs]] for graphs in classes]
    support, n_support = np.concatenate(kept), np.array([len(graphs) for graphs in kept], np.int32)
    dual_coef = np.ascontiguousarray(coefficients[:, support])
    dual_coef *= 1 if k > 2 else -1
    return Separation(support, n_support, dual_coef, np.array(intercepts), n_steps)


def held_out_decisions(gram: Reals, goals: Numbers, bounds: Reals, folds: Any) -> Reals:
    """The decision on every graph by machines that have learned from the other folds."""
    k = int(goals.max()) + 1
    decisions = np.empty((len(goals), k * (k - 1) // 2))
    for training, held_out in folds:
        machine = separate(gram, by_class(goals, training), bounds)
        weights = pair_weights(machine.dual_coef, machine.n_support)
        sums = added_up(gram, held_out, machine.support, weights)
        decisions[held_out] = sums + machine.intercept
    return decisions[:, 0] if k == 2 else by_votes(decisions, k)


def by_class(goals: Numbers, graphs: Numbers) -> list[Numbers]:
    """Those of some graphs that belong to every class, each class by itself."""
    return [graphs[goals[graphs] == c] for c in range(int(goals.max()) + 1)]


def added_up(gram: Reals, graphs: Numbers, support: Numbers, weights: Reals) -> Reals:
    """What all support vectors together say of some graphs, a column a decision."""
    return add_in_order(*read_only(np.ascontiguousarray(gram)), graphs, support, weights)


@compiled
def add_in_order(gram: Reals, graphs: Numbers, support: Numbers, weights: Reals) -> Reals:
    """The same: one after the other, as libsvm adds them."""
    sums = np.zeros((len(graphs), len(weights)))
    for row in range(len(graphs)):
        for pair in range(len(weights)):
            total = 0.0
            for m in range(len(support)):
                total += weights[pair, m] * gram[graphs[row], support[m]]
            sums[row, pair] = total
    return sums


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
