"""Means with their intervals, rows below each other, and a line for what they should beat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from graphrings.report.plots.rows import Chart, ChartRow, Mark, Upright
from graphrings.report.words import amount, plain, titled
from graphrings.tasks.scores import Score


class Bar(NamedTuple):
    """A row: its name, its mean, the ends of its interval if known, and whether it stands out."""

    name: str
    mean: float
    interval: tuple[float, float] | None
    stands_out: bool = False


def intervals(bars: Sequence[Bar], score: Score, uprights: Sequence[Upright] = ()) -> Chart | None:
    """The rows as a chart, in values as people read them; None without rows."""
    if not bars:
        return None
    rows = tuple(
        ChartRow(
            bar.name,
            plain(score, bar.mean),
            (Mark(bar.mean, _words(bar, score), "best" * bar.stands_out, bar.interval),),
            bar.stands_out,
        )
        for bar in bars
    )
    means = ", ".join(f"{bar.name} {amount(score, bar.mean)}" for bar in bars)
    return Chart(
        "",
        rows,
        f"test {titled(score)}, mean over folds",
        f"Mean test {score.title} with intervals: {means}",
        tuple(uprights),
        score.shown_limits,
    )


def _words(bar: Bar, score: Score) -> str:
    words = f"{bar.name}: {amount(score, bar.mean)}"
    if bar.interval is None:
        return words
    low, high = (plain(score, end) for end in bar.interval)
    return f"{words}, 95 % interval {low} to {high}"
