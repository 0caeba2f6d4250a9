"""Means with their intervals, rows below each other, and a line for what they should beat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from matplotlib.axes import Axes

from graphrings.report.plots.canvas import INK, label, picture
from graphrings.report.plots.looks import COLOURS
from graphrings.report.words import amount, titled
from graphrings.tasks.scores import Score

ROW = 34.0


class Bar(NamedTuple):
    """A row: its name, its mean, the ends of its interval if known, and whether it stands out."""

    name: str
    mean: float
    interval: tuple[float, float] | None
    stands_out: bool = False


def intervals(bars: Sequence[Bar], score: Score, yardstick: tuple[str, float] | None) -> str | None:
    """The rows as a picture, in values as people read them; None without rows."""
    if not bars:
        return None

    def draw(axes: Axes) -> None:
        for row, bar in enumerate(bars):
            colour = COLOURS[4 if bar.stands_out else 0]
            if bar.interval is not None:
                axes.plot(bar.interval, (row, row), color=colour, lw=3, solid_capstyle="butt")
            axes.plot(bar.mean, row, "D" if bar.stands_out else "o", ms=8, color=colour, mec=INK)
        if yardstick is not None:
            axes.axvline(yardstick[1], color=INK, lw=1, ls=":")
            side = "right" if yardstick[1] > bars[0].mean else "left"  # never out of the picture
            place = (yardstick[1], -0.75)
            axes.annotate(f" {yardstick[0]} ", place, ha=side, va="top", fontsize=9)
        axes.set_yticks(range(len(bars)), [label(bar.name) for bar in bars])
        axes.set_ylim(len(bars) - 0.4, -0.9)
        axes.grid(visible=False, axis="y")
        axes.set_xlabel(f"test {titled(score)}, mean over folds")

    means = ", ".join(f"{bar.name} {amount(score, bar.mean)}" for bar in bars)
    return picture(draw, 72 + ROW * len(bars), f"Mean test {score.title} with intervals: {means}")
