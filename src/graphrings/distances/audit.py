"""What no structural method can tell apart, and what that means for its score."""

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
    looked at. Groups of twins are conflicting if their targets differ. ``ceiling`` is the best
    main score of the task that a method can have which treats twins alike: the highest accuracy,
    the lowest RMSE. Of the test graphs of all folds, ``twin_share`` have a twin in their training
    set (None without folds).
    """

    name: str
    task: str
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
    """Find twins, conflicting targets and leaks between the folds.

    By default the folds are the published ones, and the task is that of the dataset's targets.
    """
    task = task or task_of(dataset)
    twins = twin_groups(dataset, radius, rounds)
    sizes = np.bincount(twins)
    folds = dataset.folds if folds is None else folds
    conflicting, ceiling = _agreement(twins, dataset, task)
    tested = np.concatenate([fold.test for fold in folds]) if folds else np.empty(0, np.int32)
    leaks = [np.isin(twins[fold.test], twins[fold.train]) for fold in folds]
    return Audit(
        name=dataset.name,
        task=task.name,
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
    """How many groups have several targets, and the best score in spite of them."""
    if dataset.targets is None or len(dataset) == 0:
        return None, None
    numbers = task.numbers(dataset)
    different = np.unique(np.stack([twins, numbers]), axis=1)[0].astype(np.int64)
    return int((np.bincount(different) > 1).sum()), task.ceiling(twins, numbers)


def conflicting_twins(
    dataset: Dataset, radius: SupportsIndex = RADIUS, rounds: int = ROUNDS
) -> list[list[int]]:
    """Graphs that cannot be told apart and have different targets: one of each, group by group."""
    if dataset.targets is None:
        return []
    twins = twin_groups(dataset, radius, rounds)
    _, first = np.unique(np.stack([twins, dataset.targets]), axis=1, return_index=True)
    groups: dict[int, list[int]] = {}
    for graph in np.sort(first).tolist():
        groups.setdefault(int(twins[graph]), []).append(graph)
    return [group for group in groups.values() if len(group) > 1]
