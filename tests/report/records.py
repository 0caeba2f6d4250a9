"""Experiments that nobody ran: cards and records with plausible numbers, the same every time."""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from graphrings.results.record import (
    Cell,
    Curve,
    DatasetCard,
    ExperimentCard,
    Failure,
    MethodCard,
    Record,
    Setting,
    Trial,
)
from graphrings.tasks.predictions import Predictions
from graphrings.tasks.scores import score_predictions

VERSIONS = {"graphrings": "0.1.0", "numpy": "2.4.0", "python": "3.11.9", "torch": "2.13.0"}
SIZES = {"MUTAG": 188, "PTC": 344, "NCI1": 4110, "PROTEINS": 1113, "DD": 1178, "IMDB-M": 1500}
PAPERS = "Tran, Navarin, Sperduti: On Filter Size in Graph Convolutional Networks, SSCI 2018"


def dataset_card(name: str, n_classes: int = 2) -> DatasetCard:
    """A dataset of plausible sizes; it need not exist. Without classes its targets are values."""
    n_graphs = SIZES.get(name, 200)
    share = n_graphs // (n_classes + 1)
    counts = (n_graphs - share * (n_classes - 1), *[share] * (n_classes - 1)) if n_classes else ()
    shares = ", ".join(f"{i}: {100 * n / n_graphs:.0f} %" for i, n in enumerate(counts))
    return DatasetCard(
        name=name,
        fingerprint=f"{zlib.crc32(name.encode()):08x}" * 8,
        n_graphs=n_graphs,
        targets=shares or "-11.6 to 1.58, median -2.86",
        class_names=tuple(map(str, range(n_classes))),
        class_counts=counts,
        nodes_avg=17.93,
        nodes_max=28,
        edges_avg=19.79,
        n_labels=7,
        n_distinct=n_graphs - 13,
        n_conflicting=4,
        ceiling=0.957 if n_classes else 0.12,
        twin_share=0.105,
        n_untested=0,
    )


def method_card(name: str, method: str = "", **grid: tuple[object, ...]) -> MethodCard:
    """A row; without a method of its own it is called as its method is."""
    return MethodCard(name, method or name, {"learning_rate": 1e-3}, grid, PAPERS)


METHODS = (
    method_card("pgc-dgcnn", radius=(1, 2, 3)),
    method_card("dgcnn"),
    method_card("baseline-labels", regularisation=(0.1, 1.0)),
)


KEPT: dict[str, Record] = {}


def experiment(
    datasets: Iterable[str | DatasetCard] = ("MUTAG", "PTC"),
    methods: Iterable[MethodCard] = METHODS,
    repetitions: int = 2,
    n_folds: int = 5,
    name: str = "quick",
    task: str = "classification",
) -> ExperimentCard:
    """The card of an experiment."""
    n_classes = 2 if task == "classification" else 0
    cards = tuple(d if isinstance(d, DatasetCard) else dataset_card(d, n_classes) for d in datasets)
    return ExperimentCard(name, task, 7, "stratified", n_folds, repetitions, cards, tuple(methods))


def records(card: ExperimentCard, epochs: int = 40) -> list[Record]:
    """A record for every cell of the experiment."""
    ranges = range(card.repetitions), range(card.n_folds)
    return [
        record(card, dataset, method, Cell(dataset.name, method.name, repetition, fold), epochs)
        for dataset in card.datasets
        for method in card.methods
        for repetition, fold in itertools.product(*ranges)
    ]


def record(
    card: ExperimentCard, dataset: DatasetCard, method: MethodCard, cell: Cell, epochs: int
) -> Record:
    """One finished cell, made once for all tests that want the same: scores take a while."""
    made_from = repr((card, dataset, method, cell, epochs))
    if made_from not in KEPT:
        KEPT[made_from] = new_record(card, dataset, method, cell, epochs)
    return KEPT[made_from]


