"""Records with the scores and predictions that a test says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from graphrings.results.record import (
    Cell,
    DatasetCard,
    ExperimentCard,
    Failure,
    MethodCard,
    Record,
    Trial,
)
from graphrings.tasks.predictions import Predictions


def card(
    methods: Sequence[str | MethodCard] = ("pgc-dgcnn", "dgcnn"),
    datasets: Sequence[str] = ("MUTAG",),
    repetitions: int = 2,
    n_folds: int = 2,
    untested: int = 0,
    task: str = "classification",
) -> ExperimentCard:
    """An experiment of this shape."""
    classes = ((), ()) if task == "regression" else (("0", "1"), (50, 50))
    return ExperimentCard(
        "trial",
        task,
        0,
        "stratified",
        n_folds,
        repetitions,
        tuple(
            DatasetCard(
                *(name, "f", 100, "0: 50 %, 1: 50 %", *classes),
                *(1, 1, 1, 1, 1, 0, 1.0, None, untested),
            )
            for name in datasets
        ),
        tuple(m if isinstance(m, MethodCard) else method(m) for m in methods),
    )


def method(name: str, registered: str = "", **grid: tuple[Any, ...]) -> MethodCard:
    """A row of an experiment."""
    return MethodCard(name, registered or name, {}, grid)


def record(
    cell: Cell,
    value: float,
    n_training: int = 80,
    n_test: int = 10,
    score: str = "accuracy",
    test: Predictions | None = None,
    **scores: float,
) -> Record:
    """A finished cell with this value of a score; its other scores are kept as they are given."""
    return Record(
        cell,
        "f",
        n_training,
        10,
        n_test,
        (Trial({}, 0, {score: value}, 1.0),),
        0,
        {score: value, **scores},
        test,
        None,
        1.0,
        {"graphrings": "0"},
        "2026-01-01T00:00:00+00:00",
    )


def records(
    values: Mapping[tuple[str, str], Iterable[Sequence[float | None]]], **more: Any
) -> list[Record]:
    """By method and dataset a row of folds for every repetition; None is not there yet."""
    return [
        record(Cell(dataset, name, repetition, fold), value, **more)
        for (name, dataset), repetitions in values.items()
        for repetition, folds in enumerate(repetitions)
        for fold, value in enumerate(folds)
        if value is not None
    ]


def asked(
    cell: Cell,
    truth: Sequence[float],
    predicted: Sequence[float],
    n_classes: int = 2,
    first: int = 0,
) -> Record:
    """A finished cell of these predictions, of the graphs from ``first`` on, and no score."""
    graphs = np.arange(first, first + len(truth))
    test = Predictions(graphs, np.array(truth), np.array(predicted), n_classes)
    return replace(record(cell, 0.0, n_test=len(truth), test=test), scores={})


def failure(dataset: str, name: str, repetition: int, fold: int) -> Failure:
    """A cell that failed."""
    return Failure(Cell(dataset, name, repetition, fold), "no luck", 1.0, "2026-01-01T00:00:00")
