"""Cost against score: what a second of fitting buys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from graphrings.report.plots.looks import Key, Look, method_looks
from graphrings.report.plots.plane import Line, Plane, Spot
from graphrings.report.plots.times import bounded
from graphrings.report.section import Shown, planes, records_of
from graphrings.report.tables import Comparison, shown_value
from graphrings.report.words import amount, titled
from graphrings.results.record import Record
from graphrings.tasks.scores import Score


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
        planes(costs(comparison, timed, d.name) for d in comparison.card.datasets),
        tuple(Key(name, look) for name, look in looks.items() if name in names),
    )


def costs(comparison: Comparison, records: Sequence[Record], dataset: str) -> Plane | None:
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
    told = "; ".join(f"{p.name} {p.seconds:.3g} s, {amount(score, p.value)}" for p in points)
    return Plane(
        dataset,
        (Line(None, tuple(_spot(point, score) for point in front)), *_marks(points, front, score)),
        "seconds per fit (logarithmic)",
        titled(score),
        f"Seconds per fit and {score.title} on {dataset}: {told}",
        is_logarithmic=True,
    )


def _marks(points: Sequence[Point], front: Sequence[Point], score: Score) -> Iterator[Line]:
    """Every method, with its name where it is worthwhile."""
    for point in points:
        name = point.name if point in front else ""
        yield Line(point.look, (_spot(point, score, name),), is_joined=False)


def _spot(point: Point, score: Score, name: str = "") -> Spot:
    words = f"{point.name}: {amount(score, point.value)}, {point.seconds:.3g} s a fit"
    return Spot(point.seconds, point.value, words, name)


def _point(records: Sequence[Record], name: str, look: Look, score: Score) -> Point | None:
    values = [value for r in records if (value := shown_value(r, score)) is not None]
    if not values:
        return None
    seconds = float(np.median([bounded(trial.seconds) for r in records for trial in r.trials]))
    return Point(name, look, seconds, float(np.mean(values)))


def worthwhile(points: Sequence[Point], score: Score) -> list[Point]:
    """Those that no quicker one equals or beats, the quickest first."""
    front: list[Point] = []
    for point in sorted(points, key=lambda p: (p.seconds, -p.value)):
        if not front or score.better(point.value, front[-1].value):
            front.append(point)
    return front
