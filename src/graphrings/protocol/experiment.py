"""An experiment: which methods on which datasets, how often, and in which folds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any

from graphrings.errors import ExperimentError
from graphrings.graphs.dataset import Dataset
from graphrings.protocol.folds import KINDS, LEAST_FOLDS, check_kind, check_n_folds
from graphrings.protocol.own_folds import (
    OwnFolds,
    are_own,
    listed_entries,
    own_folds,
    read_own_folds,
)
from graphrings.protocol.places import read_places
from graphrings.protocol.rows import read_rows
from graphrings.protocol.toml_file import TomlFile, read_toml
from graphrings.results.record import HALVING, REFIT, Cell, MethodCard
from graphrings.spelling import suggestion, unknown
from graphrings.tasks import CLASSIFICATION, TASKS, Task

KEYS = (
    "name",
    "task",
    "seed",
    "folds",
    "n_folds",
    "repetitions",
    REFIT,
    HALVING,
    "datasets",
    "methods",
)


@dataclass(frozen=True)
class Experiment:
    """What an experiment file asks for.

    ``datasets`` names, for every column, a dataset of the catalogue or a path. Of the repetitions
    and folds, counted from 0, ``only_`` those are run; None means all. ``home`` is the folder that
    own methods may be imported from. ``own_folds`` are folds that were drawn elsewhere, and then
    ``folds`` is their name. ``chosen_by`` are the scores that choose among settings, by default
    those of the task. ``options`` say how the files of datasets are to be read, by their names;
    ``given`` are datasets that are in memory already.
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
    only_repetitions: Sequence[int] | None = None
    only_folds: Sequence[int] | None = None
    home: Path | None = None
    own_folds: OwnFolds | None = None
    chosen_by: tuple[str, ...] = ()
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    given: Mapping[str, Dataset] = field(default_factory=dict)

    @property
    def repetition_numbers(self) -> Sequence[int]:
        """The repetitions that are run."""
        only = self.only_repetitions
        return range(self.repetitions) if only is None else only

    @property
    def fold_numbers(self) -> Sequence[int]:
        """The folds that are run."""
        return range(self.n_folds) if self.only_folds is None else self.only_folds

    @property
    def n_cells_per_row(self) -> int:
        """How many cells a method has on a dataset."""
        return len(self.repetition_numbers) * len(self.fold_numbers)

    def cells(self) -> Iterator[Cell]:
        """Every cell; a whole table is there as soon as one repetition is."""
        order = product(self.repetition_numbers, self.datasets, self.fold_numbers, self.methods)
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
        if mistake := unknown(self.name, what, wanted or (), known):
            raise ExperimentError(mistake)
        return [name for name in known if name in (wanted or known)]

    def _within(
        self, what: str, wanted: Collection[int] | None, count: int
    ) -> Sequence[int] | None:
        if not wanted:
            return None
        numbers: Sequence[int] = sorted(set(wanted)) if not isinstance(wanted, range) else wanted
        for number in (numbers[0], numbers[-1]):
            if not 1 <= number <= count:
                raise ExperimentError(f"{self.name} has no {what} {number}; expected 1 to {count}")
        if isinstance(numbers, range):  # there may be very many
            return range(numbers.start - 1, numbers.stop - 1, numbers.step)
        return tuple(number - 1 for number in numbers)


def grid_points(card: MethodCard) -> list[dict[str, Any]]:
    """The fixed settings joined with each point of the grid; its last setting changes fastest."""
    return [
        {**card.settings, **dict(zip(card.grid, point, strict=True))}
        for point in product(*card.grid.values())
    ]


def read_experiment(path: str | Path) -> Experiment:
    """Read an experiment file; whatever is wrong in it is refused with its line."""
    return experiment_of(read_toml(Path(path)))


def experiment_of(file: TomlFile) -> Experiment:
    """What a file says, checked."""
    file.table((), KEYS)
    task, datasets = _read_task(file), read_places(file)
    kind, own = _read_folds(file, datasets)
    return Experiment(
        name=file.word(("name",), file.path.stem),
        task=task.name,
        seed=file.whole_number(("seed",), 0, least=0),
        folds=kind,
        n_folds=_read_n_folds(file, own),
        repetitions=_read_repetitions(file, own),
        datasets={name: place.path for name, place in datasets.items()},
        methods=read_rows(file, task),
        path=file.path,
        home=file.home,
        own_folds=own,
        options={name: place.options for name, place in datasets.items() if place.options},
        given={name: place.given for name, place in datasets.items() if place.given is not None},
    )


def _read_task(file: TomlFile) -> Task:
    name = file.word(("task",), CLASSIFICATION.name)
    if name not in TASKS:
        hint = suggestion(name, TASKS)
        file.refuse(("task",), f"task = {name!r}; expected {' or '.join(TASKS)}{hint}")
    return TASKS[name]


def _read_folds(file: TomlFile, datasets: Iterable[str]) -> tuple[str, OwnFolds | None]:
    """A kind of folds, or the folds of a file, which lies beside this one, and their name."""
    try:
        if isinstance(lists := file.get(("folds",)), list):
            own = own_folds(listed_entries(lists, "folds"), "folds")
        else:
            kind = file.word(("folds",), KINDS[0])
            if not are_own(kind):
                check_kind(kind)
                return kind, None
            own = read_own_folds(file.beside(kind), kind)
        own.check_datasets(datasets)
        check_n_folds(own.n_folds)
    except ExperimentError as error:
        file.refuse(("folds",), str(error))
    return own.name, own


def _read_n_folds(file: TomlFile, own: OwnFolds | None) -> int:
    n_folds = file.whole_number(("n_folds",), own.n_folds if own else 10, least=LEAST_FOLDS)
    if own is not None and n_folds != own.n_folds:
        file.refuse(
            ("n_folds",),
            f"n_folds = {n_folds}, but {own.path} has {own.n_folds}; expected the same",
        )
    return n_folds


def _read_repetitions(file: TomlFile, own: OwnFolds | None) -> int:
    """Own folds may be the same in all repetitions, or others in each."""
    held = own.n_repetitions if own else 10
    repetitions = file.whole_number(("repetitions",), held, least=1)
    if own is not None and 1 < held < repetitions:
        file.refuse(
            ("repetitions",),
            f"repetitions = {repetitions}, but {own.path} has {held}; expected as many or fewer",
        )
    return repetitions