def new_record(
    card: ExperimentCard, dataset: DatasetCard, method: MethodCard, cell: Cell, epochs: int
) -> Record:
    """Later rows are a little worse, later datasets harder."""
    rng = np.random.default_rng(zlib.crc32(repr((card.name, cell)).encode()))
    skill = 0.86 - 0.02 * card.methods.index(method) - 0.05 * card.datasets.index(dataset)
    trials = tuple(trial(card.task, setting, skill, epochs, rng) for setting in settings(method))
    test, validation = (
        predictions(dataset, fold_graphs(card, dataset, cell, step), skill, rng) for step in (0, 1)
    )
    main, sign = ("accuracy", 1) if card.task == "classification" else ("rmse", -1)
    return Record(
        cell=cell,
        fingerprint=dataset.fingerprint,
        n_training=dataset.n_graphs - len(test) - len(validation),
        n_validation=len(validation),
        n_test=len(test),
        trials=trials,
        chosen=max(range(len(trials)), key=lambda i: sign * trials[i].scores[main]),
        scores=score_predictions(test, card.task),
        test=test,
        validation=validation,
        seconds=sum(t.seconds for t in trials),
        versions=VERSIONS,
        finished="2026-11-16T02:00:00+00:00",
    )


def fold_graphs(
    card: ExperimentCard, dataset: DatasetCard, cell: Cell, step: int
) -> NDArray[np.int64]:
    """The graphs of the fold that is so many steps further; the same for all methods."""
    order = np.random.default_rng(cell.repetition).permutation(dataset.n_graphs)
    return np.sort(order[(cell.fold + step) % card.n_folds :: card.n_folds])


def settings(method: MethodCard) -> list[Setting]:
    """Every setting of the grid."""
    values = itertools.product(*method.grid.values())
    return [dict(method.settings) | dict(zip(method.grid, row, strict=True)) for row in values]


def trial(
    task: str, setting: Setting, skill: float, epochs: int, rng: np.random.Generator
) -> Trial:
    """A fit; methods that are called a baseline are not trained by epochs."""
    bonus = 0.01 * setting.get("radius", 0)
    share = float(np.clip(rng.normal(skill + bonus, 0.03), 0, 1))
    classes, values = {"accuracy": share, "log_loss": 0.5}, {"rmse": 2 - share, "mae": 1 - share}
    seconds = float(rng.uniform(2, 4) * (1 + setting.get("radius", 0)))
    scores = classes if task == "classification" else values
    fit = Trial(setting, int(rng.integers(2**31)), scores, seconds)
    if "regularisation" in setting or not epochs:
        return fit
    n = int(epochs * rng.uniform(0.6, 1))
    time = np.arange(n)
    train = 0.69 * np.exp(-time / 20) + rng.normal(0, 0.01, n)
    validation = 0.3 + 0.4 * np.exp(-time / 12) + 0.002 * time + rng.normal(0, 0.02, n)
    curve = Curve(*(tuple(map(float, c)) for c in (train, 1 - train, validation, 1 - validation)))
    return replace(fit, epochs=n, best_epoch=int(validation.argmin()), curve=curve)


def predictions(
    dataset: DatasetCard, graphs: NDArray[np.int64], skill: float, rng: np.random.Generator
) -> Predictions:
    """Predictions of about this skill; every 29th graph misleads all methods."""
    misleading = graphs % 29 == 0
    truths = np.random.default_rng(zlib.crc32(dataset.fingerprint.encode()))
    if not dataset.class_counts:
        values = truths.normal(-3, 2, dataset.n_graphs)[graphs]
        errors = rng.normal(0, 1.5 - skill, len(graphs)) + 4 * misleading
        return Predictions(graphs, values, values + errors)
    n_classes = len(dataset.class_counts)
    every = np.repeat(np.arange(n_classes), dataset.class_counts)
    classes = truths.permutation(every)[graphs]
    right = (rng.random(len(graphs)) < skill) & ~misleading
    predicted = np.where(right, classes, (classes + 1) % n_classes)
    rows = rng.uniform(0.0, 0.4, (len(graphs), n_classes))
    rows[np.arange(len(graphs)), predicted] = rng.uniform(0.5, 3.0, len(graphs))
    rows /= rows.sum(axis=1, keepdims=True)
    return Predictions(graphs, classes, predicted, n_classes, rows)


def without_predictions(held: Iterable[Record]) -> list[Record]:
    """The same records as they were kept in earlier days."""
    return [replace(record, test=None, validation=None) for record in held]


def failure(cell: Cell, error: str = "the loss is no longer a number") -> Failure:
    """A cell that could not be finished."""
    return Failure(cell, error, 1.5, "2026-11-16T02:00:00+00:00")
