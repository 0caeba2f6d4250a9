"""A legend below a picture whose nodes are too small for words."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

SIZE = 12.0  # of its text, in pixels
LINE, SQUARE, GAP = 18.0, 10.0, 14.0
LETTER = 0.62  # the width of one, of the size: more than most have


def legend(colours: Mapping[str, str], width: float) -> tuple[str, float]:
    """Names with the colours that stand for them, in rows of this width, and how high it is."""
    parts, x, y = list[str](), 0.0, 0.0
    for name, colour in colours.items():
        room = SQUARE + 4 + LETTER * SIZE * len(name)
        if x > 0 and x + room > width:
            x, y = 0.0, y + LINE
        fits = max(1, int((width - SQUARE - 4) / (LETTER * SIZE)))
        shown = name if len(name) <= fits else f"{name[: max(1, fits - 1)]}…"
        parts.append(
            f'<rect x="{x:.1f}" y="{y + 4:.1f}" width="{SQUARE:g}" height="{SQUARE:g}" rx="2" '
            f'fill="{colour}"/><text x="{x + SQUARE + 4:.1f}" y="{y + 13:.1f}" '
            f'font-size="{SIZE:g}" fill="currentColor">{escape(shown)}</text>'
        )
        x += room + GAP
    return "".join(parts), y + LINE if parts else 0.0


def by_colour(names: list[str], fills: list[str], most: int) -> dict[str, str]:
    """What every colour stands for, the most frequent first; names may share a colour."""
    counts: dict[str, int] = {}
    named: dict[str, dict[str, None]] = {}
    for name, fill in zip(names, fills, strict=True):
        counts[fill] = counts.get(fill, 0) + 1
        named.setdefault(fill, {})[name] = None
    frequent = sorted(counts, key=lambda fill: -counts[fill])
    legend = {", ".join(named[fill]): fill for fill in frequent[:most]}
    return {name: fill for name, fill in legend.items() if name}
