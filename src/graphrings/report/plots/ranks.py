"""The critical-difference diagram of Demsar (JMLR 7, 2006)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from markupsafe import Markup
from matplotlib.axes import Axes

from graphrings.report.plots.canvas import INK, label, picture
from graphrings.report.plots.looks import Look, method_looks
from graphrings.report.ranking import Ranking
from graphrings.report.statistics import FEW_DATASETS
from graphrings.results.record import ExperimentCard

WIDTH = 640.0
LINE = 20.0


def diagram(card: ExperimentCard, ranking: Ranking) -> Markup | None:
    """The diagram of a ranking; None with too few datasets for it to mean anything."""
    if ranking.tests is None or len(ranking.datasets) < FEW_DATASETS:
        return None
    groups = [[ranking.methods[i] for i in group] for group in ranking.tests.cliques]
    average = dict(zip(ranking.methods, ranking.average, strict=True))
    difference = ranking.tests.critical_difference
    return Markup(rank_diagram(average, method_looks(card), groups, difference))  # noqa: S704


def rank_diagram(
    average: Mapping[str, float],
    looks: Mapping[str, Look],
    groups: Sequence[Sequence[str]],
    difference: float | None = None,
) -> str:
    """Methods on an axis of average ranks, the best at the left; a bar joins those alike.

    ``difference`` is the critical difference, drawn as a scale above the axis.
    """
    order = sorted(average, key=lambda name: average[name])
    half = -(-len(order) // 2)
    top = len(groups) * 0.5 + 0.6

    def draw(axes: Axes) -> None:
        axes.set_axis_off()
        k = max(2, len(order))
        axes.set_xlim(1 - 0.45 * (k - 1), k + 0.45 * (k - 1))
        axes.set_ylim(top + half + 0.2, -2.2)
        _scale(axes, k, difference)
        for place, name in enumerate(order):
            left = place < half
            depth = top + (place if left else len(order) - 1 - place)
            _name(axes, name, average[name], depth, k, looks[name], left)
        for place, group in enumerate(groups):
            ends = [average[name] for name in group]
            y = 0.5 + 0.5 * place
            axes.plot([min(ends) - 0.03, max(ends) + 0.03], [y, y], color=INK, lw=4)

    ranks = ", ".join(f"{name} {average[name]:.2f}" for name in order)
    alike = "; ".join(" and ".join(group) for group in groups)
    words = f"Average ranks, 1 is best: {ranks}."
    words += f" Not told apart: {alike}." if alike else " All are told apart."
    return picture(draw, 34 + LINE * (top + half + 2.4), words, WIDTH)


def _scale(axes: Axes, k: int, difference: float | None) -> None:
    axes.plot([1, k], [0, 0], color=INK, lw=1)
    for rank in np.arange(1, k + 0.25, 0.5):
        whole = float(rank).is_integer()
        axes.plot([rank, rank], [0, -0.3 if whole else -0.15], color=INK, lw=1)
        if whole:
            axes.text(rank, -0.45, f"{rank:.0f}", ha="center", va="bottom")
    if difference is not None:
        end = min(1 + difference, k + 0.4 * (k - 1))
        axes.plot([1, end], [-1.6, -1.6], color=INK, lw=1.5, marker="|", ms=7)
        axes.text(end + 0.04 * (k - 1), -1.6, f"critical difference {difference:.2f}", va="center")


def _name(axes: Axes, name: str, rank: float, depth: float, k: int, look: Look, left: bool) -> None:
    end = 1 - 0.02 * (k - 1) if left else k + 0.02 * (k - 1)
    axes.plot([rank, rank, end], [0, depth, depth], color=look.colour, lw=1.4)
    axes.plot(rank, 0, look.marker, color=look.colour, ms=6, mec=INK, mew=0.5, clip_on=False)
    side = "right" if left else "left"
    shift = -0.02 if left else 0.02
    words = f"{label(name, 20)}  {rank:.2f}" if left else f"{rank:.2f}  {label(name, 20)}"
    axes.text(end + shift * (k - 1), depth, words, ha=side, va="center_baseline")
