"""By which score methods are chosen, where the user names none, and why."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from graphrings.graphs.dataset import Dataset
from graphrings.tasks import CLASSIFICATION, Task
from graphrings.tasks.scores import Score, find_score

MOST_COMMON = 2 / 3  # of the graphs in one class: beyond that accuracy says little
RANKING = ("auroc", "average_precision")
BALANCED = ("balanced_accuracy", "accuracy")


class Choice(NamedTuple):
    """Scores that choose, the first one decides and is reported; a sentence says why."""

    chosen_by: tuple[str, ...]
    why: str

    def score(self, task: Task) -> Score:
        """The score that decides."""
        return find_score(self.chosen_by[0], task.name)


def choice(dataset: Dataset, task: Task, wanted: str | None = None) -> Choice:
    """The scores to choose by: the user's first, else those that the targets ask for.

    Where one class has more than two thirds of the graphs, naming it for every graph is often
    right and never useful. Two classes are judged by AUROC then, which asks whether graphs of
    the rarer class are ranked before the others; more classes by balanced accuracy, the mean of
    the classes' own shares of right answers.
    """
    default = _default(dataset, task)
    if wanted is None:
        return default
    named = find_score(wanted, task.name).name
    rest = tuple(name for name in default.chosen_by if name != named)
    return Choice((named, *rest), f"Methods are chosen by {find_score(named, task.name).title}.")


def _default(dataset: Dataset, task: Task) -> Choice:
    if task is not CLASSIFICATION:
        return Choice(task.chosen_by, "")
    share = largest_share(dataset)
    if share <= MOST_COMMON:
        return Choice(task.chosen_by, "")
    chosen_by = RANKING if dataset.n_classes == 2 else BALANCED
    title = find_score(chosen_by[0], task.name).title
    return Choice(
        chosen_by,
        f"Naming the commonest class every time would be {100 * share:.1f} % accurate and of no "
        f"use; therefore methods are chosen by {title}.",
    )


def largest_share(dataset: Dataset) -> float:
    """The share of the commonest class."""
    counts = np.bincount(CLASSIFICATION.numbers(dataset), minlength=1)
    return float(counts.max() / max(1, counts.sum()))
