"""The methods over all datasets: average ranks, and which of them can be told apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphrings.report import statistics
from graphrings.report.statistics import Floats, Friedman, SignedRanks
from graphrings.report.tables import Comparison, Row
from graphrings.tasks.scores import Score

Cliques = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Tests:
    """What the tests over datasets say; cliques are numbers of methods that are not told apart.

    ``critical_difference`` and the cliques are Nemenyi's, ``pairs`` are Wilcoxon's tests with
    Holm's correction. Two methods have no test of Friedman: Wilcoxon's is for them.
    """

    alpha: float
    friedman: Friedman | None
    critical_difference: float
    cliques: Cliques
    pairs: tuple[SignedRanks, ...]


@dataclass(frozen=True)
class Ranking:
    """The methods, best average rank first; ``ranks[i][j]`` is that of method i on dataset j.

    ``tests`` is None with fewer than two methods or without a dataset that all have completed.
    """

    score: Score
    datasets: tuple[str, ...]
    methods: tuple[str, ...]
    ranks: tuple[tuple[float, ...], ...]
    average: tuple[float, ...]
    tests: Tests | None
    notes: tuple[str, ...]


def rank(comparison: Comparison, alpha: float = statistics.ALPHA) -> Ranking:
    """Rank the methods over the datasets that all of them have completed."""
    rows = [row for row in comparison.rows if any(entry.complete for entry in row.entries)]
    columns = _completed(rows)
    notes = _left_out(comparison, rows, columns)
    if len(rows) < 2 or not columns:
        notes.append("nothing to rank: it takes two methods and a dataset that both completed")
        return Ranking(comparison.score, (), (), (), (), None, tuple(notes))
    scores = np.array([[row.entries[j].mean for row in rows] for j in columns], dtype=float)
    ranked = statistics.ranks(scores, comparison.score.lower_is_better)
    order = np.argsort(ranked.mean(axis=0), kind="stable")
    scores, ranked = scores[:, order], ranked[:, order]
    tests = tested(scores, ranked, alpha)
    n = len(scores)
    notes += [
        statistics.few_datasets_note(n),
        tests.friedman.note if tests.friedman else "",
        statistics.wilcoxon_note(n, len(tests.pairs), alpha),
    ]
    return Ranking(
        comparison.score,
        tuple(comparison.datasets[j] for j in columns),
        tuple(rows[i].title for i in order),
        tuple(tuple(map(float, row)) for row in ranked.T),
        tuple(map(float, ranked.mean(axis=0))),
        tests,
        tuple(filter(None, notes)),
    )


def tested(scores: Floats, ranked: Floats, alpha: float) -> Tests:
    """Every test of a table of scores and ranks, a row per dataset."""
    n, k = ranked.shape
    average = ranked.mean(axis=0)
    difference = statistics.critical_difference(k, n, alpha)
    return Tests(
        alpha,
        statistics.friedman(ranked) if k > 2 else None,
        difference,
        statistics.cliques(average, statistics.alike_by_nemenyi(average, difference)),
        statistics.wilcoxon_holm(scores),
    )


def _completed(rows: list[Row]) -> list[int]:
    """The columns that are complete in every row."""
    width = len(rows[0].entries) if rows else 0
    return [j for j in range(width) if all(row.entries[j].complete for row in rows)]


def _left_out(comparison: Comparison, rows: list[Row], columns: list[int]) -> list[str]:
    """Which methods and datasets are not ranked."""
    notes = []
    methods = [row.method for row in comparison.rows if row.method and row not in rows]
    if methods:
        notes.append(f"not ranked, no dataset is complete: {', '.join(methods)}")
    datasets = [name for j, name in enumerate(comparison.datasets) if j not in columns]
    if datasets and rows:
        notes.append(f"left out, not complete for every method: {', '.join(datasets)}")
    return notes
