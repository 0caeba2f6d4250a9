"""What every member of a committee counts for, from graphs that were held out."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]
Losses = Callable[[Reals], Reals]  # what is said of all graphs -> the loss of each

ROUNDS = 50  # of the greedy selection: weights come in steps of 2 %
CLEARLY = 2.5  # standard errors: members have chosen on these graphs, and look better there
SMALLEST = 1e-6  # a probability, before its logarithm is taken


def equal_weights(n_members: int) -> Reals:
    """All members count alike."""
    return np.full(n_members, 1 / n_members)


def greedy_weights(said: Reals, losses: Losses, clearly: float = CLEARLY) -> Reals:
    """The weight of every member, adding up to 1; ``said[m]`` is what member m says of all graphs.

    Greedy selection with replacement (Caruana et al., ICML 2004): in every round the member joins
    that makes the mean of all that have joined best, and its weight is how often it did. Members
    count alike unless that is clearly worse: by so many standard errors of the difference.
    """
    n_members, n_graphs = said.shape[:2]
    joined, total = np.zeros(n_members), np.zeros(said.shape[1:])
    for size in range(1, ROUNDS + 1):
        best = int(np.argmin([losses((total + one) / size).mean() for one in said]))
        joined[best] += 1
        total = total + said[best]
    equal, greedy = equal_weights(n_members), joined / ROUNDS
    gains = losses(averaged(said, equal)) - losses(averaged(said, greedy))
    standard_error = gains.std(ddof=1) / np.sqrt(n_graphs)
    return greedy if gains.mean() > clearly * standard_error else equal


def averaged(said: Reals, weights: Reals) -> Reals:
    """The weighted mean of what the members say, added up in their order."""
    total = np.zeros(said.shape[1:])
    for one, weight in zip(said, weights, strict=True):
        total += weight * one
    return total


def log_losses(goals: NDArray[np.int64]) -> Losses:
    """The log loss of every graph's probabilities."""
    rows = np.arange(len(goals))
    return lambda said: -np.log(np.maximum(said[rows, goals], SMALLEST))


def squared_errors(values: Reals) -> Losses:
    """The squared error of every graph's value."""
    return lambda said: np.square(said - values)
