"""Several graphs in one picture: rows of them, each with its number and target above."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from graphrings.graphs.dataset import Dataset
from graphrings.graphs.drawing.draw import draw
from graphrings.graphs.drawing.page import target_name
from graphrings.graphs.drawing.svg import Svg

ABOVE, SPACE = 24.0, 16.0  # room for words, and between pictures, in pixels
WIDTH = 200.0


class Shown(NamedTuple):
    """A picture, the words above it, and perhaps another picture below."""

    words: str
    picture: Svg
    below: Svg | None = None


def draw_several(dataset: Dataset, rows: Sequence[Sequence[int]], width: float = WIDTH) -> Svg:
    """Graphs of a dataset by their numbers, those of a row side by side."""
    shown = [
        [Shown(caption(dataset, graph), draw(dataset[graph], width=width)) for graph in row]
        for row in rows
    ]
    return in_rows(shown, f"graphs of {escape(dataset.name)}")


def caption(dataset: Dataset, graph: int) -> str:
    """The number of a graph and its target."""
    target = target_name(dataset, graph)
    return f"{graph}: {target}" if target else str(graph)


def in_rows(rows: Sequence[Sequence[Shown]], title: str) -> Svg:
    """Pictures in rows, as high as the highest of each."""
    parts, y, width = list[str](), 0.0, 0.0
    for row in rows:
        tall, x = max(one.picture.height for one in row), 0.0
        for one in row:
            parts.append(
                f'<text x="{x:.4g}" y="{y + 16:.4g}" font-size="13" fill="currentColor">'
                f"{escape(one.words)}</text>{placed(one.picture, x, y + ABOVE)}"
            )
            if one.below is not None:
                parts.append(placed(one.below, x, y + ABOVE + tall))
            x += one.picture.width + SPACE
        y += ABOVE + tall + max(one.below.height if one.below else 0.0 for one in row) + SPACE
        width = max(width, x - SPACE)
    return Svg("".join(parts), width, y, title)


def placed(picture: Svg, x: float, y: float) -> str:
    """A picture at a place of another."""
    return (
        f'<svg x="{x:.4g}" y="{y:.4g}" width="{picture.width:.4g}" height="{picture.height:.4g}" '
        f'viewBox="0 0 {picture.width:.4g} {picture.height:.4g}">{picture.body}</svg>'
    )
