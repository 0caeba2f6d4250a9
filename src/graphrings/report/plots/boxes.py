"""Box plots: the scores of all test folds of a dataset, methods below each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from graphrings.report.plots.canvas import INK, label, picture, tell
from graphrings.report.plots.looks import Look, method_looks
from graphrings.report.section import Shown, records_of, ungrouped
from graphrings.report.statistics import Floats
from graphrings.report.tables import Comparison, shown_value
from graphrings.report.words import amount, titled
from graphrings.results.record import ExperimentCard, Record
from graphrings.tasks.scores import Score

POINTS = 40  # beyond that, every so-many-th fold in the order of the score is shown
DOTS = 2400  # in all box plots together
EQUAL = 1e4  # values nearer than this part of their range are equal
ROW = 34.0


def box_pictures(comparison: Comparison, records: Sequence[Record]) -> Shown:
    """The folds of every dataset that has any."""
    card, score = comparison.card, comparison.score
    points = max(10, min(POINTS, DOTS // max(1, len(card.methods) * len(card.datasets))))
    published = published_means(comparison)
    thinned_out = card.repetitions * card.n_folds > points
    return Shown(
        f"One point is one test fold{' (a part of them is drawn)' if thinned_out else ''}; the "
        "box holds the middle half, the line in it is the median, the diamond the mean, the "
        "whiskers reach to the worst and the best fold."
        + " The triangle below a box is the paper's mean."
        * any(published.values()),
        ungrouped(
            (name, boxes(card, records, score, name, published[name], points))
            for name in (dataset.name for dataset in card.datasets)
        ),
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
) -> str | None:
    """Boxes of one dataset; ``published`` are the paper's means by method. None without folds."""
    published = published or {}
    looks = method_looks(card)
    folds = {name: values_of(records, score, dataset, name) for name in looks}
    shown = {name: values for name, values in folds.items() if len(values)}
    if not shown:
        return None

    def draw(axes: Axes) -> None:
        for row, (name, values) in enumerate(shown.items()):
            _box(axes, row, values, looks[name], points)
            mark = axes.plot(values.mean(), row, "D", ms=7, color=looks[name].colour, mec=INK)
            tell(mark, f"{name}: mean {amount(score, values.mean())}, {_spread(values, score)}")
            if name in published:
                mark = axes.plot(published[name], row + 0.37, "^", ms=6, color=INK)
                tell(mark, f"{name} in the paper: {amount(score, published[name])}")
        axes.set_yticks(range(len(shown)), [label(name) for name in shown])
        axes.set_ylim(len(shown) - 0.4, -0.6)
        axes.grid(visible=False, axis="y")
        axes.set_xlabel(f"test {titled(score)} of a fold")

    means = ", ".join(f"{name} {amount(score, values.mean())}" for name, values in shown.items())
    title = f"Test {score.title} over folds on {dataset}, means: {means}"
    return picture(draw, 64 + ROW * len(shown), title)


def values_of(records: Sequence[Record], score: Score, dataset: str, method: str) -> Floats:
    """The scores of a method's test folds as people read them, sorted."""
    values = (shown_value(record, score) for record in records_of(records, dataset, method))
    return np.sort([value for value in values if value is not None])


def _box(axes: Axes, row: int, values: Floats, look: Look, points: int) -> None:
    line: Any = {"color": look.colour, "lw": 1.2}
    axes.boxplot(
        values,
        positions=[row],
        widths=0.5,
        whis=(0, 100),
        orientation="horizontal",
        patch_artist=True,
        showcaps=False,
        manage_ticks=False,
        boxprops={"facecolor": f"{look.colour}26", "edgecolor": look.colour, "lw": 1.2},
        medianprops=line,
        whiskerprops=line,
    )
    few = thinned(values, points)
    axes.plot(few, row + spread(few), "o", ms=3.4, color=look.colour, mew=0, zorder=3)


def _spread(values: Floats, score: Score) -> str:
    worst, median, best = (amount(score, v) for v in np.quantile(values, [0, 0.5, 1]))
    return f"median {median}, from {worst} to {best}"


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
