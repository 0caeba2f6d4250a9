"""An experiment: which methods on which datasets, how often, and in which folds."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from graphrings.errors import ExperimentError, UnknownDatasetError
from graphrings.graphs.catalogue import lookup
from graphrings.graphs.load import is_path
from graphrings.protocol.folds import KINDS, LEAST_FOLDS, check_kind
from graphrings.protocol.rows import read_rows
from graphrings.protocol.toml_file import TomlFile, is_one_line, read_toml
from graphrings.protocol.toml_lines import Keys
from graphrings.results.record import Cell, MethodCard
from graphrings.spelling import suggestion
from graphrings.tasks import CLASSIFICATION, TASKS, Task

KEYS = ("name", "task", "seed", "folds", "n_folds", "repetitions", "datasets", "methods")


@dataclass(frozen=True)
class Experiment:
    """What an experiment file asks for.

    ``datasets`` names, for every column, a dataset of the catalogue or a path. Of the repetitions
    and folds, counted from 0, ``only_`` those are run; None means all. ``home`` is the folder that
    own methods may be imported from. ``chosen_by`` are the scores that choose among settings, by
    default those of the task.
    """

    name: str
    task: str
    seed: int
    folds: str
    n_folds: int
    repetitions: int
    datasets: Mapping[str, str]
    methods: tuple[MethodCard, ...]
    path: Path
    only_repetitions: tuple[int, ...] | None = None
    only_folds: tuple[int, ...] | None = None
    home: Path | None = None
    chosen_by: tuple[str, ...] = ()

    def cells(self) -> Iterator[Cell]:
        """Every cell; a whole table is there as soon as one repetition is."""
        repetitions, folds = self.only_repetitions, self.only_folds
        order = product(
            range(self.repetitions) if repetitions is None else repetitions,
            self.datasets,
            range(self.n_folds) if folds is None else folds,
            self.methods,
        )
        return (Cell(data, card.name, repetition, fold) for repetition, data, fold, card in order)

    def chosen(
        self,
        datasets: Collection[str] | None = None,
        methods: Collection[str] | None = None,
        repetitions: Collection[int] | None = None,
        folds: Collection[int] | None = None,
    ) -> Experiment:
        """A part of the experiment for a quick look, in the order of the file.

        Methods go by the names of their rows; repetitions and folds count from 1 here, as in all
        that a user reads. Nothing chosen of a kind means all of it.
        """
        rows = [card.name for card in self.methods]
        datasets = self._known("dataset", datasets, list(self.datasets))
        methods = self._known("method", methods, rows)
        return replace(
            self,
            datasets={name: self.datasets[name] for name in datasets},
            methods=tuple(card for card in self.methods if card.name in methods),
            only_repetitions=self._within("repetition", repetitions, self.repetitions),
            only_folds=self._within("fold", folds, self.n_folds),
        )

    def _known(self, what: str, wanted: Collection[str] | None, known: list[str]) -> list[str]:
        for name in wanted or ():
            if name not in known:
                raise ExperimentError(
                    f"{self.name} has no {what} {name!r}; expected one of {', '.join(known)}"
                    f"{suggestion(name, known)}"
                )
        return [name for name in known if name in (wanted or known)]

    def _within(
        self, what: str, wanted: Collection[int] | None, count: int
    ) -> tuple[int, ...] | None:
        for number in wanted or ():
            if not 1 <= number <= count:
                raise ExperimentError(f"{self.name} has no {what} {number}; expected 1 to {count}")
        return tuple(sorted({number - 1 for number in wanted})) if wanted else None


def grid_points(card: MethodCard) -> list[dict[str, Any]]:
    """The fixed settings joined with each point of the grid; its last setting changes fastest."""
    return [
        {**card.settings, **dict(zip(card.grid, point, strict=True))}
        for point in product(*card.grid.values())
    ]


def read_experiment(path: str | Path) -> Experiment:
    """Read an experiment file; whatever is wrong in it is refused with its line."""
    file = read_toml(Path(path))
    file.table((), KEYS)
    task = _read_task(file)
    return Experiment(
        name=file.word(("name",), file.path.stem),
        task=task.name,
        seed=file.whole_number(("seed",), 0, least=0),
        folds=_read_folds(file),
        n_folds=file.whole_number(("n_folds",), 10, least=LEAST_FOLDS),
        repetitions=file.whole_number(("repetitions",), 10, least=1),
        datasets=_read_datasets(file),
        methods=read_rows(file, task),
        path=file.path,
        home=file.home,
    )


def _read_task(file: TomlFile) -> Task:
    name = file.word(("task",), CLASSIFICATION.name)
    if name not in TASKS:
        hint = suggestion(name, TASKS)
        file.refuse(("task",), f"task = {name!r}; expected {' or '.join(TASKS)}{hint}")
    return TASKS[name]


def _read_folds(file: TomlFile) -> str:
    kind = file.word(("folds",), KINDS[0])
    try:
        check_kind(kind)
    except ExperimentError as error:
        file.refuse(("folds",), str(error))
    return kind


def _read_datasets(file: TomlFile) -> dict[str, str]:
    wanted = file.get(("datasets",))
    if not wanted:
        raise ExperimentError(f'{file.path}: no datasets; expected datasets = ["MUTAG"] or more')
    if isinstance(wanted, dict):
        return {name: _read_place(file, ("datasets", name), name, wanted[name]) for name in wanted}
    if not isinstance(wanted, list):
        file.refuse(("datasets",), f"datasets = {wanted!r}; expected a list or a table")
    for name in wanted:
        if wanted.count(name) > 1:
            file.refuse(("datasets",), f"dataset {name!r} stands there twice; expected it once")
    return {name: _read_place(file, ("datasets",), name, name) for name in wanted}


def _read_place(file: TomlFile, keys: Keys, name: Any, place: Any) -> str:
    """A catalogue name, or a path: one that exists beside the experiment file is meant there."""
    for said in (name, place):
        if not is_one_line(said):
            file.refuse(keys, f"dataset {said!r}; expected a name or a path, text of one line")
    if is_path(place):
        beside = file.path.parent / place
        return str(beside.resolve()) if beside.exists() else str(place)
    try:
        lookup(place)
    except UnknownDatasetError as error:
        file.refuse(keys, str(error))
    return str(place)
