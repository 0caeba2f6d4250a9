"""What a fit is going to do, decided before anything is run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Integral
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import DatasetError, SettingError
from graphrings.fit.choice import choice
from graphrings.fit.shortlist import MOST_SORTED, Candidate, candidate, short_list, too_slow
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.mapped import contents
from graphrings.protocol.experiment import Experiment
from graphrings.protocol.folds import KINDS, LEAST_FOLDS
from graphrings.protocol.own_folds import OwnFolds, are_own, read_own_folds
from graphrings.results.record import Cell
from graphrings.spelling import suggestion
from graphrings.tasks import CLASSIFICATION, TASKS, Task, task_of
from graphrings.tasks.scores import Score

RANDOM, DRAWN = "random", "stratified"  # what a user says, and what the protocol calls it
FOLDS, FOLDS_OF_MANY, MANY = 10, 5, 5_000
MOST_WHOLE = 20  # different whole numbers that may be names of classes
FEWEST = 2 * LEAST_FOLDS  # graphs


@dataclass(frozen=True)
class Wanted:
    """What a user asks for; None leaves it to the data."""

    task: str | None = None
    folds: str = RANDOM
    n_folds: int | None = None
    repetitions: int = 1
    methods: tuple[str, ...] | None = None
    score: str | None = None
    seed: int = 0
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Plan:
    """A fit that can be run: every question is answered.

    The procedure chooses among the ``contenders``; other candidates are run to compare with.
    ``reasons`` say in sentences why the plan is as it is.
    """

    dataset: Dataset
    task: Task
    score: Score
    chosen_by: tuple[str, ...]
    folds: str
    n_folds: int
    repetitions: int
    candidates: tuple[Candidate, ...]
    contenders: tuple[str, ...]
    seed: int
    own_folds: OwnFolds | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The experiment's name: other data or another question never share cells in a store."""
        settings = "".join(f", {name} = {value}" for name, value in self.settings.items())
        return (
            f"{self.dataset.name} by {self.score.name}, {self.n_folds} {self.folds} folds, "
            f"seed {self.seed}{settings}, {contents(self.dataset)[:8]}"
        )

    @property
    def n_cells(self) -> int:
        """Folds of all repetitions."""
        return self.n_folds * self.repetitions

    def experiment(self) -> Experiment:
        """The run that estimates how good the procedure is."""
        return Experiment(
            name=self.name,
            task=self.task.name,
            seed=self.seed,
            folds=self.folds,
            n_folds=self.n_folds,
            repetitions=self.repetitions,
            datasets={self.dataset.name: self.dataset.name},
            methods=tuple(one.card(self.task) for one in self.candidates),
            path=Path(),
            own_folds=self.own_folds,
            chosen_by=self.chosen_by,
        )

    def cell(self, method: str, repetition: int, fold: int) -> Cell:
        """A cell of its experiment."""
        return Cell(self.dataset.name, method, repetition, fold)


def plan(dataset: Dataset, wanted: Wanted | None = None) -> Plan:
    """Decide what to run; targets that nothing can be learned from are refused."""
    wanted = wanted or Wanted()
    if dataset.targets is None:
        raise DatasetError(
            f"{dataset.name}: graphs without targets; expected one for every graph, of a table the "
            "column to predict (--target COLUMN)"
        )
    task = _task(dataset, wanted.task)
    numbers = task.numbers(dataset)
    _check_targets(dataset, numbers, task)
    by = choice(dataset, task, wanted.score)
    candidates, contenders = _candidates(len(dataset), task, wanted.methods)
    candidates = _with_settings(candidates, wanted.settings, task)
    own = read_own_folds(Path(wanted.folds), wanted.folds) if are_own(wanted.folds) else None
    n_folds, why_folds = _n_folds(dataset, task, wanted.n_folds, own)
    why_kernel = [
        f"{one.method} stands for the kernels: it is {one.why}."
        for one in candidates
        if one.more_than and wanted.methods is None
    ]
    why_few = _why_few(len(dataset)) if wanted.methods is None else ""
    return Plan(
        dataset=dataset,
        task=task,
        score=by.score(task),
        chosen_by=by.chosen_by,
        folds=own.name if own else _kind(wanted.folds),
        n_folds=n_folds,
        repetitions=wanted.repetitions,
        candidates=candidates,
        contenders=contenders,
        seed=wanted.seed,
        own_folds=own,
        settings=wanted.settings,
        reasons=tuple(filter(None, [by.why, why_folds, *why_kernel, why_few])),
    )


