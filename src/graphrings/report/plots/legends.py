"""Legends in HTML: one for all pictures of a section."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from markupsafe import Markup

from graphrings.report.plots.looks import DASHED, SHAPES, Key, Look, variable
from graphrings.report.plots.rows import Chart

DOT = '<line class="span" x1="-12" x2="12"/><circle class="dot" r="5"/>'
MARKS = {
    kind: f'<g class="area"><g class="{kind}">{shape}</g></g>'
    for kind, shape in {
        "mean": DOT,
        "best": DOT,
        "partial": '<circle class="dot" r="5"/>',
        "paper": '<path class="printed" d="M0-6 5.5 0 0 6-5.5 0Z"/>',
        "majority": '<line y1="-8" y2="8"/>',
        "ceiling": '<line y1="-8" y2="8"/>',
        "ahead": DOT,
        "behind": DOT,
        "level": DOT,
    }.items()
}
WORDS = {
    "mean": "mean over test folds, 95 % interval",
    "best": "best of the dataset",
    "partial": "not all folds yet",
    "paper": "the paper's value",
    "majority": "without a model: always the commonest class, or the mean value",
    "ceiling": "bound: no method that only sees the graphs can pass it",
    "ahead": "better (p < 0.05)",
    "behind": "worse (p < 0.05)",
    "level": "not told apart",
}
FOREST = ("ahead", "behind", "level")


class Entry(NamedTuple):
    """An entry of a legend."""

    name: str
    svg: Markup


def legend_of(keys: Iterable[Key]) -> list[Entry]:
    """Methods, or lines, by their looks."""
    return [Entry(key.name, _framed(swatch(key.look, key.has_line))) for key in keys]


def swatch(look: Look, has_line: bool) -> str:
    """The mark of a legend, and the line through it if there is one."""
    colour = variable(look.colour)
    mark = f'<path d="{SHAPES[look.marker]}" style="fill:{colour}"/>'
    if not has_line:
        return mark
    dashes = f'stroke-width="2" stroke-dasharray="{DASHED[look.dash]}"'
    return f'<path d="M-13 0H13" style="stroke:{colour}" {dashes}/>{mark}'


def _framed(inside: str) -> Markup:
    size = 'width="28" height="18" viewBox="-14 -9 28 18"'
    return Markup(f'<svg {size} aria-hidden="true">{inside}</svg>')  # noqa: S704


def chart_legend(charts: Sequence[Chart]) -> list[Entry]:
    """The kinds of marks that charts of rows have, each once."""
    return marks_legend(kinds_of(charts))


def marks_legend(kinds: Iterable[str]) -> list[Entry]:
    """Marks of charts of rows with their meaning."""
    return [Entry(WORDS[kind], _framed(MARKS[kind])) for kind in kinds]


def kinds_of(charts: Sequence[Chart]) -> list[str]:
    """Which marks and lines occur, in the order in which a legend names them."""
    rows = [row for chart in charts for row in chart.rows]
    used = {mark.kind or "mean" for row in rows for mark in row.marks}
    used |= {one.kind for chart in charts for one in chart.uprights}
    return [kind for kind in WORDS if kind in used]
