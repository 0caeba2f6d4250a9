"""Predicted against true values of the test graphs: a perfect method has all on the diagonal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from graphrings.report.plots.canvas import INK, picture
from graphrings.report.plots.looks import COLOURS
from graphrings.report.section import Shown, by_dataset, records_of
from graphrings.report.tables import Comparison
from graphrings.results.record import Record

POINTS = 200  # of a picture; beyond that, every so-many-th in the order of the true values
DOTS = 4000  # in all pictures together
WIDTH = 260.0


def agreement_pictures(comparison: Comparison, records: Sequence[Record]) -> Shown:
    """A picture for every method and dataset."""
    card = comparison.card
    points = max(20, min(POINTS, DOTS // max(1, len(card.methods) * len(card.datasets))))
    return Shown(
        "A point is a test of a graph (of many tests a part is drawn, evenly over the true "
        "values). On the line, the prediction is the true value.",
        by_dataset(card, lambda d, m: agreement(records, d, m, points)),
    )


def agreement(
    records: Sequence[Record], dataset: str, method: str, points: int = POINTS
) -> str | None:
    """The picture of one method on one dataset; None without predictions."""
    tests = [r.test for r in records_of(records, dataset, method) if r.test is not None]
    if not tests:
        return None
    truth = np.concatenate([test.truth for test in tests])
    predicted = np.concatenate([test.predicted for test in tests])
    order = np.argsort(truth, kind="stable")
    kept = order[np.unique(np.linspace(0, len(order) - 1, points).round().astype(int))]

    def draw(axes: Axes) -> None:
        ends = [min(truth.min(), predicted[kept].min()), max(truth.max(), predicted[kept].max())]
        axes.plot(ends, ends, color=INK, lw=1)
        axes.plot(truth[kept], predicted[kept], "o", ms=3.4, color=COLOURS[0], mew=0, alpha=0.6)
        axes.locator_params(nbins=5)
        axes.set_xlabel("true value")
        axes.set_ylabel("predicted value")

    error = np.abs(truth - predicted).mean()
    title = f"Predicted against true values of {method} on {dataset}: {len(truth):,} tests, "
    return picture(draw, 230, f"{title}mean absolute error {error:.4g}", WIDTH)
