"""How long a machine on a Gram matrix trains, guessed before it begins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.limits import SLOW, STEPS_A_SECOND, Work, begin

LINEAR = "take linear = True, a smaller C or fewer graphs"
UPDATES, CUBES = "graphs looked at by a machine", "graphs of a table, cubed"
N_TRIED = 300  # graphs that a machine is tried on
MOST_ROUNDS = 4_000  # how often it may look at all of them
FIRST_ROUNDS, ROUNDS_BY_C = 2.0, 1.0  # no machine of ours took more, by C and the kernel's size


def begin_machine(
    name: str,
    c: float,
    gram: NDArray[np.float64],
    goals: NDArray[Any],
    n_steps: Callable[[NDArray[np.int64], int], int],
    n_folds: int,
) -> None:
    """Announce a support vector machine that trains for long, ``n_folds`` more times for folds.

    It moves two graphs at a time and looks at all others, some rounds through them for small C and
    thousands for large. How many depends on kernel and targets, so where it may be long
    ``n_steps`` tries the machine on a part of the graphs: rounds grow little with their number.
    """
    n_graphs = len(gram)
    times = 1 + n_folds * (1 - 1 / max(2, n_folds)) ** 2
    size = c * float(np.mean(np.diagonal(gram)))
    most = times * n_graphs**2 * (FIRST_ROUNDS + ROUNDS_BY_C * max(0.0, size))
    if most <= SLOW * STEPS_A_SECOND[UPDATES]:
        return
    part = spread(goals)
    rounds = n_steps(part, MOST_ROUNDS * len(part)) / len(part)
    what = f"training {name} with C = {c:g} on {n_graphs:,} graphs"
    begin(Work(what, LINEAR, kind=UPDATES, n_steps=times * rounds * n_graphs**2))


def begin_ridge(name: str, n_graphs: int, n_folds: int) -> None:
    """Announce a ridge regression that takes long: the cube of its graphs, also for every fold."""
    times = 1 + n_folds * (1 - 1 / max(2, n_folds)) ** 3
    what = f"ridge regression with {name} on {n_graphs:,} graphs"
    begin(Work(what, LINEAR, kind=CUBES, n_steps=times * n_graphs**3))


def spread(goals: NDArray[Any]) -> NDArray[np.int64]:
    """Some graphs, their targets spread as all are: from the least to the largest."""
    order = np.argsort(goals, kind="stable")
    some = np.linspace(0, len(order) - 1, min(len(order), N_TRIED)).round().astype(np.int64)
    return np.unique(order[some])
