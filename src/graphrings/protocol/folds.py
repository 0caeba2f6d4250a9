"""One repetition's folds: which graphs train, which validate, which test."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphrings.distances.audit import twin_groups
from graphrings.errors import ExperimentError
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.scaffolds import scaffold_groups
from graphrings.results.fold_kinds import FOLD_KINDS
from graphrings.spelling import suggestion
from graphrings.tasks import CLASSIFICATION, Task

Numbers = NDArray[np.int64]
LEAST_FOLDS = 3


KINDS = tuple(FOLD_KINDS)
GROUPINGS: Mapping[str, Callable[[Dataset], NDArray[Any]]] = {
    "grouped": twin_groups,
    "scaffold": scaffold_groups,
}


class Split(NamedTuple):
    """Graph numbers, ascending: to fit on, to choose and stop by, to test once."""

    training: Numbers
    validation: Numbers
    test: Numbers


def splits(
    dataset: Dataset,
    kind: str,
    n_folds: int,
    seed: int,
    groups: NDArray[Any] | None = None,
    task: Task = CLASSIFICATION,
) -> list[Split]:
    """The splits of one repetition, whose seed this is; split f tests fold f.

    ``stratified``: every stratum of the task, such as a class, is spread evenly. ``published``: the
    folds that came with the data, in every repetition the same. ``grouped`` and ``scaffold``: like
    stratified, but graphs of one group stay together, by default those that ``twin_groups`` cannot
    tell apart, or those with one scaffold. The next fold validates.
    """
    check_kind(kind)
    check_n_folds(n_folds)
    strata = _strata(dataset, n_folds, task)
    if kind == "published":
        drawn = _published(dataset, n_folds)
    else:
        _check_sizes(dataset, strata, n_folds, task)
        groups = _groups(dataset, n_folds, groups, kind) if kind in GROUPINGS else None
        drawn = _drawn(strata, n_folds, seed, groups)
    return _checked(dataset, strata, kind, drawn, task)


def given_splits(
    dataset: Dataset, tests: Sequence[Numbers], task: Task = CLASSIFICATION
) -> list[Split]:
    """The splits of folds that somebody else has drawn; the next fold validates here too."""
    check_n_folds(len(tests))
    strata = _strata(dataset, len(tests), task)
    return _checked(dataset, strata, "own", _in_turn(tests, len(dataset)), task)


def grouping_of(kind: str, dataset: Dataset) -> NDArray[Any] | None:
    """The group of every graph; None where folds of this kind know no groups."""
    return GROUPINGS[kind](dataset) if kind in GROUPINGS else None


def check_kind(kind: str) -> None:
    """Refuse a kind of folds that does not exist."""
    if kind not in KINDS:
        raise ExperimentError(
            f"folds = {kind!r}; expected {', '.join(KINDS)}, or a path that ends in .csv or .json"
            f"{suggestion(kind, KINDS)}"
        )


def check_n_folds(n_folds: int) -> None:
    """Refuse too few folds to test, validate and train."""
    if n_folds < LEAST_FOLDS:
        raise ExperimentError(
            f"n_folds = {n_folds}; expected at least {LEAST_FOLDS}: "
            "one fold to test, one to validate, one to train"
        )


def _drawn(strata: Numbers, n_folds: int, seed: int, groups: NDArray[Any] | None) -> list[Split]:
    from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

    kind = StratifiedKFold if groups is None else StratifiedGroupKFold
    folds = kind(n_folds, shuffle=True, random_state=seed)
    tests = [np.sort(test) for _, test in folds.split(strata, strata, groups)]
    return _in_turn(tests, len(strata))


def _in_turn(tests: Sequence[Numbers], n_graphs: int) -> list[Split]:
    """Every fold tests once, the next one validates, the others train."""
    everything = np.arange(n_graphs)
    return [
        Split(np.setdiff1d(everything, np.concatenate([test, validation])), validation, test)
        for test, validation in zip(tests, [*tests[1:], tests[0]], strict=True)
    ]


def _groups(dataset: Dataset, n_folds: int, groups: NDArray[Any] | None, kind: str) -> NDArray[Any]:
    groups = GROUPINGS[kind](dataset) if groups is None else groups
    if (n_groups := len(np.unique(groups))) < n_folds:
        raise ExperimentError(
            f"{dataset.name}: {n_groups} {FOLD_KINDS[kind].counted}, fewer than the "
            f"{n_folds} folds; expected at least one per fold"
        )
    return groups


def _strata(dataset: Dataset, n_folds: int, task: Task) -> Numbers:
    strata = task.strata(task.numbers(dataset), n_folds)
    if task.trains_every_stratum:
        _check_two_strata(dataset, strata, task)
    return strata


def _checked(
    dataset: Dataset, strata: Numbers, kind: str, drawn: list[Split], task: Task
) -> list[Split]:
    """The same splits, if every part of each can be used."""
    for fold, split in enumerate(drawn):
        _check_parts(dataset, kind, fold, split)
        if task.trains_every_stratum:
            _check_training(dataset, strata, kind, fold, split, task)
    return drawn


def _published(dataset: Dataset, n_folds: int) -> list[Split]:
    """What is published need not be clean: a graph that is tested neither trains nor validates."""
    folds = dataset.folds
    if not folds:
        raise ExperimentError(
            f"{dataset.name}: no published folds in the data; the DGCNN text archives carry them "
            "(MUTAG by name is the bundled TU order without folds: name the archive by its path)"
        )
    if len(folds) != n_folds:
        raise ExperimentError(
            f"{dataset.name}: {len(folds)} published folds, but n_folds = {n_folds}; "
            f"expected n_folds = {len(folds)}"
        )
    published = []
    for fold, following in zip(folds, folds[1:] + folds[:1], strict=True):
        validation = np.setdiff1d(following.test, fold.test)
        training = np.setdiff1d(fold.train, np.concatenate([fold.test, validation]))
        published.append(
            Split(*(np.unique(a).astype(np.int64) for a in (training, validation, fold.test)))
        )
    return published


def _check_two_strata(dataset: Dataset, strata: Numbers, task: Task) -> None:
    present = np.unique(strata)
    if len(present) < 2:
        names = [task.stratum_name(dataset, int(stratum)) for stratum in present]
        known = f"all graphs are of {names[0]}" if names else "no graphs"
        raise ExperimentError(f"{dataset.name}: {known}; expected at least two classes")


def _check_sizes(dataset: Dataset, strata: Numbers, n_folds: int, task: Task) -> None:
    present, counts = np.unique(strata, return_counts=True)
    smallest = int(counts.argmin())
    if (count := int(counts[smallest])) < n_folds:
        graphs = "graph" if count == 1 else "graphs"
        name = task.stratum_name(dataset, int(present[smallest]))
        raise ExperimentError(
            f"{dataset.name}: {name} has {count} {graphs}, fewer than the {n_folds} folds; "
            "expected at least one per fold"
        )


def _check_parts(dataset: Dataset, kind: str, fold: int, split: Split) -> None:
    for part, graphs in zip(("train on", "validate on", "test"), split, strict=True):
        if len(graphs) == 0:
            raise ExperimentError(
                f"{dataset.name}: fold {fold + 1} of the {kind} folds has no graphs to {part}; "
                "expected fewer folds"
            )


def _check_training(
    dataset: Dataset, strata: Numbers, kind: str, fold: int, split: Split, task: Task
) -> None:
    missing = np.setdiff1d(strata, strata[split.training])
    if len(missing):
        why = f" ({FOLD_KINDS[kind].alike})" if kind in GROUPINGS else ""
        raise ExperimentError(
            f"{dataset.name}: fold {fold + 1} of the {kind} folds leaves no graph of "
            f"{task.stratum_name(dataset, int(missing[0]))} to train on{why}; "
            "expected fewer or stratified folds"
        )
