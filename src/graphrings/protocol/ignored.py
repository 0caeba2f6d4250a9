"""What the methods of an experiment do not see of its datasets."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from graphrings.graphs.carried import carried, in_words
from graphrings.methods import find
from graphrings.protocol.experiment import grid_points
from graphrings.protocol.prepare import Prepared
from graphrings.protocol.refit import of_estimator
from graphrings.results.record import MethodCard
from graphrings.tasks import TASKS, Task


def ignored_parts(prepared: Prepared, parts: Collection[str]) -> Iterator[str]:
    """A line for every dataset and part that some row to be run does not see."""
    task = TASKS[prepared.card.task]
    for name, dataset in prepared.datasets.items():
        rows = {job.method.name: job for job in prepared.jobs if job.cell.dataset == name}
        sees = {row: eyes(job.method, task, job.home) for row, job in rows.items()}
        for part in carried(dataset):
            blind = [row for row, seen in sees.items() if part not in seen]
            if part in parts and blind:
                yield f"{name}: {in_words(dataset, [part])} ignored by {', '.join(blind)}"


def eyes(row: MethodCard, task: Task, home: Path | None = None) -> tuple[str, ...]:
    """What the estimator of a row sees besides structure, with its first setting."""
    setting = of_estimator(grid_points(row)[0])
    seen: tuple[str, ...] = find(row.method, home).build(setting, 0, task).sees
    return seen
