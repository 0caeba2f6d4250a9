"""Pictures of points and lines on two axes, as wide as there is room.

Like charts of rows they are laid out by the page: places along the width are percentages, so that
text and marks keep their size, and lines lie in a picture of their own that is stretched.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from markupsafe import Markup

from graphrings.report.plots.canvas import label, printable
from graphrings.report.plots.looks import DASHED, SHAPES, Look, variable
from graphrings.report.plots.rows import HIT, WIDTH, Scale, padded, tick_words

HEIGHT = 190.0  # of the area with the marks, in pixels
TOP, FOOT = 10.0, 40.0  # above it, and below it for the axis
NARROW = 260.0  # pixels that an area has at least: names that would overlap then are left out
LETTER, LINE = 7.0, 15.0  # how much room a name takes
NAME = 18  # characters of a name at most


class Spot(NamedTuple):
    """A point, what is said of it in words, and a name that stands beside it."""

    x: float
    y: float
    words: str
    name: str = ""


class Line(NamedTuple):
    """Points of one look; without a look they are joined and not marked.

    ``band`` has the lower and the upper end of an interval for every point.
    """

    look: Look | None
    spots: tuple[Spot, ...]
    is_joined: bool = True
    band: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class Plane:
    """Lines and points; ``words`` tell it all. ``ticks`` are those of x, else round numbers."""

    name: str
    lines: tuple[Line, ...]
    x_axis: str
    y_axis: str
    words: str
    ticks: tuple[float, ...] = ()
    is_logarithmic: bool = False

    @property
    def spots(self) -> list[Spot]:
        """All points."""
        return [spot for line in self.lines for spot in line.spots]


class Place(NamedTuple):
    """From values to places: percent of the width, pixels from the top."""

    x: Scale
    y: Scale

    def height(self, value: float) -> float:
        """Where a value stands, in pixels."""
        return TOP + HEIGHT * (1 - self.y.share(value))


def place_of(plane: Plane) -> Place:
    """Axes that hold all points and bands."""
    across = [spot.x for spot in plane.spots]
    high = [spot.y for spot in plane.spots]
    high += [end for line in plane.lines for ends in line.band for end in ends]
    return Place(padded(across, plane.is_logarithmic), padded(high))


def plane_on_page(plane: Plane) -> Markup:
    """The picture as HTML."""
    place = place_of(plane)
    names = tick_words(place.y)
    heights = [place.height(tick) for tick in place.y.ticks()]
    spans = "".join(
        f'<span style="top:{at:.0f}px">{name}</span>'
        for at, name in zip(heights, names, strict=True)
    )
    width = max((len(name) for name in names), default=0)
    size = f'width="100%" height="{TOP + HEIGHT + FOOT:g}"'
    return Markup(  # noqa: S704, escaped above and below
        f'<div class="plane" role="img" aria-label="{escape(printable(plane.words))}">'
        f'<div class="unit">{escape(plane.y_axis)}</div>'
        f'<div class="ticks" style="width:{width}ch">{spans}</div>'
        f'<svg class="area" {size}>{inside(plane, place)}</svg></div>'
    )


def inside(plane: Plane, place: Place) -> str:
    """What lies between the axes, and the axis below."""
    parts = [_grid(plane, place), _stretched(plane.lines, place)]
    parts += [_marks(line, place) for line in plane.lines if line.look]
    return "".join([*parts, *(_name(*one) for one in named(plane, place))])


def _grid(plane: Plane, place: Place) -> str:
    """Lines across at round values, ticks below, and what the axis shows."""
    bottom, parts = TOP + HEIGHT, []
    for tick in place.y.ticks():
        y = f"{place.height(tick):.1f}"
        parts.append(f'<line class="grid" x1="0" x2="100%" y1="{y}" y2="{y}"/>')
    scale = place.x
    shown = [f"{tick:g}" for tick in plane.ticks] or tick_words(scale)
    for tick, name in zip(plane.ticks or scale.ticks(), shown, strict=True):
        at = scale(tick)
        parts.append(f'<text x="{at}" y="{bottom + 16:g}" text-anchor="middle">{name}</text>')
    title = f'<text x="50%" y="{bottom + 34:g}" text-anchor="middle">{escape(plane.x_axis)}</text>'
    return "".join([*parts, title])


def _stretched(lines: Iterable[Line], place: Place) -> str:
    """Bands and lines; only their places are stretched, not how thick they are."""

    def points(pairs: Iterable[tuple[float, float]]) -> str:
        return " ".join(
            f"{WIDTH * place.x.share(x):.0f},{place.height(y):.1f}" for x, y in pairs if y == y
        )

    drawn = []
    for line in lines:
        colour = variable(line.look.colour) if line.look else "var(--soft)"
        across = [spot.x for spot in line.spots]
        if line.band:
            low, high = ([ends[k] for ends in line.band] for k in (0, 1))
            around = [*zip(across, low, strict=True)]
            around += [*zip(across, high, strict=True)][::-1]
            drawn.append(f'<polygon style="fill:{colour}" points="{points(around)}"/>')
        if line.is_joined and len(across) > 1:
            dashes = f' stroke-dasharray="{DASHED[line.look.dash]}"' if line.look else ""
            way = points((spot.x, spot.y) for spot in line.spots)
            drawn.append(f'<polyline style="stroke:{colour}"{dashes} points="{way}"/>')
    size = f'viewBox="0 0 {WIDTH} {TOP + HEIGHT:g}" width="100%" height="{TOP + HEIGHT:g}"'
    return f'<svg class="lines" {size} preserveAspectRatio="none">{"".join(drawn)}</svg>'


def _marks(line: Line, place: Place) -> str:
    assert line.look is not None
    shape = f'<path d="{SHAPES[line.look.marker]}" style="fill:{variable(line.look.colour)}"/>'
    return "".join(
        f'<svg class="t" x="{place.x(spot.x)}" y="{place.height(spot.y):.1f}" overflow="visible">'
        f"<title>{escape(printable(spot.words))}</title>{shape}{HIT}</svg>"
        for spot in line.spots
    )


class Named(NamedTuple):
    """A name with its place; ``anchor`` says which part of it stands there."""

    name: str
    x: str
    y: float
    anchor: str


def named(plane: Plane, place: Place) -> list[Named]:
    """The names of points, above or below them, without those for which there is no room.

    At the left they stand on the side away from where the names go on.
    """
    taken: list[tuple[float, float, float, float]] = []
    names = []
    spots = sorted((spot for spot in plane.spots if spot.name), key=lambda spot: spot.x)
    rises = bool(spots) and spots[-1].y > spots[0].y
    for spot in spots:
        name, share = label(spot.name, NAME), place.x.share(spot.x)
        anchor = "start" if share < 0.3 else "end" if share > 0.7 else "middle"
        sides = -11.0, 19.0
        for side in sides if rises == (share > 0.5) else sides[::-1]:
            y = place.height(spot.y) + side
            box = _room(name, NARROW * share, y, anchor)
            fits = LINE - TOP < y < TOP + HEIGHT + LINE / 2
            if fits and not any(_overlap(box, other) for other in taken):
                taken.append(box)
                names.append(Named(name, place.x(spot.x), y, anchor))
                break
    return names


def _room(name: str, x: float, y: float, anchor: str) -> tuple[float, float, float, float]:
    """Left, right, top and bottom of a name."""
    width = LETTER * len(name)
    left = x - width * {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
    return left, left + width, y - LINE, y


def _overlap(one: Sequence[float], other: Sequence[float]) -> bool:
    beside = one[1] <= other[0] or other[1] <= one[0]
    above = one[3] <= other[2] or other[3] <= one[2]
    return not (beside or above)


def _name(name: str, x: str, y: float, anchor: str) -> str:
    text = escape(printable(name))
    return f'<text class="name" x="{x}" y="{y:.1f}" text-anchor="{anchor}">{text}</text>'
