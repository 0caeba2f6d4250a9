"""Confusion matrices: which classes are taken for which, summed over all test folds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from graphrings.graphs.class_titles import known_titles
from graphrings.report.plots.canvas import INK, label, picture
from graphrings.report.plots.looks import COLOURS
from graphrings.report.section import Shown, by_dataset, records_of
from graphrings.report.tables import Comparison
from graphrings.results.record import ExperimentCard, Record

READABLE = 8  # classes whose squares have room for numbers
WIDTH = 260.0


def confusion_pictures(comparison: Comparison, records: Sequence[Record]) -> Shown:
    """Confusion matrices of all methods."""
    card = comparison.card
    return Shown(
        "Test graphs of all folds and repetitions by true and predicted class, with the share of "
        "the true class.",
        by_dataset(card, lambda d, m: confusion(card, records, d, m)),
    )


def confusion(
    card: ExperimentCard, records: Sequence[Record], dataset: str, method: str
) -> str | None:
    """The matrix of one method on one dataset; None without predictions."""
    tests = [r.test for r in records_of(records, dataset, method) if r.test is not None]
    if not tests:
        return None
    counts = np.sum([test.confusion for test in tests], axis=0)
    data = next(one for one in card.datasets if one.name == dataset)
    names = known_titles(data.fingerprint, data.class_names, data.class_counts)
    names = names if len(names) == len(counts) else tuple(map(str, range(len(counts))))

    def draw(axes: Axes) -> None:
        n = len(counts)
        for (true, taken), count in np.ndenumerate(counts):
            _square(axes, int(true), int(taken), int(count), int(counts[true].sum()), n)
        axes.set_xlim(0, n)
        axes.set_ylim(n, 0)
        middle = np.arange(n) + 0.5
        few = [label(name, 18) for name in names]
        axes.set_xticks(middle, few, rotation=90 if n > 3 and max(map(len, few)) > 3 else 0)
        axes.set_yticks(middle, few)
        axes.grid(visible=False)
        axes.spines[["left", "bottom"]].set_visible(False)
        axes.set_xlabel("predicted class")
        axes.set_ylabel("true class")

    right = np.diag(counts).sum()
    title = f"Confusion of {method} on {dataset}: {right} of {counts.sum()} tests are right"
    return picture(draw, 210 if len(counts) <= 3 else 260, title, WIDTH)


def _square(axes: Axes, true: int, taken: int, count: int, total: int, n: int) -> None:
    if not count and n > READABLE:
        return
    share = count / max(1, total)
    colour = COLOURS[0] if true == taken else COLOURS[4]
    axes.add_patch(
        Rectangle(
            (taken, true), 1, 1, facecolor=colour, alpha=0.05 + 0.35 * share, edgecolor="none"
        )
    )
    if n > READABLE:
        return
    percent = f"{100 * share:.0f} %"
    lines = [(count, -0.5), (percent, 0.5)] if n <= 4 else [(percent[:-2], 0.0)]
    for words, shift in lines:
        y = true + 0.5 + shift * 0.075 * n
        axes.text(taken + 0.5, y, str(words), ha="center", va="center_baseline", color=INK)
