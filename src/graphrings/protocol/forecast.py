"""How long the missing cells will take: from cells that are finished, or from a small sample."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from graphrings.protocol.experiment import Experiment, grid_points
from graphrings.protocol.halving import first_epochs
from graphrings.protocol.nested import planned_rounds
from graphrings.protocol.prepare import Folds, load_dataset
from graphrings.protocol.refit import is_refitted
from graphrings.protocol.sampling import Sample
from graphrings.protocol.trial_costs import Trial
from graphrings.results.record import MethodCard
from graphrings.tasks import TASKS, Task

PER_LINE, IN_ALL = 0.5, 15.0  # seconds that may be spent on measuring
Group = tuple[str, str]  # dataset and method
Finished = Mapping[Group, tuple[int, float]]  # cells and the mean seconds of one


@dataclass(frozen=True)
class Forecast:
    """The missing cells of one method on one dataset, and the seconds that one of them takes.

    ``fastest`` is a cell whose trainings all stop as early as they may, ``slowest`` one in which
    none stops early; they are the same where cells have been finished before, and None where
    nothing is known. ``shared`` seconds are spent once for all cells. ``source`` says where the
    figures come from.
    """

    dataset: str
    method: str
    n_cells: int
    n_settings: int
    fastest: float | None
    slowest: float | None
    shared: float
    source: str

    def all_cells(self, seconds: float | None, n_workers: int) -> float | None:
        """The seconds of all cells, if one takes so long and so many run at once."""
        return None if seconds is None else self.shared + self.n_cells * seconds / n_workers


def forecasts(
    experiment: Experiment,
    n_missing: Mapping[Group, int],
    finished: Finished,
    root: Path | None = None,
) -> Iterator[Forecast]:
    """One forecast for every dataset and method that has cells to run.

    Only datasets are read of which a method has no finished cells.
    """
    unknown = [group for group, n in n_missing.items() if n and group not in finished]
    seconds = min(PER_LINE, IN_ALL / max(1, len(unknown)))
    for dataset in experiment.datasets:
        own = [group for group in unknown if group[0] == dataset]
        lines = _Lines(experiment, dataset, root, seconds) if own else None
        for card in experiment.methods:
            n_cells = n_missing.get((dataset, card.name), 0)
            if n_cells and (dataset, card.name) in finished:
                n, mean = finished[dataset, card.name]
                source = f"{n:,} cell{'s' * (n != 1)}"
                n_settings = len(grid_points(card))
                yield Forecast(dataset, card.name, n_cells, n_settings, mean, mean, 0.0, source)
            elif n_cells:
                assert lines is not None
                yield lines.line(card, n_cells)


class _Lines:
    """The forecasts of one dataset, all from the same sample."""

    def __init__(
        self, experiment: Experiment, name: str, root: Path | None, seconds: float
    ) -> None:
        self._name, self._task, self._home = name, TASKS[experiment.task], experiment.home
        dataset = load_dataset(experiment, name, root, experiment.given)
        split = Folds(experiment, name, dataset).of(0)[0]
        self._sample = Sample(dataset, split, self._task)
        self._seconds = seconds

    def line(self, card: MethodCard, n_cells: int) -> Forecast:
        """What a sample tells of a method; a method that fails on it is told as such."""
        points = grid_points(card)
        try:
            fastest, slowest, shared, size = self._measured(card, points)
        except Exception as error:  # any library may fail in its own way
            reason = " ".join(f"not known, a sample fails: {error}".split())
            return Forecast(self._name, card.name, n_cells, len(points), None, None, 0.0, reason)
        source = f"{size:,} graphs"
        return Forecast(
            self._name, card.name, n_cells, len(points), fastest, slowest, shared, source
        )

    def _measured(
        self, card: MethodCard, points: list[dict[str, Any]]
    ) -> tuple[float, float, float, int]:
        """The least and the most seconds of a cell, those for all cells, and the sample's size."""
        tried = points[:1] if len(points) == 1 else [points[0], points[-1]]
        trial = Trial(card, points[0], self._home, self._task, self._sample)
        pairs = [trial.extended(point, self._seconds / len(tried)) for point in tried]
        costs = [cost for cost, _ in pairs]  # a grid is most often ordered by cost
        n_made, n_whole = trial.n_different(), n_fits(card, self._home, self._task)
        per_fold = n_made * fmean(cost.per_fold for cost in costs)
        fastest = n_whole * fmean(cost.fastest for cost in costs) + per_fold
        slowest = n_whole * fmean(cost.slowest for cost in costs) + per_fold
        shared = n_made * fmean(cost.once for cost in costs)
        return fastest, slowest, shared, min(size for _, size in pairs)


def n_fits(card: MethodCard, home: Path | None, task: Task) -> float:
    """How many whole fits a cell costs; those of successive halving are shorter."""
    points = grid_points(card)
    if first_epochs(card.settings) is None:
        return len(points) + is_refitted(points[0])
    plan = planned_rounds(card, home, task)
    return sum(n * epochs for n, epochs in plan) / plan[-1][1]
