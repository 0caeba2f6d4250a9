"""The opening picture as a file of its own, for a README or a talk."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from graphrings.errors import ExperimentError
from graphrings.report.framing import clean, part
from graphrings.report.plots.canvas import label, printable
from graphrings.report.plots.legends import MARKS, WORDS, kinds_of
from graphrings.report.plots.opening import opening_charts
from graphrings.report.plots.rows import HEAD, NAME, ROW, Chart, area, height
from graphrings.report.tables import Comparison
from graphrings.report.words import explained
from graphrings.results.record import Record

NAMES, AREA, VALUES = 170, 230, 60  # widths of the parts of a chart
GAP, TITLE = 24, 28
WIDTH = NAMES + AREA + VALUES
MOST_COLUMNS = 3
STYLE = "text { fill: var(--ink); } .soft { fill: var(--soft); } .strong { font-weight: 600; }"


def opening_picture(comparison: Comparison, records: Sequence[Record]) -> str:
    """All charts of an experiment side by side with one legend, in light and in dark."""
    charts = opening_charts(comparison, records)
    if not charts:
        raise ExperimentError(
            f"{comparison.card.name}: nothing to draw; no cell has {comparison.score.title} yet"
        )
    columns = min(MOST_COLUMNS, math.ceil(math.sqrt(len(charts))))
    legend, top = _legend(charts, columns * (WIDTH + GAP) - GAP)
    tallest = max(map(height, charts)) + TITLE + GAP
    parts = [
        _placed(chart, (i % columns) * (WIDTH + GAP), top + (i // columns) * tallest)
        for i, chart in enumerate(charts)
    ]
    size = columns * (WIDTH + GAP) - GAP, top + tallest * math.ceil(len(charts) / columns)
    heading = f"{comparison.card.name}: {comparison.fold} {explained(comparison.score)}"
    style = "\n".join([part("colours.css"), part("chart.css"), STYLE])
    told = " ".join(f"{chart.words}." for chart in charts)
    return clean(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-16 -8 {size[0] + 32} {size[1]:g}" '
        f'width="{size[0] + 32}" height="{size[1]:g}" role="img" font-size="13" '
        f'font-family="system-ui, -apple-system, Segoe UI, Roboto, Arial, sans-serif">'
        f"<title>{escape(printable(told))}</title><style>{style}</style>"
        f'<rect x="-16" y="-8" width="100%" height="100%" style="fill:var(--paper)"/>'
        f'<text class="strong" y="18" font-size="17">{escape(printable(heading))}</text>'
        f"{legend}{''.join(parts)}</svg>\n"
    )


def _legend(charts: Sequence[Chart], width: float) -> tuple[str, float]:
    """The legend in as many lines as it needs, and where the charts begin."""
    parts, x, y = [], 0.0, 44.0
    for kind in kinds_of(charts):
        room = 44 + 7 * len(WORDS[kind])
        if x and x + room > width:
            x, y = 0.0, y + 22
        parts.append(
            f'<g transform="translate({x + 14:g} {y:g})">{MARKS[kind]}'
            f'<text class="soft" x="18" y="4">{WORDS[kind]}</text></g>'
        )
        x += room
    return "".join(parts), y + 26


def _placed(chart: Chart, x: float, y: float) -> str:
    """A chart at its place: names, marks and values."""
    top = TITLE + HEAD * len(chart.uprights)
    words = []
    for i, row in enumerate(chart.rows):
        line = top + ROW * (i + 0.5) + 4
        name, strong = escape(label(row.name, NAME)), ' class="strong"' if row.is_best else ""
        words.append(f'<text x="{NAMES - 12}" y="{line:g}" text-anchor="end">{name}</text>')
        words.append(
            f'<text{strong} x="{WIDTH}" y="{line:g}" text-anchor="end">{escape(row.shown)}</text>'
        )
    return (
        f'<g transform="translate({x:g} {y:g})">'
        f'<text class="strong" x="{NAMES}" y="12" font-size="15">{escape(label(chart.name, 30))}'
        f"</text>{''.join(words)}"
        f'<svg class="area" x="{NAMES}" y="{TITLE}" width="{AREA}" height="{height(chart):g}">'
        f"{area(chart)}</svg></g>"
    )
