"""Box plots: the accuracies of all test folds of a dataset, methods below each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from graphrings.report.plots.canvas import INK, label, picture
from graphrings.report.plots.looks import Look, method_looks
from graphrings.report.statistics import Floats
from graphrings.results.record import ExperimentCard, Record

POINTS = 40  # beyond that, every so-many-th fold in the order of accuracy is shown
ROW = 34.0


def boxes(
    card: ExperimentCard,
    records: Sequence[Record],
    dataset: str,
    published: Mapping[str, float] | None = None,
    points: int = POINTS,
) -> str:
    """Boxes of one dataset; ``published`` are the paper's means by method, in percent."""
    published = published or {}
    looks = method_looks(card)
    folds = {name: accuracies(records, dataset, name) for name in looks}
    shown = {name: values for name, values in folds.items() if len(values)}

    def draw(axes: Axes) -> None:
        for row, (name, values) in enumerate(shown.items()):
            _box(axes, row, values, looks[name], points)
            if name in published:
                axes.plot(published[name], row + 0.37, marker="^", ms=6, color=INK, ls="none")
        axes.set_yticks(range(len(shown)), [label(name) for name in shown])
        axes.set_ylim(len(shown) - 0.4, -0.6)
        axes.grid(visible=False, axis="y")
        axes.set_xlabel("test accuracy of a fold (%)")

    means = ", ".join(f"{name} {values.mean():.1f} %" for name, values in shown.items())
    title = f"Test accuracies over folds on {dataset}, means: {means}"
    return picture(draw, 64 + ROW * max(1, len(shown)), title)


def accuracies(records: Sequence[Record], dataset: str, method: str) -> Floats:
    """The test accuracies of a method, in percent, sorted."""
    found = [
        100 * r.test.accuracy
        for r in records
        if (r.cell.dataset, r.cell.method) == (dataset, method)
    ]
    return np.sort(found)


def _box(axes: Axes, row: int, values: Floats, look: Look, points: int) -> None:
    """Drawn by hand: matplotlib's own box plot asks for a screen."""
    low, first, median, third, high = np.percentile(values, (0, 25, 50, 75, 100))
    line: Any = {"color": look.colour, "lw": 1.2}
    axes.plot([low, first, np.nan, third, high], [row] * 5, **line)
    axes.plot([median, median], [row - 0.25, row + 0.25], **line)
    box: Any = {"facecolor": f"{look.colour}26", "edgecolor": look.colour, "lw": 1.2}
    axes.add_patch(Rectangle((first, row - 0.25), third - first, 0.5, **box))
    few = thinned(values, points)
    axes.plot(few, row + spread(few), "o", ms=3.4, color=look.colour, mew=0, zorder=3)
    axes.plot(values.mean(), row, "D", ms=7, color=look.colour, mec=INK, mew=1, zorder=4)


def thinned(values: Floats, limit: int) -> Floats:
    """At most so many of the values, evenly over their order."""
    if len(values) <= limit:
        return values
    few: Floats = values[np.linspace(0, len(values) - 1, limit).round().astype(int)]
    return few


def spread(values: Floats) -> Floats:
    """Offsets that lay equal values of a sorted series beside each other."""
    _, first, counts = np.unique(values.round(3), return_index=True, return_counts=True)
    place = np.arange(len(values)) - np.repeat(first, counts)
    centre = np.repeat((counts - 1) / 2, counts)
    step = min(0.09, 0.44 / max(1, counts.max() - 1)) if len(values) else 0.0
    return np.asarray((place - centre) * step)
