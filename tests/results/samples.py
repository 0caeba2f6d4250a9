"""A small experiment with two datasets and two methods, and what its cells may leave behind."""

import itertools
from dataclasses import replace
from typing import Any

from graphrings.results.record import (
    Cell,
    Curve,
    DatasetCard,
    ExperimentCard,
    Failure,
    MethodCard,
    Record,
    Scores,
    Trial,
)

WHEN = "2026-11-16T02:00:00+00:00"
CURVE = Curve((0.7, 0.1), (0.5, 1 / 3), (0.6, float("inf")), (0.5, 0.55))
SCORES = Scores(0.8, 0.75, 0.7, 0.1 + 0.2, None, ((3, 1), (0, 1)))
TRIALS = (
    Trial({"radius": 1, "rate": 0.1}, 2**80, 0.6, None, 1.5),
    Trial({"rate": 0.1, "radius": 2}, 5, 0.7, 0.5, 2.5, 2, 1, CURVE),
)


def dataset(name: str, **changes: Any) -> DatasetCard:
    """A dataset of ten graphs."""
    card = DatasetCard(
        name, "f-" + name, 10, ("a", "b"), (6, 4), 2.5, 4, 1.5, 3, 9, 1, 0.9, None, 0
    )
    return replace(card, **changes)


def method(name: str, **changes: Any) -> MethodCard:
    """A row of the table with a grid over the radius."""
    return replace(MethodCard(name, "pgc", {"rate": 0.1}, {"radius": (1, 2)}, "A paper"), **changes)


def card(**changes: Any) -> ExperimentCard:
    """The experiment: 2 datasets x 2 methods x 1 repetition x 3 folds."""
    datasets = dataset("MUTAG"), dataset("PTC")
    methods = method("PGC"), method("DGCNN")
    return replace(
        ExperimentCard("small", 7, "stratified", 3, 1, datasets, methods),
        **changes,
    )


def record(*cell: Any, **changes: Any) -> Record:
    """A finished cell."""
    where = Cell(*cell) if cell else Cell("MUTAG", "PGC", 0, 0)
    made = Record(
        where, "f-" + where.dataset, 6, 2, 2, TRIALS, 1, SCORES, 4.0, {"python": "3.11"}, WHEN
    )
    return replace(made, **changes)


def failure(*cell: Any, error: str = "the loss is NaN") -> Failure:
    """A cell that failed."""
    return Failure(Cell(*cell) if cell else Cell("MUTAG", "PGC", 0, 0), error, 1.0, WHEN)


def cells(made: ExperimentCard) -> list[Cell]:
    """All cells of an experiment."""
    return [
        Cell(d.name, m.name, repetition, fold)
        for d, m, repetition, fold in itertools.product(
            made.datasets, made.methods, range(made.repetitions), range(made.n_folds)
        )
    ]
