"""Records with the accuracies that a test says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from graphrings.results.record import (
    Cell,
    DatasetCard,
    ExperimentCard,
    Failure,
    MethodCard,
    Record,
    Scores,
    Trial,
)


def card(
    methods: Sequence[str | MethodCard] = ("pgc-dgcnn", "dgcnn"),
    datasets: Sequence[str] = ("MUTAG",),
    repetitions: int = 2,
    n_folds: int = 2,
    untested: int = 0,
) -> ExperimentCard:
    """An experiment of this shape."""
    return ExperimentCard(
        "trial",
        0,
        "stratified",
        n_folds,
        repetitions,
        tuple(
            DatasetCard(name, "f", 100, ("0", "1"), (50, 50), 1, 1, 1, 1, 1, 0, 1.0, None, untested)
            for name in datasets
        ),
        tuple(m if isinstance(m, MethodCard) else method(m) for m in methods),
    )


def method(name: str, registered: str = "", **grid: tuple[Any, ...]) -> MethodCard:
    """A row of an experiment."""
    return MethodCard(name, registered or name, {}, grid)


def record(
    cell: Cell, accuracy: float, n_training: int = 80, n_test: int = 10, **scores: Any
) -> Record:
    """A finished cell with this accuracy."""
    known = {"balanced_accuracy": accuracy, "macro_f1": accuracy, "log_loss": 1.0, "auroc": None}
    return Record(
        cell,
        "f",
        n_training,
        10,
        n_test,
        (Trial({}, 0, accuracy, 1.0, 1.0),),
        0,
        Scores(accuracy=accuracy, confusion=((5, 0), (0, 5)), **(known | scores)),
        1.0,
        {"graphrings": "0"},
        "2026-01-01T00:00:00+00:00",
    )


def records(
    accuracies: Mapping[tuple[str, str], Iterable[Sequence[float | None]]], **more: Any
) -> list[Record]:
    """By method and dataset a row of folds for every repetition; None is not there yet."""
    return [
        record(Cell(dataset, name, repetition, fold), accuracy, **more)
        for (name, dataset), repetitions in accuracies.items()
        for repetition, folds in enumerate(repetitions)
        for fold, accuracy in enumerate(folds)
        if accuracy is not None
    ]


def failure(dataset: str, name: str, repetition: int, fold: int) -> Failure:
    """A cell that failed."""
    return Failure(Cell(dataset, name, repetition, fold), "no luck", 1.0, "2026-01-01T00:00:00")