def _task(dataset: Dataset, wanted: str | None) -> Task:
    """The task that is asked for, else that of the targets; many whole numbers could be either."""
    if wanted is not None:
        return TASKS[wanted]
    whole = all(isinstance(name, Integral) for name in dataset.class_names)
    if whole and dataset.n_classes > MOST_WHOLE:
        raise SettingError(
            f"{dataset.name}: {dataset.n_classes} different whole numbers as targets, which may be "
            "classes or values; expected --task classification or --task regression"
        )
    return task_of(dataset)


def _check_targets(dataset: Dataset, numbers: NDArray[Any], task: Task) -> None:
    if len(dataset) < FEWEST:
        graphs = "graph" if len(dataset) == 1 else "graphs"
        raise DatasetError(
            f"{dataset.name}: {len(dataset)} {graphs}; expected at least {FEWEST}, so that some "
            "can train, some validate and some test"
        )
    if len(np.unique(numbers)) < 2:
        shown = dataset.class_names[int(numbers[0])] if task is CLASSIFICATION else numbers[0]
        raise DatasetError(
            f"{dataset.name}: the target of all {len(dataset):,} graphs is {shown}; expected at "
            "least two different targets to learn from"
        )


def _candidates(
    n_graphs: int, task: Task, wanted: Sequence[str] | None
) -> tuple[tuple[Candidate, ...], tuple[str, ...]]:
    """What is run, the baseline always, and what the procedure may choose."""
    if wanted is None:
        listed = short_list(n_graphs)
        return listed, tuple(one.method for one in listed)
    named = tuple(dict.fromkeys(wanted))
    if not named:
        raise SettingError("no methods; expected at least one")
    rows = dict.fromkeys((task.baseline, *named))
    return tuple(candidate(method, n_graphs) for method in rows), named


def _with_settings(
    candidates: tuple[Candidate, ...], settings: Mapping[str, Any], task: Task
) -> tuple[Candidate, ...]:
    """The candidates with settings that a user gives, each with those that it has."""
    if not settings:
        return candidates
    known = set().union(*(one.settings_known(task) for one in candidates))
    for name in settings:
        if name not in known:
            methods = ", ".join(one.method for one in candidates)
            raise SettingError(f"no setting {name!r} in {methods}{suggestion(name, sorted(known))}")
    return tuple(one.fixing(settings, task) for one in candidates)


def _why_few(n_graphs: int) -> str:
    """Which methods of the short list are not run, and how to have them."""
    if not (slow := too_slow(n_graphs)):
        return ""
    return (
        f"{' and '.join(slow)} are left out, as they would take hours for more than "
        f"{MOST_SORTED:,} graphs; --method asks for them."
    )


def _kind(wanted: str) -> str:
    """What the protocol calls the kind of folds that a user asks for."""
    known = (RANDOM, *(kind for kind in KINDS if kind != DRAWN))
    if wanted not in (*known, DRAWN):
        raise SettingError(
            f"folds {wanted!r}; expected {', '.join(known)}, or a path that ends in .csv or .json"
            f"{suggestion(wanted, known)}"
        )
    return DRAWN if wanted == RANDOM else wanted


def _n_folds(
    dataset: Dataset, task: Task, wanted: int | None, own: OwnFolds | None
) -> tuple[int, str]:
    """As many as are asked for; else ten, five of many graphs, or as the rarest class allows."""
    if own is not None:
        return own.n_folds, f"The {own.n_folds} folds are those of {own.path}."
    if wanted is not None:
        return wanted, ""
    usual = FOLDS if len(dataset) <= MANY else FOLDS_OF_MANY
    strata, counts = np.unique(task.strata(task.numbers(dataset), usual), return_counts=True)
    rarest = int(counts.argmin())
    if counts[rarest] >= usual:
        why = f"Five folds instead of ten, as there are more than {MANY:,} graphs."
        return usual, why if usual == FOLDS_OF_MANY else ""
    n_folds = max(LEAST_FOLDS, int(counts[rarest]))
    what = task.stratum_name(dataset, int(strata[rarest])) + " has"
    if not task.trains_every_stratum:
        what = "there are"
    return n_folds, f"{n_folds} folds instead of {usual}: {what} only {counts[rarest]} graphs."
