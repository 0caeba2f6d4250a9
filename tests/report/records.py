"""Experiments that nobody ran: cards and records with plausible numbers, the same every time."""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from graphrings.results.record import (
    Cell,
    Curve,
    DatasetCard,
    ExperimentCard,
    Failure,
    MethodCard,
    Record,
    Scores,
    Setting,
    Trial,
)

VERSIONS = {"graphrings": "0.1.0", "numpy": "2.4.0", "python": "3.11.9", "torch": "2.13.0"}
SIZES = {"MUTAG": 188, "PTC": 344, "NCI1": 4110, "PROTEINS": 1113, "DD": 1178, "IMDB-M": 1500}
PAPERS = "Tran, Navarin, Sperduti: On Filter Size in Graph Convolutional Networks, SSCI 2018"


def dataset_card(name: str, n_classes: int = 2) -> DatasetCard:
    """A dataset of plausible sizes; it need not exist."""
    n_graphs = SIZES.get(name, 200)
    share = n_graphs // (n_classes + 1)
    counts = (n_graphs - share * (n_classes - 1), *[share] * (n_classes - 1))
    return DatasetCard(
        name=name,
        fingerprint=f"{zlib.crc32(name.encode()):08x}" * 8,
        n_graphs=n_graphs,
        class_names=tuple(map(str, range(n_classes))),
        class_counts=counts,
        nodes_avg=17.93,
        nodes_max=28,
        edges_avg=19.79,
        n_labels=7,
        n_distinct=n_graphs - 13,
        n_conflicting=4,
        ceiling=0.957,
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


def experiment(
    datasets: Iterable[str | DatasetCard] = ("MUTAG", "PTC"),
    methods: Iterable[MethodCard] = METHODS,
    repetitions: int = 2,
    n_folds: int = 5,
    name: str = "quick",
) -> ExperimentCard:
    """The card of an experiment."""
    cards = tuple(d if isinstance(d, DatasetCard) else dataset_card(d) for d in datasets)
    return ExperimentCard(name, 7, "stratified", n_folds, repetitions, cards, tuple(methods))


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
    """One finished cell. Later rows are a little worse, later datasets harder."""
    rng = np.random.default_rng(zlib.crc32(repr((card.name, cell)).encode()))
    skill = 0.86 - 0.02 * card.methods.index(method) - 0.05 * card.datasets.index(dataset)
    trials = tuple(trial(setting, skill, epochs, rng) for setting in settings(method))
    n_test = dataset.n_graphs // card.n_folds
    chosen = max(range(len(trials)), key=lambda i: trials[i].accuracy)
    return Record(
        cell=cell,
        fingerprint=dataset.fingerprint,
        n_training=dataset.n_graphs - 2 * n_test,
        n_validation=n_test,
        n_test=n_test,
        trials=trials,
        chosen=chosen,
        test=scores(dataset, n_test, skill, rng),
        seconds=sum(t.seconds for t in trials),
        versions=VERSIONS,
        finished="2026-11-16T02:00:00+00:00",
    )


def settings(method: MethodCard) -> list[Setting]:
    """Every setting of the grid."""
    values = itertools.product(*method.grid.values())
    return [dict(method.settings) | dict(zip(method.grid, row, strict=True)) for row in values]


def trial(setting: Setting, skill: float, epochs: int, rng: np.random.Generator) -> Trial:
    """A fit; methods that are called a baseline are not trained by epochs."""
    bonus = 0.01 * setting.get("radius", 0)
    accuracy = float(np.clip(rng.normal(skill + bonus, 0.03), 0, 1))
    seconds = float(rng.uniform(2, 4) * (1 + setting.get("radius", 0)))
    fit = Trial(setting, int(rng.integers(2**31)), accuracy, 0.5, seconds)
    if "regularisation" in setting or not epochs:
        return fit
    n = int(epochs * rng.uniform(0.6, 1))
    time = np.arange(n)
    train = 0.69 * np.exp(-time / 20) + rng.normal(0, 0.01, n)
    validation = 0.3 + 0.4 * np.exp(-time / 12) + 0.002 * time + rng.normal(0, 0.02, n)
    curve = Curve(*(tuple(map(float, c)) for c in (train, 1 - train, validation, 1 - validation)))
    return replace(fit, epochs=n, best_epoch=int(validation.argmin()), curve=curve)


def scores(dataset: DatasetCard, n: int, skill: float, rng: np.random.Generator) -> Scores:
    """Test scores of about this skill, whose confusion counts add up."""
    shares = np.array(dataset.class_counts) / dataset.n_graphs
    targets = rng.choice(len(shares), n, p=shares)
    wrong = (targets + rng.integers(1, max(2, len(shares)), n)) % len(shares)
    guesses = np.where(rng.random(n) < skill, targets, wrong)
    confusion = np.zeros((len(shares), len(shares)), int)
    np.add.at(confusion, (targets, guesses), 1)
    accuracy = float((targets == guesses).mean())
    auroc = accuracy if len(shares) == 2 else None
    counts = tuple(tuple(map(int, row)) for row in confusion)
    return Scores(accuracy, accuracy - 0.02, accuracy - 0.03, 0.5, auroc, counts)


def failure(cell: Cell, error: str = "the loss is no longer a number") -> Failure:
    """A cell that could not be finished."""
    return Failure(cell, error, 1.5, "2026-11-16T02:00:00+00:00")
