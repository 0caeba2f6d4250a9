"""Box plots: the scores of all test folds of a dataset, methods below each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from graphrings.report.plots.rows import FOLDS, PAPER, Box, Chart, ChartRow, Mark
from graphrings.report.section import Group, Shown, charted, records_of
from graphrings.report.statistics import Floats
from graphrings.report.tables import Comparison, shown_value
from graphrings.report.words import amount, plain, titled
from graphrings.results.record import ExperimentCard, Record
from graphrings.tasks.scores import Score

POINTS = 40  # beyond that, every so-many-th fold in the order of the score is shown
DOTS = 2400  # in all box plots together
EQUAL = 1e4  # values nearer than this part of their range are equal


def box_pictures(comparison: Comparison, records: Sequence[Record]) -> Shown:
    """The folds of every dataset that has any."""
    card, score = comparison.card, comparison.score
    points = max(10, min(POINTS, DOTS // max(1, len(card.methods) * len(card.datasets))))
    published = published_means(comparison)
    thinned_out = card.repetitions * card.n_folds > points
    charts = [
        chart
        for name in (dataset.name for dataset in card.datasets)
        if (chart := boxes(card, records, score, name, published[name], points))
    ]
    return Shown(
        f"One point is one test fold{' (a part of them is drawn)' if thinned_out else ''}; the "
        "box holds the middle half, the line in it is the median, the dot and the number are the "
        "mean, the thin line reaches to the worst and the best fold."
        + " The diamond is the paper's mean."
        * any(published.values()),
        (Group(pictures=charted(charts)),) if charts else (),
    )


def published_means(comparison: Comparison) -> dict[str, dict[str, float]]:
    """The paper's means by dataset and our method."""
    means: dict[str, dict[str, float]] = {name: {} for name in comparison.datasets}
    for row in comparison.rows:
        for dataset, entry in zip(comparison.datasets, row.entries, strict=True):
            if row.method and entry.published and entry.published.mean is not None:
                means[dataset][row.method] = entry.published.mean
    return means


def boxes(
    card: ExperimentCard,
    records: Sequence[Record],
    score: Score,
    dataset: str,
    published: Mapping[str, float] | None = None,
    points: int = POINTS,
) -> Chart | None:
    """Boxes of one dataset; ``published`` are the paper's means by method. None without folds."""
    folds = {m.name: values_of(records, score, dataset, m.name) for m in card.methods}
    shown = {name: values for name, values in folds.items() if len(values)}
    if not shown:
        return None
    paper = published or {}
    rows = [_row(name, shown[name], paper.get(name), score, points) for name in shown]
    largest = max((float(values.mean()) for values in shown.values()), key=abs)
    rows = [row._replace(shown=plain(score, row.marks[0].value, largest)) for row in rows]
    means = ", ".join(f"{name} {amount(score, values.mean())}" for name, values in shown.items())
    title = f"Test {score.title} over folds on {dataset}, means: {means}"
    return Chart(dataset, tuple(rows), f"test {titled(score)} of a fold", title)


def values_of(records: Sequence[Record], score: Score, dataset: str, method: str) -> Floats:
    """The scores of a method's test folds as people read them, sorted."""
    values = (shown_value(record, score) for record in records_of(records, dataset, method))
    return np.sort([value for value in values if value is not None])


def _row(name: str, values: Floats, paper: float | None, score: Score, points: int) -> ChartRow:
    worst, low, middle, high, best = (
        float(q) for q in np.quantile(values, (0, 0.25, 0.5, 0.75, 1))
    )
    mean, few = float(values.mean()), thinned(values, points)
    dots = tuple(zip(few.tolist(), spread(few).tolist(), strict=True))
    said = f"median {amount(score, middle)}, from {amount(score, worst)} to {amount(score, best)}"
    words = f"{name}: mean {amount(score, mean)}, {said}"
    box = Box(low, middle, high, dots)
    marks = [Mark(mean, words, FOLDS, (worst, best), box=box)]
    if paper is not None:
        marks.append(Mark(paper, f"{name} in the paper: {amount(score, paper)}", PAPER))
    return ChartRow(name, "", tuple(marks))


def thinned(values: Floats, limit: int) -> Floats:
    """At most so many of the values, evenly over their order."""
    if len(values) <= limit:
        return values
    few: Floats = values[np.linspace(0, len(values) - 1, limit).round().astype(int)]
    return few


def spread(values: Floats) -> Floats:
    """Offsets that lay equal values of a sorted series beside each other."""
    width = float(np.ptp(values)) / EQUAL or 1.0
    _, first, counts = np.unique((values / width).round(), return_index=True, return_counts=True)
    place = np.arange(len(values)) - np.repeat(first, counts)
    centre = np.repeat((counts - 1) / 2, counts)
    step = min(0.09, 0.44 / max(1, counts.max() - 1)) if len(values) else 0.0
    return np.asarray((place - centre) * step)
