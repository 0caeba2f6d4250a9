"""Differences to one method as dots with intervals around zero, a chart per dataset."""

from __future__ import annotations

from graphrings.report.contrasts import Contrast, ContrastEntry
from graphrings.report.plots.rows import Chart, ChartRow, Mark, Upright
from graphrings.report.statistics import ALPHA
from graphrings.report.words import decimals, p_value, signed


def forest_charts(contrast: Contrast) -> tuple[Chart, ...]:
    """A chart for every dataset on which a method and the reference share folds."""
    charts = (_chart(contrast, j) for j in range(len(contrast.datasets)))
    return tuple(chart for chart in charts if chart is not None)


def _chart(contrast: Contrast, j: int) -> Chart | None:
    rows = tuple(
        _row(contrast, row.method, row.entries[j])
        for row in contrast.rows
        if row.entries[j].folds.difference is not None
    )
    if not rows:
        return None
    score, dataset = contrast.score, contrast.datasets[j]
    unit = " (percentage points)" if score.percent else ""
    told = "; ".join(mark.words for row in rows for mark in row.marks)
    low, high = score.shown_limits
    return Chart(
        dataset,
        rows,
        f"difference{unit}",
        f"Differences on {dataset}: {told}",
        (Upright(0.0, contrast.reference, "zero"),),
        (low - high, high - low),
    )


def _row(contrast: Contrast, method: str, entry: ContrastEntry) -> ChartRow:
    test = entry.folds
    assert test.difference is not None
    places = 1 if contrast.score.percent else decimals(contrast.score, test.difference)
    shown = signed(test.difference, places)
    words = f"{method} {shown}"
    if test.interval is not None:
        low, high = (signed(end, places) for end in test.interval)
        words += f", 95 % interval {low} to {high}"
    words += "" if test.p is None else f", p {p_value(test.p)}"
    kind = _kind(contrast, test.difference, test.p)
    firm = test.n >= contrast.card.n_folds
    mark = Mark(test.difference, words, kind, test.interval, firm)
    return ChartRow(method, shown, (mark,), kind != "level")


def _kind(contrast: Contrast, difference: float, p: float | None) -> str:
    """Whether a method is told apart from the reference, and on which side."""
    if p is None or p >= ALPHA:
        return "level"
    return "ahead" if contrast.score.better(difference, 0.0) else "behind"
