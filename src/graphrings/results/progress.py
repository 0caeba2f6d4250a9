"""How far an experiment is, and how long the rest of it takes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from graphrings.durations import duration
from graphrings.results.record import Cell, ExperimentCard
from graphrings.results.store import Store

Group = tuple[str, str]  # dataset and method
UNKNOWN = "the time left is not known yet"


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


@dataclass(frozen=True)
class TimeLeft:
    """Seconds, None where nothing is known; a lower bound if only a part of the work is known."""

    seconds: float | None
    is_bound: bool = False

    def __str__(self) -> str:
        if self.seconds is None:
            return UNKNOWN
        return f"{'at least' if self.is_bound else 'about'} {duration(self.seconds)} left"


def time_left(
    n_left: Mapping[Group, int], known: Mapping[Group, tuple[int, float]], n_at_once: int
) -> TimeLeft:
    """How long the cells that are left take, so many at once.

    ``known`` holds for a dataset and method how many cells are finished, and the mean seconds of
    one: a cell that is left takes as long as those of its own dataset and method.
    """
    waiting = {group: n for group, n in n_left.items() if n > 0}
    work = [n * known[group][1] for group, n in waiting.items() if group in known]
    seconds = math.fsum(work) / max(1, n_at_once)
    if (waiting and not work) or not math.isfinite(seconds):
        return TimeLeft(None, is_bound=True)
    return TimeLeft(seconds, is_bound=len(work) < len(waiting))


def progress(store: Store, card: ExperimentCard) -> tuple[list[Progress], TimeLeft]:
    """The state of every dataset and method of a card, and the time left for all of them.

    Cells that failed are not waited for. The time is that of one worker, divided by the cells that
    are running now.
    """
    known, n_finished = store.seconds(card.name), store.n_finished(card.name)
    running = _by_group(cell for cell, _, _ in store.running(card.name) if card.has(cell))
    if not store.being_written:  # the marks are those of a run that was killed
        running.clear()
    failed = _by_group(failure.cell for failure in store.failures(card.name))
    n_cells, n_at_once = card.repetitions * card.n_folds, running.total()
    groups = [(dataset.name, method.name) for dataset in card.datasets for method in card.methods]
    n_left = {group: n_cells - n_finished.get(group, 0) - failed[group] for group in groups}
    states = [
        Progress(
            *group,
            finished=n_finished.get(group, 0),
            total=n_cells,
            running=running[group],
            failed=failed[group],
            seconds_per_cell=known[group][1] if group in known else None,
            seconds_left=time_left({group: n_left[group]}, known, n_at_once).seconds,
        )
        for group in groups
    ]
    return states, time_left(n_left, known, n_at_once)


def total(groups: list[Progress], left: TimeLeft) -> Progress:
    """All groups as one."""
    timed = [group for group in groups if group.seconds_per_cell is not None]
    n_timed = sum(group.finished for group in timed)
    spent = sum(group.finished * (group.seconds_per_cell or 0.0) for group in timed)
    return Progress(
        dataset="all",
        method="all",
        finished=sum(group.finished for group in groups),
        total=sum(group.total for group in groups),
        running=sum(group.running for group in groups),
        failed=sum(group.failed for group in groups),
        seconds_per_cell=spent / n_timed if n_timed else None,
        seconds_left=left.seconds,
    )


def _by_group(cells: Iterable[Cell]) -> Counter[Group]:
    return Counter((cell.dataset, cell.method) for cell in cells)
