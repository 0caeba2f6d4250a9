"""Every method against a chosen one, dataset by dataset, over the folds that both have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graphrings.errors import ExperimentError
from graphrings.methods import suggestion
from graphrings.report.statistics import PairedTest, corrected_t_test
from graphrings.report.tables import Score, by_row, datasets_like, known_score
from graphrings.results.record import Cell, ExperimentCard, Record


@dataclass(frozen=True)
class ContrastRow:
    """One method minus the reference, a test for each dataset."""

    method: str
    tests: tuple[PairedTest, ...]


@dataclass(frozen=True)
class Contrast:
    """Every other method minus the reference, by the corrected resampled t-test."""

    card: ExperimentCard
    score: Score
    reference: str
    datasets: tuple[str, ...]
    rows: tuple[ContrastRow, ...]


def against(
    card: ExperimentCard,
    records: Iterable[Record],
    reference: str,
    score: str = "accuracy",
    like: str | None = None,
) -> Contrast:
    """Hold each method of an experiment against one of them."""
    chosen = known_score(score)
    methods = [method.name for method in card.methods]
    if reference not in methods:
        raise ExperimentError(unknown("method", reference, methods))
    held = by_row(records)
    ours = {dataset.name for dataset in card.datasets}
    datasets = tuple(name for name in datasets_like(card, like) if name in ours)

    def row(method: str) -> ContrastRow:
        pairs = ((held.get((method, d), {}), held.get((reference, d), {})) for d in datasets)
        return ContrastRow(method, tuple(paired(*pair, chosen) for pair in pairs))

    rows = tuple(row(method) for method in methods if method != reference)
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
        a, b = score.of(record), score.of(match) if match else None
        if a is not None and b is not None:
            differences.append(a - b)
            ratios.append(record.n_test / record.n_training)
    return corrected_t_test(differences, float(np.mean(ratios)) if ratios else 0.0)
