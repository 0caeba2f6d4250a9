"""How far an experiment is, and how long the rest of it takes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from graphrings.results.record import Cell
from graphrings.results.store import Store


@dataclass(frozen=True)
class Progress:
    """The cells of one dataset and method, or of all of them.

    ``seconds_left`` is None where no finished cell tells how long one takes.
    """

    dataset: str
    method: str
    finished: int
    total: int
    running: int
    failed: int
    seconds_per_cell: float | None
    seconds_left: float | None


def progress(store: Store, experiment: str) -> list[Progress]:
    """The state of every dataset and method; cells that failed are not waited for.

    The time left is that of one worker, divided by the cells that are running now.
    """
    card = store.card(experiment)
    seconds = store.seconds(experiment)
    running = _by_group(cell for cell, _, _ in store.running(experiment))
    if not store.being_written:  # the marks are those of a run that was killed
        running.clear()
    failed = _by_group(failure.cell for failure in store.failures(experiment))
    n_workers = max(1, running.total())
    return [
        _state(
            group,
            seconds.get(group),
            card.repetitions * card.n_folds,
            running[group],
            failed[group],
            n_workers,
        )
        for dataset in card.datasets
        for method in card.methods
        for group in [(dataset.name, method.name)]
    ]


def total(groups: list[Progress]) -> tuple[Progress, bool]:
    """All groups as one, and whether its time is only a lower bound."""
    known = [group.seconds_left for group in groups if group.seconds_left is not None]
    is_bound = len(known) < len(groups)
    left = math.fsum(known)
    spent = sum(group.finished * (group.seconds_per_cell or 0.0) for group in groups)
    finished = sum(group.finished for group in groups)
    summary = Progress(
        dataset="all",
        method="all",
        finished=finished,
        total=sum(group.total for group in groups),
        running=sum(group.running for group in groups),
        failed=sum(group.failed for group in groups),
        seconds_per_cell=spent / finished if finished else None,
        seconds_left=None if is_bound and left == 0 else left,
    )
    return summary, is_bound


def _by_group(cells: Iterable[Cell]) -> Counter[tuple[str, str]]:
    return Counter((cell.dataset, cell.method) for cell in cells)


def _state(
    group: tuple[str, str],
    times: tuple[int, float] | None,
    n_cells: int,
    running: int,
    failed: int,
    n_workers: int,
) -> Progress:
    finished, mean = times or (0, None)
    n_left = max(0, n_cells - finished - failed)
    left = None if mean is None else n_left * mean / n_workers
    if n_left == 0:
        left = 0.0
    if left is not None and not math.isfinite(left):
        left = None
    return Progress(*group, finished, n_cells, running, failed, mean, left)
