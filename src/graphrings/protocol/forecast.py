"""How long the missing cells will take: from finished cells, from references, or from samples.

A method of ours with settings of its own grid is told by references, which needs no fit. With other
settings it takes so many times as long as a small sample of the smallest dataset takes with them.
Any other method is told by such samples and by how it grows. All of that takes seconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from graphrings.graphs.dataset import Dataset
from graphrings.methods import METHODS
from graphrings.protocol.cell_costs import (
    CellCost,
    cell_cost,
    n_different,
    reference_cell,
    reference_fit,
    training_share,
)
from graphrings.protocol.experiment import Experiment, grid_points
from graphrings.protocol.prepare import Folds, load_dataset
from graphrings.protocol.reference_costs import (
    LEAST,
    Size,
    best_epoch_at,
    mean_cost,
    reference_at,
)
from graphrings.protocol.sampling import Sample
from graphrings.protocol.trial_costs import Growth, Trial
from graphrings.results.record import MethodCard
from graphrings.tasks import TASKS

PER_ROW, IN_ALL = 0.5, 4.0  # seconds that may be spent on measuring
REFERENCE, GRAPHS = "timings", "graphs"  # what a forecast rests on, besides cells
Group = tuple[str, str]  # dataset and method
Finished = Mapping[Group, tuple[int, float]]  # cells and the mean seconds of one


@dataclass(frozen=True)
class Forecast:
    """The missing cells of one method on one dataset, and the seconds that one of them takes.

    ``fastest`` is a cell whose trainings all stop as early as they may, ``slowest`` one in which
    none stops early, ``likely`` one whose trainings are as long as those of our tables. All are the
    same where cells have been finished before, and None where nothing is known. ``shared`` seconds
    are spent once for all cells. ``source`` says where the figures come from.
    """

    dataset: str
    method: str
    n_cells: int
    n_settings: int
    fastest: float | None
    likely: float | None
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
    needed = {dataset for dataset, _ in unknown}
    datasets = {
        name: load_dataset(experiment, name, root, experiment.given)
        for name in experiment.datasets
        if name in needed
    }
    cost: CellCost | None
    samples = _Samples(experiment, datasets, len({method for _, method in unknown}))
    for dataset in experiment.datasets:
        for card in experiment.methods:
            n_cells = n_missing.get((dataset, card.name), 0)
            if not n_cells:
                continue
            if (dataset, card.name) in finished:
                n, mean = finished[dataset, card.name]
                source, cost = f"{n:,} cell{'s' * (n != 1)}", CellCost(mean, mean, mean, 0.0)
            else:
                cost, source = _told(experiment, card, datasets[dataset], samples)
            yield Forecast(
                dataset,
                card.name,
                n_cells,
                len(grid_points(card)),
                None if cost is None else cost.fastest,
                None if cost is None else cost.likely,
                None if cost is None else cost.slowest,
                0.0 if cost is None else cost.shared,
                source,
            )


def _told(
    experiment: Experiment, card: MethodCard, dataset: Dataset, samples: _Samples
) -> tuple[CellCost | None, str]:
    """What references or else samples tell; a method that fails on a sample is told as such."""
    known = reference_cell(card, Size.of(dataset), TASKS[experiment.task], experiment.n_folds)
    if known is not None:
        return known, REFERENCE
    try:
        return samples.cost(card, dataset)
    except Exception as error:  # any library may fail in its own way
        return None, " ".join(f"not known, a sample fails: {error}".split())


@dataclass(frozen=True)
class _Measured:
    """How both ends of a grid grow, and how many of its points need something of their own."""

    growths: list[Growth]
    n_made: int

    @property
    def sizes(self) -> set[int]:
        """The sizes of samples, in graphs, that both were measured on."""
        return set.intersection(*(set(growth.sizes) for growth in self.growths))

    def fit(self, size: int, epochs: float) -> float:
        """The seconds of a fit on so many graphs, in the mean, if it finds nothing made yet."""
        cost = mean_cost([growth.on(size) for growth in self.growths])
        return cost.start + epochs * cost.epoch + cost.once + cost.per_fold


class _Samples:
    """Rows measured on samples of the smallest dataset, each once."""

    def __init__(
        self, experiment: Experiment, datasets: Mapping[str, Dataset], n_rows: int
    ) -> None:
        self._experiment, self._task = experiment, TASKS[experiment.task]
        self._datasets, self._seconds = datasets, min(PER_ROW, IN_ALL / max(1, n_rows))
        self._measured: dict[str, _Measured] = {}

    def cost(self, card: MethodCard, dataset: Dataset) -> tuple[CellCost, str]:
        """What a cell costs on a dataset, and what that rests on."""
        row, size = self._row(card), Size.of(dataset)
        n_folds, source = self._experiment.n_folds, f"{max(row.sizes):,} {GRAPHS}"
        reference = reference_at(card.method, size)
        if reference is None:
            known = dataset.n_nodes * training_share(n_folds)
            cost = mean_cost([growth.at(known, dataset.n_nodes) for growth in row.growths])
        else:
            times = self._times_as_long(card, best_epoch_at(card.method, size))
            cost = reference_fit(reference, n_folds).times(times)
            source = f"{REFERENCE}, {source}"
        home = self._experiment.home
        return cell_cost(card, cost, row.n_made, home, self._task, size), source

    def _times_as_long(self, card: MethodCard, epochs: float) -> float:
        """How much longer a fit takes than with the settings that references were taken with."""
        method = METHODS[card.method]
        row, usual = self._row(card), self._row(replace(card, settings={}, grid=method.grid))
        size = max(row.sizes & usual.sizes)
        return row.fit(size, epochs) / max(LEAST, usual.fit(size, epochs))

    @cached_property
    def _smallest(self) -> str:
        return min(self._datasets, key=lambda name: self._datasets[name].n_nodes)

    @cached_property
    def _sample(self) -> Sample:
        name = self._smallest
        dataset = self._datasets[name]
        return Sample(dataset, Folds(self._experiment, name, dataset).of(0)[0], self._task)

    def _row(self, card: MethodCard) -> _Measured:
        if (key := repr((card.method, card.settings, card.grid))) not in self._measured:
            points = grid_points(card)
            ends = points[:1] if len(points) == 1 else [points[0], points[-1]]
            trial = Trial(card, points[0], self._experiment.home, self._task, self._sample)
            growths = [trial.growth(point, self._seconds / len(ends)) for point in ends]
            n_made = n_different(card, trial.own_settings())
            self._measured[key] = _Measured(growths, n_made)
        return self._measured[key]
