"""A small experiment with two datasets and two methods, and what its cells may leave behind."""

import itertools
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from hypothesis import strategies as st

from graphrings.results.record import (
    Cell,
    Curve,
    DatasetCard,
    ExperimentCard,
    Failure,
    MethodCard,
    Record,
    Trial,
)
from graphrings.tasks.predictions import Predictions

WHEN = "2026-11-16T02:00:00+00:00"
CURVE = Curve((0.7, 0.1), (0.5, 1 / 3), (0.6, float("inf")), (0.5, 0.55))
SCORES = {"accuracy": 0.5, "macro_f1": 0.7, "log_loss": 0.1 + 0.2}
TRIALS = (
    Trial({"radius": 1, "rate": 0.1}, 2**80, {"accuracy": 0.6}, 1.5),
    Trial({"rate": 0.1, "radius": 2}, 5, {"accuracy": 0.7, "log_loss": 0.5}, 2.5, 2, 1, CURVE),
)
TEST = Predictions(
    np.array([3, 8]), np.array([0, 1]), np.array([1, 1]), 2, np.array([[0.1, 0.9], [0.3, 0.7]])
)
VALIDATION = Predictions(
    np.array([0, 5]), np.array([1, 0]), np.array([1, 0]), 2, margin=np.array([2.5, -1])
)


@st.composite
def predictions(draw: st.DrawFn, n_classes: int | None = None) -> Predictions:
    """Any predictions: of two or more classes, or of values."""
    n = draw(st.integers(0, 5))
    if n_classes is None:
        n_classes = draw(st.sampled_from([0, 2, 3, 300]))
    some = partial(st.lists, min_size=n, max_size=n)
    targets = st.integers(0, n_classes - 1) if n_classes else st.floats(allow_nan=False)
    single = st.floats(width=32, allow_nan=False)
    rows = st.lists(single, min_size=n_classes, max_size=n_classes)
    extra = draw(st.sampled_from(["probabilities", "margin", ""])) if n_classes == 2 else ""
    return Predictions(
        np.array(draw(some(st.integers(0, 2**31 - 1)))),
        np.array(draw(some(targets))),
        np.array(draw(some(targets))),
        n_classes,
        np.array(draw(some(rows))).reshape(n, 2) if extra == "probabilities" else None,
        np.array(draw(some(single))) if extra == "margin" else None,
    )


def dataset(name: str, **changes: Any) -> DatasetCard:
    """A dataset of ten graphs."""
    card = DatasetCard(
        name,
        "f-" + name,
        10,
        "a: 60 %, b: 40 %",
        ("a", "b"),
        (6, 4),
        2.5,
        4,
        1.5,
        3,
        9,
        1,
        0.9,
        None,
        0,
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
        ExperimentCard("small", "classification", 7, "stratified", 3, 1, datasets, methods),
        **changes,
    )


def record(*cell: Any, **changes: Any) -> Record:
    """A finished cell."""
    where = Cell(*cell) if cell else Cell("MUTAG", "PGC", 0, 0)
    made = Record(
        cell=where,
        fingerprint="f-" + where.dataset,
        n_training=6,
        n_validation=2,
        n_test=2,
        trials=TRIALS,
        chosen=1,
        scores=SCORES,
        test=TEST,
        validation=VALIDATION,
        seconds=4.0,
        versions={"python": "3.11"},
        finished=WHEN,
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
