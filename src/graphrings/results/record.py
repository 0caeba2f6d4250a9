"""What is known of one cell: one method on one test fold, with all that led to it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

from graphrings.errors import SettingError
from graphrings.spelling import unknown
from graphrings.tasks.predictions import Predictions

Setting = Mapping[str, Any]  # name of a setting -> its value, as TOML and JSON know it
HALVING = "halving"  # among a row's settings: the epochs of the first round of successive halving
PROCESSOR = "processor"  # among the versions of a record; records of older stores do not have it
REFIT = "refit"  # among a row's settings: the winner is fitted on the validation graphs as well


class Cell(NamedTuple):
    """One method, chosen and fitted without one test fold and then tested on it."""

    dataset: str
    method: str  # the row of the table; two rows may be the same method with other settings
    repetition: int
    fold: int

    def __str__(self) -> str:
        return (
            f"{self.method} on {self.dataset}, "
            f"repetition {self.repetition + 1}, fold {self.fold + 1}"
        )


@dataclass(frozen=True)
class Curve:
    """Loss and score of every epoch of a training; the task says which score that is."""

    train_loss: tuple[float, ...]
    train_score: tuple[float, ...]
    validation_loss: tuple[float, ...]
    validation_score: tuple[float, ...]


@dataclass(frozen=True)
class Trial:
    """One setting of the grid, fitted on the training graphs and compared on the validation fold.

    ``scores`` are those on the validation fold, by name. ``epochs``, ``best_epoch`` (counted from
    0) and ``curve`` are None where nothing is trained by epochs.
    """

    setting: Setting
    seed: int
    scores: Mapping[str, float]
    seconds: float
    epochs: int | None = None
    best_epoch: int | None = None
    curve: Curve | None = None


@dataclass(frozen=True)
class Record:
    """A finished cell. ``trials[chosen]`` is the setting that won and was tested, once.

    ``scores`` are those of the test fold, by name. ``test`` and ``validation`` are what the winner
    said of every graph of either fold; None in cells that were run before this was kept.
    """

    cell: Cell
    fingerprint: str  # of the dataset
    n_training: int
    n_validation: int
    n_test: int
    trials: tuple[Trial, ...]
    chosen: int
    scores: Mapping[str, float]
    test: Predictions | None
    validation: Predictions | None
    seconds: float
    versions: Mapping[str, str]
    finished: str  # UTC, ISO 8601

    @property
    def setting(self) -> Setting:
        """The setting that won."""
        return self.trials[self.chosen].setting


@dataclass(frozen=True)
class Failure:
    """A cell that could not be finished, and why, in one line."""

    cell: Cell
    error: str
    seconds: float
    finished: str


@dataclass(frozen=True)
class DatasetCard:
    """What a report says of a dataset without opening it again.

    ``targets`` describes them in a few words; where they are values there are no classes.
    ``ceiling`` is the best main score of the task that a method can have which treats twins alike:
    the highest accuracy, the lowest RMSE.
    """

    name: str
    fingerprint: str
    n_graphs: int
    targets: str
    class_names: tuple[str, ...]
    class_counts: tuple[int, ...]
    nodes_avg: float
    nodes_max: int
    edges_avg: float
    n_labels: int
    n_distinct: int
    n_conflicting: int
    ceiling: float
    twin_share: float | None  # of the test graphs of the first repetition, with a twin in training
    n_untested: int  # graphs that no test fold of a repetition holds


@dataclass(frozen=True)
class MethodCard:
    """A row of the table: the registered method behind it, its fixed settings, its grid.

    ``revision`` counts how often a method has been changed such that its numbers are others.
    """

    name: str
    method: str
    settings: Setting
    grid: Mapping[str, tuple[Any, ...]]
    citation: str = ""
    revision: int = 1


@dataclass(frozen=True)
class ExperimentCard:
    """What a store knows of an experiment.

    ``task``, ``seed``, ``folds`` and ``n_folds`` and, by name, the datasets' fingerprints and the
    methods' settings say what a cell means: they never change under one name. ``repetitions`` may
    grow.
    """

    name: str
    task: str  # a name from TASKS; all datasets of an experiment set the same
    seed: int
    folds: str  # a kind, such as stratified, or own: and a hash of folds drawn elsewhere
    n_folds: int
    repetitions: int
    datasets: tuple[DatasetCard, ...]
    methods: tuple[MethodCard, ...]

    @property
    def n_cells(self) -> int:
        """How many cells the whole experiment has."""
        return self.repetitions * self.n_folds * len(self.datasets) * len(self.methods)

    def part(self, datasets: Collection[str] = (), methods: Collection[str] = ()) -> Self:
        """Some datasets and rows, in this order; none of a kind means all of it."""
        sets = {card.name: card for card in self.datasets}
        rows = {card.name: card for card in self.methods}
        for what, wanted, known in (
            ("dataset", datasets, list(sets)),
            ("method", methods, list(rows)),
        ):
            if mistake := unknown(self.name, what, wanted, known):
                raise SettingError(mistake)
        return replace(
            self,
            datasets=tuple(sets[name] for name in dict.fromkeys(datasets or sets)),
            methods=tuple(rows[name] for name in dict.fromkeys(methods or rows)),
        )

    def has(self, cell: Cell) -> bool:
        """Whether a cell is one of its datasets and rows."""
        in_sets = any(card.name == cell.dataset for card in self.datasets)
        return in_sets and any(card.name == cell.method for card in self.methods)
