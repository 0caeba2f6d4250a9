"""Charts of rows: names at the left, marks along one axis, values at the right.

A page lays names and values out as HTML, so that they are set in its font, and the marks as an SVG
whose places are percentages, so that it is as wide as there is room while its text and marks keep
their size. In a file of its own the same SVG stands inside a larger one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from markupsafe import Markup
from matplotlib.ticker import LogLocator, MaxNLocator

from graphrings.report.plots.canvas import label, printable
from graphrings.report.words import MINUS, MOST_DECIMALS

ROW = 24.0  # height of a row, in pixels
HEAD, FOOT = 16.0, 40.0  # above the rows, for each line that has a name; below them, for the axis
PAD = 0.06  # of the range, beside the outermost mark
SMALLEST = 10.0**-MOST_DECIMALS  # range that is drawn
REACH = 0.5  # of the range: a line further away is named at the edge instead
WIDTH = 1000  # units of a picture that is stretched
NAME = 22  # characters of a name at most
PAPER, MEDIAN, FOLDS = "paper", "median", "folds"  # kinds of marks that are drawn otherwise


class Box(NamedTuple):
    """The middle half of some values with their median, and dots for some: value and offset."""

    low: float
    middle: float
    high: float
    dots: tuple[tuple[float, float], ...]


class Mark(NamedTuple):
    """A value on a row, what is said of it in words, how it looks, and its interval.

    The interval of one that is not ``firm`` may be cut off: of two folds it says little. Offsets of
    the dots in a ``box`` are parts of the row's height.
    """

    value: float
    words: str
    kind: str = ""
    interval: tuple[float, float] | None = None
    firm: bool = True
    box: Box | None = None


class ChartRow(NamedTuple):
    """A row: its name, the value in words that stands at its end, and the marks on it."""

    name: str
    shown: str
    marks: tuple[Mark, ...]
    is_best: bool = False


class Upright(NamedTuple):
    """A line over all rows: where, what it is called there, how it looks."""

    value: float
    name: str
    kind: str


@dataclass(frozen=True)
class Chart:
    """Rows on one axis. ``limits`` are values that no interval may pass; ``words`` tell it all."""

    name: str
    rows: tuple[ChartRow, ...]
    axis: str
    words: str
    uprights: tuple[Upright, ...] = ()
    limits: tuple[float, float] = (-math.inf, math.inf)
    is_logarithmic: bool = False


@dataclass(frozen=True)
class Scale:
    """From values to percent of the width."""

    low: float
    high: float
    is_logarithmic: bool = False

    def __call__(self, value: float) -> str:
        """The place of a value."""
        return percent(self.share(value))

    def share(self, value: float) -> float:
        """The place of a value as a part of the width."""
        low, high, at = (self._along(one) for one in (self.low, self.high, value))
        return (at - low) / (high - low)

    def holds(self, value: float) -> bool:
        """Whether a value lies on the axis."""
        return self.low <= value <= self.high

    def ticks(self) -> list[float]:
        """Round numbers along the axis."""
        if self.is_logarithmic:
            locator = LogLocator(numticks=5)
            few = [float(t) for t in locator.tick_values(self.low, self.high) if self.holds(t)]
            if len(few) > 1:
                return few
            locator = LogLocator(subs=(1, 2, 5), numticks=9)
            return [float(t) for t in locator.tick_values(self.low, self.high) if self.holds(t)]
        every = MaxNLocator(nbins=4, steps=[1, 2, 2.5, 5, 10]).tick_values(self.low, self.high)
        return [float(tick) for tick in every if self.holds(tick)]

    def _along(self, value: float) -> float:
        return math.log10(value) if self.is_logarithmic else value


def percent(share: float) -> str:
    """A part of the width, as SVG writes it."""
    return f"{100 * share:.2f}".rstrip("0").rstrip(".") + "%"


def padded(values: Sequence[float], is_logarithmic: bool = False) -> Scale:
    """An axis that holds all values that are numbers, with some room beside them."""
    known = [value for value in values if not math.isnan(value)]
    low, high = min(known), max(known)
    if is_logarithmic:
        wide = high / low > 2
        return Scale(low / 1.3, high * 1.3, True) if wide else Scale(low / 2, high * 2, True)
    span = _span(low, high)
    return Scale(low - PAD * span, high + PAD * span)


def _span(low: float, high: float) -> float:
    """How far values reach; if not at all, as far as they are from 0."""
    span = high - low if high - low > SMALLEST else max(abs(high), abs(low))
    return span if span > SMALLEST else 1.0


def scale_of(chart: Chart) -> Scale:
    """An axis that holds all marks, and the lines that are not too far away."""
    marks = [mark for row in chart.rows for mark in row.marks]
    ends = [end for mark in marks for end in _ends(mark, chart.limits)[: None if mark.firm else 1]]
    if chart.is_logarithmic:
        return padded(ends, True)
    low, high = min(ends), max(ends)
    span = _span(low, high)
    for upright in chart.uprights:
        if low - REACH * span <= upright.value <= high + REACH * span:
            low, high = min(low, upright.value), max(high, upright.value)
    pad = PAD * max(high - low, span)
    return Scale(low - pad, high + pad)


def _ends(mark: Mark, limits: tuple[float, float]) -> tuple[float, ...]:
    """A value and its interval, as far as that may reach."""
    interval = mark.interval or ()
    return mark.value, *(min(max(end, limits[0]), limits[1]) for end in interval)


def area(chart: Chart) -> str:
    """The inside of the SVG: grid, lines, marks and axis."""
    scale = scale_of(chart)
    top = HEAD * len(chart.uprights)
    bottom = top + ROW * len(chart.rows)
    parts = [_grid(scale, top, bottom)]
    parts += [_upright(one, i, scale, bottom) for i, one in enumerate(chart.uprights)]
    for i, row in enumerate(chart.rows):
        y = top + ROW * (i + 0.5)
        parts += [_mark(mark, y, scale, chart.limits) for mark in row.marks]
    parts.append(_dots(chart, scale, top, bottom))
    title = f'<text x="50%" y="{bottom + 34:g}" text-anchor="middle">{escape(chart.axis)}</text>'
    return "".join([*parts, title])


def height(chart: Chart) -> float:
    """How high the SVG is, in pixels."""
    return HEAD * len(chart.uprights) + ROW * len(chart.rows) + FOOT


def _grid(scale: Scale, top: float, bottom: float) -> str:
    lines, words = [], []
    for tick, shown in zip(scale.ticks(), tick_words(scale), strict=True):
        at = scale(tick)
        lines.append(f'<line class="grid" x1="{at}" x2="{at}" y1="{top:g}" y2="{bottom:g}"/>')
        words.append(f'<text x="{at}" y="{bottom + 16:g}" text-anchor="middle">{shown}</text>')
    return "".join(lines + words)


def tick_words(scale: Scale) -> list[str]:
    """The ticks of an axis as text, along a linear one with the same number of decimals."""
    ticks = scale.ticks()
    needed = [len(f"{tick:.{MOST_DECIMALS}f}".rstrip("0").partition(".")[2]) for tick in ticks]
    if not scale.is_logarithmic:
        needed = [max(needed, default=0)] * len(ticks)
    return [
        f"{tick:,.{places}f}".replace("-", MINUS)
        for tick, places in zip(ticks, needed, strict=True)
    ]


def _upright(one: Upright, line: int, scale: Scale, bottom: float) -> str:
    """The line with its name above it; one that is too far away is an arrow at the edge."""
    y = HEAD * line + 11
    name = escape(one.name)
    if one.value > scale.high:
        return f'<text x="100%" y="{y:g}" text-anchor="end">{name} →</text>'
    if one.value < scale.low:
        return f'<text x="0" y="{y:g}">← {name}</text>'
    at = scale(one.value)
    share = float(at[:-1])
    anchor = "start" if share < 30 else "end" if share > 70 else "middle"
    return (
        f'<line class="{one.kind}" x1="{at}" x2="{at}" y1="{y + 3:g}" y2="{bottom:g}"/>'
        f'<text x="{at}" y="{y:g}" text-anchor="{anchor}">{name}</text>'
    )


def _mark(mark: Mark, y: float, scale: Scale, limits: tuple[float, float]) -> str:
    at = scale(mark.value)
    title = f"<title>{escape(printable(mark.words))}</title>"
    if mark.kind == PAPER:
        shape = f'<path class="printed" d="M0-6 5.5 0 0 6-5.5 0Z"/>{HIT}'
        return f'<svg class="t" x="{at}" y="{y:g}" overflow="visible">{title}{shape}</svg>'
    ends = _ends(mark, limits)[1:]
    kind = "range" if mark.kind in (MEDIAN, FOLDS) else "span"
    places = [scale(min(max(end, scale.low), scale.high)) for end in ends]
    line = f'<line class="{kind}" x1="{{}}" x2="{{}}" y1="{y:g}" y2="{y:g}"/>' if ends else ""
    box = _box(mark.box, y, scale) if mark.box else ""
    return (
        f'<g class="t {mark.kind}">{title}{line.format(*places)}{box}'
        f'<circle class="dot" cx="{at}" cy="{y:g}" r="5"/>'
        f'<circle cx="{at}" cy="{y:g}" r="12" fill="transparent"/></g>'
    )


def _box(box: Box, y: float, scale: Scale) -> str:
    """The middle half, and a line at the median."""
    half, middle = ROW / 4, scale(box.middle)
    width = percent(scale.share(box.high) - scale.share(box.low))
    return (
        f'<rect class="box" x="{scale(box.low)}" width="{width}" y="{y - half:g}" '
        f'height="{2 * half:g}"/>'
        f'<line class="middle" x1="{middle}" x2="{middle}" y1="{y - half:g}" y2="{y + half:g}"/>'
    )


def _dots(chart: Chart, scale: Scale, top: float, bottom: float) -> str:
    """The dots of all boxes as one line of no length: stretched in its places, not in its ends."""
    dots = []
    for i, row in enumerate(chart.rows):
        for value, offset in (dot for m in row.marks if m.box for dot in m.box.dots):
            y = top + ROW * (i + 0.5 + offset)
            dots.append(f"M{WIDTH * scale.share(value):.0f} {y:.1f}h0")
    if not dots:
        return ""
    size = f'viewBox="0 0 {WIDTH} {bottom:g}" width="100%" height="{bottom:g}"'
    path = f'<path class="dots" d="{"".join(dots)}"/>'
    return f'<svg class="lines" {size} preserveAspectRatio="none">{path}</svg>'


HIT = '<circle r="12" fill="transparent"/>'  # what a pointer may touch is larger than the mark


def on_page(chart: Chart) -> Markup:
    """The chart as HTML."""
    top = HEAD * len(chart.uprights)
    names = _column("names", top, ((row.name, label(row.name, NAME), False) for row in chart.rows))
    values = _column("values", top, ((row.shown, row.shown, row.is_best) for row in chart.rows))
    return Markup(  # noqa: S704, escaped above
        f'<div class="chart" role="img" aria-label="{escape(printable(chart.words))}">{names}'
        f'<svg class="area" width="100%" height="{height(chart):g}">{area(chart)}</svg>'
        f"{values}</div>"
    )


def _column(kind: str, top: float, entries: Iterable[tuple[str, str, bool]]) -> str:
    """A line of text for every row: all of it for whoever points at it, and what is shown."""
    spans = []
    for full, short, strong in entries:
        tip = "" if full == short else f' title="{escape(printable(full))}"'
        words = f"<strong>{escape(short)}</strong>" if strong else escape(short)
        spans.append(f"<span{tip}>{words}</span>")
    return f'<div class="{kind}" style="padding-top:{top:g}px">{"".join(spans)}</div>'
