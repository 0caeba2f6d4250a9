"""What the methods of an experiment do not see of its datasets."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from graphrings.graphs.carried import carried, in_words
from graphrings.methods import find
from graphrings.protocol.prepare import Prepared
from graphrings.tasks import TASKS


def ignored_parts(prepared: Prepared, parts: Collection[str]) -> Iterator[str]:
    """A line for every dataset and part that some row to be run does not see."""
    task = TASKS[prepared.card.task]
    for name, dataset in prepared.datasets.items():
        rows = {job.method.name: job.method for job in prepared.jobs if job.cell.dataset == name}
        sees = {
            row.name: find(row.method).build(row.settings, 0, task).sees for row in rows.values()
        }
        for part in carried(dataset):
            blind = [row for row, seen in sees.items() if part not in seen]
            if part in parts and blind:
                yield f"{name}: {in_words(dataset, [part])} ignored by {', '.join(blind)}"
