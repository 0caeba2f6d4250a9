"""What the methods of an experiment do not see of its datasets."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from graphrings.graphs.carried import carried, in_words
from graphrings.methods import find
from graphrings.protocol.experiment import grid_points
from graphrings.protocol.jobs import Job
from graphrings.protocol.prepare import Prepared
from graphrings.protocol.refit import of_estimator
from graphrings.tasks import TASKS, Task


def ignored_parts(prepared: Prepared, parts: Collection[str]) -> Iterator[str]:
    """A line for every dataset and part that some row to be run does not see."""
    task = TASKS[prepared.card.task]
    for name, dataset in prepared.datasets.items():
        rows = {job.method.name: job for job in prepared.jobs if job.cell.dataset == name}
        sees = {row: eyes(job, task) for row, job in rows.items()}
        for part in carried(dataset):
            blind = [row for row, seen in sees.items() if part not in seen]
            if part in parts and blind:
                yield f"{name}: {in_words(dataset, [part])} ignored by {', '.join(blind)}"


def eyes(job: Job, task: Task) -> tuple[str, ...]:
    """What the estimator of a job sees besides structure, with its first setting."""
    setting = of_estimator(grid_points(job.method)[0])
    seen: tuple[str, ...] = find(job.method.method, job.home).build(setting, 0, task).sees
    return seen
