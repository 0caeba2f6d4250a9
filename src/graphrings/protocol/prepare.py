"""Whatever can be wrong with an experiment is refused here, before its first cell."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from graphrings.distances.audit import audit
from graphrings.errors import DatasetError, ExperimentError
from graphrings.graphs.dataset import Dataset, Fold
from graphrings.graphs.load import load
from graphrings.protocol.experiment import Experiment
from graphrings.protocol.folds import Split, given_splits, grouping_of, splits
from graphrings.protocol.jobs import Job
from graphrings.protocol.kept_fits import folder_for
from graphrings.protocol.seeds import seed
from graphrings.results.record import Cell, DatasetCard, ExperimentCard
from graphrings.tasks import TASKS, Task


@dataclass(frozen=True)
class Prepared:
    """Datasets in memory, and the jobs to do on them."""

    card: ExperimentCard
    datasets: Mapping[str, Dataset]
    jobs: tuple[Job, ...]


def prepare(
    experiment: Experiment,
    cells: Collection[Cell],
    root: Path | None = None,
    known: ExperimentCard | None = None,
    given: Mapping[str, Dataset] | None = None,
    fits: Path | None = None,
) -> Prepared:
    """Load the datasets of some cells, draw their folds, look at the data.

    ``known`` is what a store holds of the experiment: datasets without cells to run are taken from
    it instead of being loaded. ``given`` are datasets that are in memory already; ``fits`` is a
    folder to keep fitted networks in.
    """
    held = {} if known is None else {card.name: card for card in known.datasets}
    needed = {cell.dataset for cell in cells}
    datasets, cards, jobs, task = {}, [], [], TASKS[experiment.task]
    for name in experiment.datasets:
        if name not in needed:
            if name in held:
                cards.append(held[name])
            continue
        dataset = datasets[name] = load_dataset(experiment, name, root, given)
        own = [cell for cell in cells if cell.dataset == name]
        folds = Folds(experiment, name, dataset)
        kept = None if fits is None else folder_for(fits, dataset)
        jobs += [
            Job(
                cell,
                card,
                folds.of(cell.repetition)[cell.fold],
                experiment.seed,
                task.name,
                experiment.home,
                experiment.chosen_by,
                kept,
            )
            for cell in own
            for card in experiment.methods
            if card.name == cell.method
        ]
        card = held.get(name)
        unchanged = card is not None and card.fingerprint == dataset.fingerprint
        cards.append(card if card and unchanged else describe(name, dataset, folds.of(0), task))
    order = {cell: place for place, cell in enumerate(cells)}
    jobs.sort(key=lambda job: order[job.cell])
    return Prepared(_card(experiment, tuple(cards)), datasets, tuple(jobs))


class Folds:
    """The splits of a dataset, drawn once per repetition; all methods have the same."""

    def __init__(self, experiment: Experiment, name: str, dataset: Dataset) -> None:
        self._experiment, self._name, self._dataset = experiment, name, dataset
        self._groups = grouping_of(experiment.folds, dataset)
        self._held: dict[int, list[Split]] = {}

    def of(self, repetition: int) -> list[Split]:
        """The splits of one repetition."""
        if repetition not in self._held:
            self._held[repetition] = self._drawn(repetition)
        return self._held[repetition]

    def _drawn(self, repetition: int) -> list[Split]:
        experiment, dataset = self._experiment, self._dataset
        task = TASKS[experiment.task]
        if experiment.own_folds is not None:
            tests = experiment.own_folds.tests(self._name, len(dataset), repetition)
            return given_splits(dataset, tests, task)
        drawn = seed(experiment.seed, "folds", self._name, repetition)
        kind, n_folds = experiment.folds, experiment.n_folds
        return splits(dataset, kind, n_folds, drawn, self._groups, task)


def describe(name: str, dataset: Dataset, folds: list[Split], task: Task) -> DatasetCard:
    """What a report says of a dataset."""
    published = [
        Fold(np.concatenate([f.training, f.validation]).astype(np.int32), f.test.astype(np.int32))
        for f in folds
    ]
    twins = audit(dataset, folds=published, task=task)
    assert twins.n_conflicting is not None
    assert twins.ceiling is not None
    assert twins.n_untested is not None
    numbers, class_names = task.numbers(dataset), task.class_names(dataset)
    return DatasetCard(
        name=name,
        fingerprint=dataset.fingerprint,
        n_graphs=len(dataset),
        targets=task.described(dataset),
        class_names=class_names,
        class_counts=tuple(int((numbers == k).sum()) for k in range(len(class_names))),
        nodes_avg=float(dataset.sizes.mean()),
        nodes_max=int(dataset.sizes.max()),
        edges_avg=dataset.n_edges / len(dataset),
        n_labels=dataset.n_labels,
        n_distinct=twins.n_distinct,
        n_conflicting=twins.n_conflicting,
        ceiling=twins.ceiling,
        twin_share=twins.twin_share,
        n_untested=twins.n_untested,
    )


def load_dataset(
    experiment: Experiment,
    name: str,
    root: Path | None = None,
    given: Mapping[str, Dataset] | None = None,
) -> Dataset:
    """A dataset that has graphs, with targets that are those of the task."""
    source, task = experiment.datasets[name], TASKS[experiment.task]
    if given and name in given:
        dataset = given[name]
    else:
        dataset = load(source, root, **experiment.options.get(name, {}))
    if len(dataset) == 0:
        raise ExperimentError(f"{name}: no graphs in {source}; expected at least one per fold")
    try:
        task.numbers(dataset)
    except DatasetError as error:
        why = str(error).removeprefix(f"{dataset.name}: ")
        raise ExperimentError(f"{name}: no dataset for task = {task.name!r}: {why}") from error
    return dataset


def _card(experiment: Experiment, datasets: tuple[DatasetCard, ...]) -> ExperimentCard:
    return ExperimentCard(
        experiment.name,
        experiment.task,
        experiment.seed,
        experiment.folds,
        experiment.n_folds,
        experiment.repetitions,
        datasets,
        experiment.methods,
    )
