"""What members of a committee say of graphs that they were not trained on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from graphrings.committees.members import Examples, fitted
from graphrings.committees.weights import Reals
from graphrings.graphs.selection import Selection
from graphrings.learning.estimator import GraphEstimator

Members = Sequence[GraphEstimator]
Answers = Callable[[GraphEstimator, Selection], Reals]
Folds = Sequence[tuple[NDArray[np.int64], NDArray[np.int64]]]  # places to train on, and all others


@dataclass(frozen=True, eq=False)
class HeldOut:
    """The answers of every member, what is true of the graphs, and which ones they are."""

    answers: Reals
    targets: NDArray[Any]
    graphs: str


def of_validation(members: Members, answers: Answers, checking: Examples) -> HeldOut:
    """Members are asked about the validation graphs."""
    said = [answers(member, checking.graphs) for member in members]
    return HeldOut(np.stack(said), checking.targets, "validation")


def of_folds(
    members: Members,
    answers: Answers,
    training: Examples,
    checking: Examples,
    weights: Any,
    folds: Folds,
) -> HeldOut:
    """Every member is fitted again without one fold of the training graphs after the other.

    The settings stay; a training that stops early still looks at the validation graphs for that.
    """

    def crossed(member: GraphEstimator) -> Reals:
        parts = []
        for kept, left in folds:
            own = None if weights is None else weights[kept]
            again = fitted(clone(member), part_of(training, kept), checking, own)
            parts.append(answers(again, part_of(training, left).graphs))
        return np.concatenate(parts)

    asked = np.concatenate([left for _, left in folds])
    said = np.stack([crossed(member) for member in members])
    return HeldOut(said, training.targets[asked], f"{len(folds)} held-out folds")


def part_of(examples: Examples, places: NDArray[np.int64]) -> Examples:
    """Some of the graphs, of the same dataset and with the same cache."""
    selection = examples.graphs
    chosen = Selection(selection.dataset, selection.graphs[places], selection.cache)
    return Examples(chosen, examples.targets[places], examples.n_classes)
