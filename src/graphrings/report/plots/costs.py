"""Cost against score: what a second of fitting buys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from graphrings.report.plots.canvas import INK, label, picture, tell
from graphrings.report.plots.looks import Key, Look, method_looks
from graphrings.report.section import Shown, records_of, ungrouped
from graphrings.report.tables import Comparison, shown_value
from graphrings.report.words import amount, titled
from graphrings.results.record import Record
from graphrings.tasks.scores import Score

SHORTEST = 1e-3  # seconds: a clock may stand still


class Point(NamedTuple):
    """A method: the median seconds of one of its fits, and its mean score."""

    name: str
    look: Look
    seconds: float
    value: float


def cost_pictures(comparison: Comparison, records: Sequence[Record]) -> Shown:
    """A picture for every dataset on which several methods were timed."""
    timed = [record for record in records if record.finished]
    names = {record.cell.method for record in timed}
    looks = method_looks(comparison.card)
    return Shown(
        f"Every mark is a method: the median seconds of a fit (one setting on one fold) and the "
        f"mean test {comparison.score.title}. The line joins the methods that no quicker one "
        "beats; they are named.",
        ungrouped((d.name, costs(comparison, timed, d.name)) for d in comparison.card.datasets),
        tuple(Key(name, look) for name, look in looks.items() if name in names),
    )


def costs(comparison: Comparison, records: Sequence[Record], dataset: str) -> str | None:
    """Seconds and scores on one dataset; None with fewer than two methods."""
    score = comparison.score
    points = [
        point
        for name, look in method_looks(comparison.card).items()
        if (point := _point(records_of(records, dataset, name), name, look, score))
    ]
    if len(points) < 2:
        return None
    front = worthwhile(points, score)

    def draw(axes: Axes) -> None:
        axes.plot([p.seconds for p in front], [p.value for p in front], color=INK, lw=1, alpha=0.5)
        for point in points:
            mark = axes.plot(
                point.seconds, point.value, point.look.marker, color=point.look.colour, ms=8
            )
            tell(mark, f"{point.name}: {amount(score, point.value)}, {point.seconds:.3g} s a fit")
        _name(axes, front, score)
        _axes(axes, score)

    told = "; ".join(f"{p.name} {p.seconds:.3g} s, {amount(score, p.value)}" for p in points)
    return picture(draw, 260, f"Seconds per fit and {score.title} on {dataset}: {told}")


def _point(records: Sequence[Record], name: str, look: Look, score: Score) -> Point | None:
    values = [value for r in records if (value := shown_value(r, score)) is not None]
    if not values:
        return None
    seconds = float(np.median([trial.seconds for r in records for trial in r.trials]))
    return Point(name, look, max(SHORTEST, seconds), float(np.mean(values)))


def worthwhile(points: Sequence[Point], score: Score) -> list[Point]:
    """Those that no quicker one equals or beats, the quickest first."""
    front: list[Point] = []
    for point in sorted(points, key=lambda p: (p.seconds, -p.value)):
        if not front or score.better(point.value, front[-1].value):
            front.append(point)
    return front


def _name(axes: Axes, front: Sequence[Point], score: Score) -> None:
    """Names beside the line, on the side where it does not go."""
    down = score.lower_is_better
    for point in front:
        axes.annotate(
            label(point.name, 18),
            (point.seconds, point.value),
            xytext=(0, -9 if down else 9),
            textcoords="offset points",
            ha="center",
            va="top" if down else "bottom",
        )


def _axes(axes: Axes, score: Score) -> None:
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(numticks=6))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda seconds, _: f"{seconds:,g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    low, high = axes.get_xlim()
    axes.set_xlim(low / 3, high * 3)  # room for names
    axes.margins(y=0.16)
    axes.set_xlabel("seconds per fit (logarithmic)")
    axes.set_ylabel(titled(score))
