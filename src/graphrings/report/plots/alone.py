"""Pictures of the page as files of their own, for a README or a talk."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape
from typing import NamedTuple

from graphrings.errors import ExperimentError
from graphrings.report.framing import clean, part
from graphrings.report.plots.canvas import label, printable
from graphrings.report.plots.legends import MARKS, WORDS, kinds_of, swatch
from graphrings.report.plots.opening import opening_charts
from graphrings.report.plots.plane import FOOT, HEIGHT, TOP, Plane, inside, place_of
from graphrings.report.plots.radius import radius_planes
from graphrings.report.plots.rows import HEAD, NAME, ROW, Chart, area, height, tick_words
from graphrings.report.tables import Comparison
from graphrings.report.words import explained
from graphrings.results.record import Record

NAMES, AREA, VALUES = 170, 230, 60  # widths of the parts of a chart
TICKS, PLANE = 52, 340  # widths of the parts of a plane
GAP, TITLE, UNIT = 24, 28, 20
MOST_COLUMNS = 3
STYLE = "text { fill: var(--ink); } .soft { fill: var(--soft); } .strong { font-weight: 600; }"


class Entry(NamedTuple):
    """A mark, what it means, and what is drawn of it."""

    name: str
    mark: str


class Part(NamedTuple):
    """One of several pictures side by side: its size, the SVG, and all of it in words."""

    width: float
    height: float
    svg: str
    words: str


def opening_picture(comparison: Comparison, records: Sequence[Record]) -> str:
    """All methods on all datasets."""
    charts = opening_charts(comparison, records)
    if not charts:
        raise ExperimentError(
            f"{comparison.card.name}: nothing to draw; no cell has {comparison.score.title} yet"
        )
    legend = [Entry(WORDS[kind], MARKS[kind]) for kind in kinds_of(charts)]
    return _side_by_side(comparison, legend, [_chart(chart) for chart in charts])


def radius_picture(comparison: Comparison, records: Sequence[Record]) -> str:
    """The score by radius on all datasets."""
    planes, keys = radius_planes(comparison, records)
    if not planes:
        raise ExperimentError(
            f"{comparison.card.name}: nothing to draw; no two radii of a method were compared yet"
        )
    legend = [Entry(key.name, swatch(key.look, key.has_line)) for key in keys]
    return _side_by_side(comparison, legend, [_plane(plane) for plane in planes])


PICTURES: dict[str, Callable[[Comparison, Sequence[Record]], str]] = {
    "opening": opening_picture,
    "radius": radius_picture,
}


def _side_by_side(comparison: Comparison, legend: Sequence[Entry], parts: Sequence[Part]) -> str:
    """Pictures of an experiment in rows, with one legend, in light and in dark."""
    columns = min(MOST_COLUMNS, math.ceil(math.sqrt(len(parts))))
    width = columns * (parts[0].width + GAP) - GAP
    marks, top = _legend(legend, width)
    tallest = max(one.height for one in parts) + GAP
    placed = (
        f'<g transform="translate({(i % columns) * (one.width + GAP):g} '
        f'{top + (i // columns) * tallest:g})">{one.svg}</g>'
        for i, one in enumerate(parts)
    )
    tall = top + tallest * math.ceil(len(parts) / columns)
    heading = f"{comparison.card.name}: {comparison.fold} {explained(comparison.score)}"
    style = "\n".join([part("colours.css"), part("chart.css"), STYLE])
    told = " ".join(f"{one.words}." for one in parts)
    return clean(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-16 -8 {width + 32:g} {tall:g}" '
        f'width="{width + 32:g}" height="{tall:g}" role="img" font-size="13" '
        f'font-family="system-ui, -apple-system, Segoe UI, Roboto, Arial, sans-serif">'
        f"<title>{escape(printable(told))}</title><style>{style}</style>"
        f'<rect x="-16" y="-8" width="100%" height="100%" style="fill:var(--paper)"/>'
        f'<text class="strong" y="18" font-size="17">{escape(printable(heading))}</text>'
        f"{marks}{''.join(placed)}</svg>\n"
    )


def _legend(entries: Sequence[Entry], width: float) -> tuple[str, float]:
    """The legend in as many lines as it needs, and where the pictures begin."""
    parts, x, y = [], 0.0, 44.0
    for name, mark in entries:
        room = 44 + 7 * len(name)
        if x and x + room > width:
            x, y = 0.0, y + 22
        parts.append(
            f'<g transform="translate({x + 14:g} {y:g})">{mark}'
            f'<text class="soft" x="18" y="4">{escape(printable(name))}</text></g>'
        )
        x += room
    return "".join(parts), y + 26


def _chart(chart: Chart) -> Part:
    """Names, marks and values, row by row."""
    top, width = TITLE + HEAD * len(chart.uprights), NAMES + AREA + VALUES
    words = []
    for i, row in enumerate(chart.rows):
        line = top + ROW * (i + 0.5) + 4
        name, strong = escape(label(row.name, NAME)), ' class="strong"' if row.is_best else ""
        words.append(f'<text x="{NAMES - 12}" y="{line:g}" text-anchor="end">{name}</text>')
        words.append(
            f'<text{strong} x="{width}" y="{line:g}" text-anchor="end">{escape(row.shown)}</text>'
        )
    svg = (
        f"{_title(NAMES, chart.name)}{''.join(words)}"
        f'<svg class="area" x="{NAMES}" y="{TITLE}" width="{AREA}" height="{height(chart):g}">'
        f"{area(chart)}</svg>"
    )
    return Part(width, height(chart) + TITLE, svg, chart.words)


def _plane(plane: Plane) -> Part:
    """Points and lines with both axes."""
    place, top = place_of(plane), TITLE + UNIT
    ticks = "".join(
        f'<text class="soft" x="{TICKS - 8}" y="{top + place.height(tick) + 4:.1f}" '
        f'font-size="12" text-anchor="end">{name}</text>'
        for tick, name in zip(place.y.ticks(), tick_words(place.y), strict=True)
    )
    tall = TOP + HEIGHT + FOOT
    svg = (
        f"{_title(TICKS, plane.name)}"
        f'<text class="soft" x="{TICKS}" y="{TITLE + 6}" font-size="12">{escape(plane.y_axis)}'
        f'</text>{ticks}<svg class="area" x="{TICKS}" y="{top}" width="{PLANE}" '
        f'height="{tall:g}">{inside(plane, place)}</svg>'
    )
    return Part(TICKS + PLANE, top + tall, svg, plane.words)


def _title(x: float, name: str) -> str:
    return f'<text class="strong" x="{x}" y="12" font-size="15">{escape(label(name, 30))}</text>'
