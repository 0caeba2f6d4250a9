"""Calibration: whether a method is right as often as it is sure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from graphrings.report.plots.canvas import INK, picture, tell
from graphrings.report.plots.looks import COLOURS
from graphrings.report.section import Shown, by_dataset, records_of
from graphrings.report.statistics import Floats
from graphrings.report.tables import Comparison
from graphrings.results.record import Record
from graphrings.tasks.scores import N_BINS

WIDTH = 260.0


def calibration_pictures(comparison: Comparison, records: Sequence[Record]) -> Shown:
    """Reliability diagrams of all methods that give probabilities."""
    return Shown(
        "Tests in ten bins by the probability of the class that was said, against the share of "
        "them that were right; larger dots stand for more tests. On the line a method is as often "
        "right as it is sure, below it too sure.",
        by_dataset(comparison.card, lambda d, m: calibration(records, d, m)),
    )


def calibration(records: Sequence[Record], dataset: str, method: str) -> str | None:
    """The diagram of one method on one dataset; None without probabilities."""
    tests = [r.test for r in records_of(records, dataset, method) if r.test is not None]
    given = [test for test in tests if test.probabilities is not None]
    if not given:
        return None
    sure = np.concatenate(
        [t.probabilities.max(axis=1) for t in given if t.probabilities is not None]
    )
    right = np.concatenate([test.errors == 0 for test in given])
    counts, confidence, share = reliability(sure.astype(float), right)

    def draw(axes: Axes) -> None:
        axes.plot([0, 100], [0, 100], color=INK, lw=1, ls=":")
        axes.plot(100 * confidence, 100 * share, color=COLOURS[0], lw=1.4)
        for n, x, y in zip(counts, 100 * confidence, 100 * share, strict=True):
            size = 4 + 8 * np.sqrt(n / counts.sum())
            tell(
                axes.plot(x, y, "o", color=COLOURS[0], ms=size),
                f"{n:,} tests: {x:.0f} % sure, {y:.0f} % right",
            )
        low = max(0.0, 100 * float(confidence.min()) - 8)
        axes.set_xlim(low, 102)
        axes.set_ylim(max(0.0, min(low, 100 * float(share.min()) - 8)), 102)
        axes.locator_params(nbins=5)
        axes.set_xlabel("probability of what was said (%)")
        axes.set_ylabel("right (%)")

    error = 100 * float((counts * np.abs(share - confidence)).sum() / counts.sum())
    title = f"Calibration of {method} on {dataset}: expected calibration error {error:.1f} %"
    return picture(draw, 230, title, WIDTH, clip=True)


def reliability(sure: Floats, right: np.ndarray) -> tuple[np.ndarray, Floats, Floats]:
    """Of every bin with a test: the number of tests, their mean confidence, the share right."""
    bins = np.minimum((sure * N_BINS).astype(np.int64), N_BINS - 1)
    counts = np.bincount(bins, minlength=N_BINS)
    held = counts > 0
    sums = (np.bincount(bins, weights, minlength=N_BINS)[held] for weights in (sure, right))
    confidence, share = (total / counts[held] for total in sums)
    return counts[held], confidence, share
