"""A small picture of what every distance contributes."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from graphrings.explanations.parts import Reals
from graphrings.graphs.drawing.svg import Svg

BAR, GAP, LINE = 22.0, 10.0, 15.0  # in pixels
UP, DOWN = "#d6601e", "#2166ac"  # as nodes are coloured


def ring_bars(
    values: Reals, names: Sequence[str], largest: float, left_over: float, height: float = 44.0
) -> Svg:
    """Bars from zero, up in orange and down in blue, one per distance; the last is left over.

    ``largest`` is the value of a bar as long as ``height``.
    """
    numbers, words = [*values.tolist(), left_over], [*names, "rest"]
    scale = height / (largest or 1.0)
    high = max(0.0, *numbers) * scale + LINE
    low = max(0.0, *(-n for n in numbers)) * scale + LINE
    width = len(numbers) * (BAR + GAP) + GAP
    parts = [
        f'<line x1="0" x2="{width:.4g}" y1="{high:.4g}" y2="{high:.4g}" stroke="currentColor" '
        'stroke-opacity=".5"/>'
    ]
    for k, (number, word) in enumerate(zip(numbers, words, strict=True)):
        x, size = GAP + k * (BAR + GAP), abs(number) * scale
        top = high - size if number > 0 else high
        side, fill = ("up", UP) if number > 0 else ("down", DOWN)
        opacity = ' fill-opacity=".4"' if k == len(values) else ""
        label = high + (LINE - 3 if number > 0 else -4)
        what = "left over" if k == len(values) else f"distance {word}"
        parts.append(
            f'<rect class="{side}" x="{x:.4g}" y="{top:.4g}" width="{BAR:.4g}" '
            f'height="{size:.4g}" fill="{fill}"{opacity}>'
            f"<title>{escape(what)}: {number:+.3g}</title></rect>"
            f'<text x="{x + BAR / 2:.4g}" y="{label:.4g}" font-size="12" text-anchor="middle" '
            f'fill="currentColor">{escape(word)}</text>'
        )
    title = "; ".join(
        f"{'left over' if k == len(values) else 'distance ' + word}: {number:+.3g}"
        for k, (number, word) in enumerate(zip(numbers, words, strict=True))
    )
    return Svg("".join(parts), width, float(high + low), f"contributions by distance: {title}")


def longest_bar(rows: Sequence[Reals]) -> float:
    """The largest number of several pictures, which share a scale."""
    return max((float(np.abs(row).max(initial=0.0)) for row in rows), default=0.0)
