"""How long the missing cells will take: from cells that are finished, or from a few epochs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from graphrings.graphs.array_cache import ArrayCache
from graphrings.graphs.dataset import Dataset
from graphrings.methods import find
from graphrings.protocol.experiment import grid_points
from graphrings.protocol.halving import first_epochs
from graphrings.protocol.jobs import Job
from graphrings.protocol.nested import fit, planned_rounds, split_graphs
from graphrings.protocol.refit import is_refitted, of_estimator
from graphrings.tasks import TASKS

EPOCHS = 3  # of a trial training
Finished = Mapping[tuple[str, str], tuple[int, float]]  # by dataset and method: cells, mean seconds


@dataclass(frozen=True)
class Forecast:
    """The missing cells of one method on one dataset, and the seconds that one of them takes.

    ``fastest`` is a cell whose trainings all stop as early as they may, ``slowest`` one in which
    none stops early; they are the same where cells have been finished before.
    """

    dataset: str
    method: str
    n_cells: int
    n_settings: int
    fastest: float
    slowest: float


def forecasts(
    jobs: Sequence[Job], datasets: Mapping[str, Dataset], finished: Finished
) -> Iterator[Forecast]:
    """One forecast for every dataset and method that has cells to run."""
    caches = {name: ArrayCache() for name in datasets}
    groups: dict[tuple[str, str], list[Job]] = {}
    for job in jobs:
        groups.setdefault((job.cell.dataset, job.cell.method), []).append(job)
    for (dataset, method), own in groups.items():
        settings = grid_points(own[0].method)
        n_fits = number_of_fits(own[0])
        if (dataset, method) in finished:
            fastest = slowest = finished[dataset, method][1]
        else:
            tried = [settings[0], settings[-1]]  # a grid is most often ordered by cost
            pairs = [measure(own[0], s, datasets[dataset], caches[dataset]) for s in tried]
            fastest, slowest = (
                n_fits * sum(seconds) / len(tried) for seconds in zip(*pairs, strict=True)
            )
        yield Forecast(dataset, method, len(own), len(settings), fastest, slowest)


def number_of_fits(job: Job) -> float:
    """How many whole fits a cell costs; those of successive halving are shorter."""
    settings = grid_points(job.method)
    if first_epochs(job.method.settings) is None:
        return len(settings) + is_refitted(settings[0])
    plan = planned_rounds(job)
    return sum(n * epochs for n, epochs in plan) / plan[-1][1]


def measure(job: Job, setting: Any, dataset: Dataset, cache: ArrayCache) -> tuple[float, float]:
    """The least and the most seconds of one fit, from a trial that looks at no test fold."""
    training, validation, _ = split_graphs(job, dataset, cache)
    method, task = find(job.method.method), TASKS[job.task]

    def seconds(**changed: int) -> float:
        estimator = method.build({**of_estimator(setting), **changed}, 0, task)
        start = perf_counter()
        fit(estimator, training, validation)
        return perf_counter() - start

    parameters = {**method.parameters(task), **setting}
    if "max_epochs" not in parameters:
        whole = seconds()
        return whole, whole
    seconds(max_epochs=1)  # what is shared, and compiled, is not counted
    one, more = seconds(max_epochs=1), seconds(max_epochs=1 + EPOCHS)
    epoch = max(0.0, more - one) / EPOCHS
    longest = parameters["max_epochs"]
    shortest = min(longest, parameters["patience"] + 1)
    return one + (shortest - 1) * epoch, one + (longest - 1) * epoch
