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
from graphrings.report.plots.rows import FOOT as FOOT_OF_ROWS
from graphrings.report.plots.rows import HEAD, NAME, ROW, Chart, area, height, tick_words
from graphrings.report.tables import Comparison
from graphrings.report.words import explained
from graphrings.results.record import Record

NAMES, VALUES = 170, 44  # widths of what stands beside the marks of a chart
WIDEST_AREA, WIDEST, NARROWEST = 230, 910, 500  # of the marks, and of all charts in a line
LETTER = 9  # width of a letter of a title
TICKS, PLANE = 52, 340  # widths of the parts of a plane
GAP, TITLE, UNIT = 24, 28, 20
MOST_PLANES, MOST_CHARTS = 3, 4  # beside each other
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
    """All methods on all datasets: charts that share a line have one column of names."""
    charts = opening_charts(comparison, records, aligned=True)
    if not charts:
        raise ExperimentError(
            f"{comparison.card.name}: nothing to draw; no cell has {comparison.score.title} yet"
        )
    legend = [Entry(WORDS[kind], MARKS[kind]) for kind in kinds_of(charts)]
    lines = -(-len(charts) // MOST_CHARTS)
    across = -(-len(charts) // lines)  # no line is much shorter than the others
    wide = min(WIDEST_AREA, (WIDEST - NAMES + GAP) // across - VALUES - GAP)
    parts = [_charts(charts[i : i + across], wide) for i in range(0, len(charts), across)]
    return _arranged(comparison, legend, parts, columns=1)


def radius_picture(comparison: Comparison, records: Sequence[Record]) -> str:
    """The score by radius on all datasets."""
    planes, keys = radius_planes(comparison, records)
    if not planes:
        raise ExperimentError(
            f"{comparison.card.name}: nothing to draw; no two radii of a method were compared yet"
        )
    legend = [Entry(key.name, swatch(key.look, key.has_line)) for key in keys]
    columns = min(MOST_PLANES, math.ceil(math.sqrt(len(planes))))
    return _arranged(comparison, legend, [_plane(plane) for plane in planes], columns)


PICTURES: dict[str, Callable[[Comparison, Sequence[Record]], str]] = {
    "opening": opening_picture,
    "radius": radius_picture,
}


def _arranged(
    comparison: Comparison, legend: Sequence[Entry], parts: Sequence[Part], columns: int
) -> str:
    """Pictures of an experiment in lines, with one legend, in light and in dark."""
    width = max(NARROWEST, columns * (parts[0].width + GAP) - GAP)
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


def _charts(charts: Sequence[Chart], wide: int) -> Part:
    """Charts with the same rows beside each other: the names once, marks and values of each."""
    top = TITLE + HEAD * max(len(chart.uprights) for chart in charts)
    places = [(NAMES + i * (wide + VALUES + GAP), chart) for i, chart in enumerate(charts)]
    words = [
        f'<text x="{NAMES - 12}" y="{_line(top, i)}" text-anchor="end">'
        f"{escape(label(row.name, NAME))}</text>"
        for i, row in enumerate(charts[0].rows)
    ]
    for x, chart in places:
        for i, row in enumerate(chart.rows):
            strong = ' class="strong"' if row.is_best else ""
            words.append(
                f'<text{strong} x="{x + wide + VALUES}" y="{_line(top, i)}" text-anchor="end">'
                f"{escape(row.shown)}</text>"
            )
        words.append(_title(x, chart.name, (wide + VALUES) // LETTER))
        above = top - HEAD * len(chart.uprights)
        words.append(
            f'<svg class="area" x="{x}" y="{above:g}" width="{wide}" '
            f'height="{height(chart):g}">{area(chart)}</svg>'
        )
    width = places[-1][0] + wide + VALUES
    tall = top + ROW * len(charts[0].rows) + FOOT_OF_ROWS
    return Part(width, tall, "".join(words), ". ".join(chart.words for chart in charts))


def _line(top: float, row: int) -> str:
    """Where the words of a row stand."""
    return f"{top + ROW * (row + 0.5) + 4:g}"


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


def _title(x: float, name: str, most: int = 30) -> str:
    return f'<text class="strong" x="{x}" y="12" font-size="15">{escape(label(name, most))}</text>'
