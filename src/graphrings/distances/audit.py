"""What no structural method can tell apart, and what that means for accuracy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from graphrings.distances.colours import refine
from graphrings.distances.rings import rings
from graphrings.errors import DatasetError
from graphrings.graphs.dataset import Dataset, Fold
from graphrings.tasks import Task, task_of

RADIUS, ROUNDS = 3, 5


@dataclass(frozen=True)
class Audit:
    """Twins are graphs whose nodes have the same colours, counted, after the refinement.

    Isomorphic graphs are always twins. Twins are isomorphic but for rare pairs that this colouring
    cannot tell apart, so that ``n_distinct`` is a lower bound; attributes and edge labels are not
    looked at. ``ceiling`` is the best main score of the task, such as the highest accuracy, of a
    method that treats twins alike; twins with different targets are conflicting. Of the test
    graphs of all folds, ``twin_share`` have a twin in their training set (None without folds).
    """

    name: str
    radius: int
    rounds: int
    n_graphs: int
    n_distinct: int
    n_with_twin: int
    n_conflicting: int | None
    ceiling: float | None
    n_folds: int
    n_untested: int | None
    twin_share: float | None


def audit(
    dataset: Dataset,
    radius: SupportsIndex = RADIUS,
    rounds: int = ROUNDS,
    folds: Sequence[Fold] | None = None,
    task: Task | None = None,
) -> Audit:
    """Find twins, conflicting targets and leaks between the folds (by default the published)."""
    twins = twin_groups(dataset, radius, rounds)
    sizes = np.bincount(twins)
    folds = dataset.folds if folds is None else folds
    conflicting, ceiling = _agreement(twins, dataset, task or task_of(dataset))
    tested = np.concatenate([fold.test for fold in folds]) if folds else np.empty(0, np.int32)
    leaks = [np.isin(twins[fold.test], twins[fold.train]) for fold in folds]
    return Audit(
        name=dataset.name,
        radius=int(radius),
        rounds=rounds,
        n_graphs=len(dataset),
        n_distinct=len(sizes),
        n_with_twin=int(sizes[sizes > 1].sum()),
        n_conflicting=conflicting,
        ceiling=ceiling,
        n_folds=len(folds),
        n_untested=len(dataset) - len(np.unique(tested)) if folds else None,
        twin_share=float(np.concatenate(leaks).mean()) if folds else None,
    )


def twin_groups(
    dataset: Dataset, radius: SupportsIndex = RADIUS, rounds: int = ROUNDS
) -> NDArray[np.int32]:
    """The group of every graph; graphs of one group cannot be told apart by the refinement."""
    if rounds < 0:
        raise DatasetError(f"{rounds} rounds of refinement; expected 0 or more")
    start = dataset.node_labels
    if start is None:
        start = np.zeros(dataset.n_nodes, dtype=np.int32)
    colours = refine(rings(dataset, radius), start, rounds)
    by_graph = colours[np.lexsort([colours, dataset.owner])]
    bounds = dataset.graph_ptr.tolist()
    groups: dict[bytes, int] = {}
    return np.array(
        [
            groups.setdefault(by_graph[first:last].tobytes(), len(groups))
            for first, last in zip(bounds[:-1], bounds[1:], strict=True)
        ],
        dtype=np.int32,
    )


def _agreement(
    twins: NDArray[np.int32], dataset: Dataset, task: Task
) -> tuple[int | None, float | None]:
    """How many groups carry several targets, and what that allows at best."""
    if dataset.targets is None or len(dataset) == 0:
        return None, None
    numbers = task.numbers(dataset)
    pairs = np.unique(np.stack([twins, numbers]), axis=1)
    n_targets = np.bincount(pairs[0].astype(np.int64))
    return int((n_targets > 1).sum()), task.ceiling(twins, numbers)
