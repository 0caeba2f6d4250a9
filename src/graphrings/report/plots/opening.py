"""The picture that a page opens with: all methods on a dataset, beside what they have to beat."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graphrings.report.plots.rows import PAPER, Chart, ChartRow, Mark, Upright
from graphrings.report.tables import Comparison, Entry, Row
from graphrings.report.words import amount, plain, titled
from graphrings.report.yardsticks import without_a_model
from graphrings.results.record import DatasetCard, Record
from graphrings.tasks import TASKS
from graphrings.tasks.scores import Score


def opening_charts(
    comparison: Comparison, records: Sequence[Record], *, aligned: bool = False
) -> tuple[Chart, ...]:
    """A chart for every dataset on which something was measured.

    Those that are ``aligned`` have the same rows, also where nothing is to be shown.
    """
    cards = {dataset.name: dataset for dataset in comparison.card.datasets}
    rows = best_first(comparison)
    charts = []
    for j, name in enumerate(comparison.datasets):
        n_folds = comparison.card.n_folds
        means = [row.entries[j].mean for row in rows]
        drawn = (_row(row, row.entries[j], name, comparison.score, n_folds, means) for row in rows)
        shown = tuple(row for row in drawn if row.marks or aligned)
        if name in cards and any(row.shown for row in shown):
            charts.append(_chart(comparison, cards[name], shown, records))
    return tuple(charts)


def best_first(comparison: Comparison) -> list[Row]:
    """The rows with something to show, in the order of how many others are ahead of them.

    That is a share of a dataset's rows, averaged over the datasets; where a row has no mean, half
    of them count as ahead.
    """
    rows = [row for row in comparison.rows if any(e.mean is not None for e in row.entries)]
    means = [[np.nan if e.mean is None else e.mean for e in row.entries] for row in rows]
    table = np.array(means, dtype=float).reshape(len(rows), len(comparison.datasets))
    signed = table if comparison.score.lower_is_better else -table
    n_known = np.maximum(1, np.isfinite(signed).sum(axis=0))
    ahead = [(signed < row).sum(axis=0) / n_known for row in signed]
    shares = np.where(np.isfinite(signed), np.array(ahead).reshape(signed.shape), 0.5)
    return [rows[i] for i in np.argsort(shares.mean(axis=1), kind="stable")]


def _chart(
    comparison: Comparison,
    dataset: DatasetCard,
    rows: tuple[ChartRow, ...],
    records: Sequence[Record],
) -> Chart:
    score = comparison.score
    lines = uprights(comparison, dataset, records)
    told = "; ".join(f"{row.name} {row.shown}" for row in rows if row.shown)
    beside = "".join(f"; {one.name}" for one in lines)
    return Chart(
        dataset.name,
        rows,
        f"{comparison.fold} {titled(score)}",
        f"Mean {comparison.fold} {titled(score)} on {dataset.name}: {told}{beside}",
        lines,
        score.shown_limits,
    )


def _row(
    row: Row,
    entry: Entry,
    dataset: str,
    score: Score,
    n_folds: int,
    means: Sequence[float | None],
) -> ChartRow:
    marks = []
    if entry.mean is not None:
        kind = "best" if entry.best else "" if entry.complete else "partial"
        words = _words(row, entry, dataset, score)
        firm = entry.n_folds >= n_folds
        marks.append(Mark(entry.mean, words, kind, entry.interval, firm))
    if entry.published and entry.published.mean is not None:
        printed = plain(score, entry.published.mean)
        words = f"{row.published.name if row.published else row.title} in the paper: {printed}"
        marks.append(Mark(entry.published.mean, f"{words} on {dataset}", PAPER))
    shown = "" if entry.mean is None else plain(score, entry.mean, *means)
    return ChartRow(row.title, shown, tuple(marks), entry.best)


def _words(row: Row, entry: Entry, dataset: str, score: Score) -> str:
    assert entry.mean is not None
    words = f"{row.title} on {dataset}: {amount(score, entry.mean)}"
    if entry.interval is not None:
        low, high = np.clip(entry.interval, *score.shown_limits)
        words += f", 95 % interval {plain(score, low)} to {plain(score, high)}"
    of = f" of {entry.n_expected}" if not entry.complete else ""
    return f"{words}, {entry.n_folds}{of} folds"


def uprights(
    comparison: Comparison, dataset: DatasetCard, records: Sequence[Record]
) -> tuple[Upright, ...]:
    """What the methods have to beat, and, for the main score, what they cannot pass."""
    score, lines = comparison.score, []
    if score == TASKS[comparison.card.task].main_score:
        bound = score.shown(dataset.ceiling)
        lines.append(Upright(bound, f"bound {plain(score, bound)}", "ceiling"))
    same = without_a_model(dataset, records, score)
    if same is not None:
        word = "majority" if dataset.class_counts else "mean value"
        lines.append(Upright(same, f"{word} {plain(score, same)}", "majority"))
    return tuple(lines)
