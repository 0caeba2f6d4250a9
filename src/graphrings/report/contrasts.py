"""Every method against a chosen one, dataset by dataset, on the folds and graphs of both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import ExperimentError
from graphrings.report.statistics import PairedTest, SignTest, corrected_t_test, sign_test
from graphrings.report.tables import by_row, chosen_score, datasets_like, shown_value
from graphrings.results.record import Cell, ExperimentCard, Record
from graphrings.spelling import suggestion
from graphrings.tasks.predictions import Predictions
from graphrings.tasks.scores import Score

NEARER = 1e-9  # errors that differ by less are equal


@dataclass(frozen=True)
class ContrastEntry:
    """One method minus the reference on one dataset.

    ``folds`` tests the score over the folds that both have, ``graphs`` the errors on the graphs
    of the repetitions that both have completed; None where their predictions were not kept.
    """

    folds: PairedTest
    graphs: SignTest | None


@dataclass(frozen=True)
class ContrastRow:
    """One method minus the reference, an entry for each dataset."""

    method: str
    entries: tuple[ContrastEntry, ...]


@dataclass(frozen=True)
class Contrast:
    """Every other method minus the reference."""

    card: ExperimentCard
    score: Score
    reference: str
    datasets: tuple[str, ...]
    rows: tuple[ContrastRow, ...]


def against(
    card: ExperimentCard,
    records: Iterable[Record],
    reference: str,
    score: str | None = None,
    like: str | None = None,
) -> Contrast:
    """Hold each method of an experiment against one of them."""
    chosen = chosen_score(card, score)
    methods = [method.name for method in card.methods]
    if reference not in methods:
        raise ExperimentError(unknown("method", reference, methods))
    held = by_row(records)
    ours = {dataset.name for dataset in card.datasets}
    datasets = tuple(name for name in datasets_like(card, like) if name in ours)

    def entry(method: str, dataset: str) -> ContrastEntry:
        both = held.get((method, dataset), {}), held.get((reference, dataset), {})
        return ContrastEntry(paired(*both, chosen), paired_graphs(*both, card.n_folds))

    rows = tuple(
        ContrastRow(method, tuple(entry(method, dataset) for dataset in datasets))
        for method in methods
        if method != reference
    )
    return Contrast(card, chosen, reference, datasets, rows)


def unknown(noun: str, name: str, known: Sequence[str]) -> str:
    """One line about a name that is not there: the nearest, and all that are."""
    return f"no {noun} is called {name!r}{suggestion(name, known)}; known: {', '.join(known)}"


def paired(ours: Mapping[Cell, Record], theirs: Mapping[Cell, Record], score: Score) -> PairedTest:
    """Corrected t-test of two methods over the repetitions and folds that both have."""
    other = {(cell.repetition, cell.fold): record for cell, record in theirs.items()}
    differences, ratios = [], []
    for cell, record in sorted(ours.items(), key=lambda item: item[0]):
        match = other.get((cell.repetition, cell.fold))
        a, b = shown_value(record, score), shown_value(match, score) if match else None
        if a is not None and b is not None:
            differences.append(a - b)
            ratios.append(record.n_test / record.n_training)
    return corrected_t_test(differences, float(np.mean(ratios)) if ratios else 0.0)


def paired_graphs(
    ours: Mapping[Cell, Record], theirs: Mapping[Cell, Record], n_folds: int
) -> SignTest | None:
    """Exact test of two methods over the graphs of every repetition that both have completed."""
    mine, others = (_errors_by_repetition(records, n_folds) for records in (ours, theirs))
    counts = []
    for repetition in sorted(mine.keys() & others.keys()):
        (graphs, a), (other_graphs, b) = mine[repetition], others[repetition]
        if np.array_equal(graphs, other_graphs):
            counts.append((int((a < b - NEARER).sum()), int((a > b + NEARER).sum())))
    return sign_test(counts)


Errors = tuple[NDArray[np.int32], NDArray[np.float64]]  # the graphs, sorted, and their errors


def _errors_by_repetition(records: Mapping[Cell, Record], n_folds: int) -> dict[int, Errors]:
    folds: dict[int, list[Predictions]] = {}
    for cell, record in records.items():
        if record.test is not None:
            folds.setdefault(cell.repetition, []).append(record.test)
    return {
        repetition: _by_graph(tests) for repetition, tests in folds.items() if len(tests) == n_folds
    }


def _by_graph(tests: Sequence[Predictions]) -> Errors:
    graphs = np.concatenate([test.graphs for test in tests])
    order = np.argsort(graphs, kind="stable")
    return graphs[order], np.concatenate([test.errors for test in tests])[order]
