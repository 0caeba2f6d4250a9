"""Charts of rows: what they hold, where their marks stand, and that nothing passes a limit."""

import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrings.report.plots.intervals import Bar, intervals
from graphrings.report.plots.legends import FOREST, MARKS, SHAPES, WORDS, kinds_of, marks_legend
from graphrings.report.plots.looks import MARKERS
from graphrings.report.plots.rows import (
    Chart,
    ChartRow,
    Mark,
    Scale,
    Upright,
    area,
    height,
    on_page,
    scale_of,
    tick_words,
)
from graphrings.report.words import MINUS
from graphrings.tasks.scores import SCORES

values = st.floats(-1e6, 1e6)


def chart(*marks: Mark, **more: object) -> Chart:
    rows = tuple(ChartRow(f"row {i}", "1", (mark,)) for i, mark in enumerate(marks))
    return Chart("MUTAG", rows, "axis", "words", **more)  # type: ignore[arg-type]


def places(svg: str) -> list[float]:
    """Every place along the axis, in percent."""
    return [float(place) for place in re.findall(r'\b(?:x|cx|x1|x2)="(-?[\d.]+)%"', svg)]


@given(st.lists(st.tuples(values, values, values), min_size=1, max_size=5))
def test_all_marks_and_their_intervals_are_inside(triples: list[tuple[float, ...]]) -> None:
    ordered = [sorted(triple) for triple in triples]
    drawn = area(chart(*(Mark(middle, "", "", (low, high)) for low, middle, high in ordered)))
    assert all(0 <= place <= 100 for place in places(drawn))
    ET.fromstring(f"<svg>{drawn}</svg>")  # noqa: S314


@given(values, values)
def test_places_are_in_the_order_of_the_values(a: float, b: float) -> None:
    scale = scale_of(chart(Mark(a, ""), Mark(b, "")))
    left, right = (float(scale(value)[:-1]) for value in sorted((a, b)))
    assert left <= right


def test_an_interval_never_passes_its_limits() -> None:
    wide = chart(Mark(97.0, "", "", (88.0, 106.0)), limits=(0.0, 100.0))
    lines = re.findall(r'<line class="span" x1="(.*?)%" x2="(.*?)%"', area(wide))
    ((_, end),) = lines
    assert float(end) == pytest.approx(float(scale_of(wide)(100.0)[:-1]))


def test_an_interval_that_is_not_firm_is_cut_off_at_the_edge() -> None:
    firm, loose = Mark(60.0, "", "", (58.0, 62.0)), Mark(61.0, "", "", (10.0, 100.0), firm=False)
    scale = scale_of(chart(firm, loose))
    assert scale.low > 55
    assert scale.high < 65
    assert max(places(area(chart(firm, loose)))) == 100


def test_a_line_far_away_is_an_arrow_at_the_edge() -> None:
    marks = Mark(60.0, ""), Mark(62.0, "")
    near = area(chart(*marks, uprights=(Upright(62.5, "bound 62.5", "ceiling"),)))
    assert 'class="ceiling"' in near
    far = area(chart(*marks, uprights=(Upright(99.0, "bound 99.0", "ceiling"),)))
    assert "bound 99.0 →" in far
    assert 'class="ceiling"' not in far
    below = area(chart(*marks, uprights=(Upright(5.0, "majority 5.0", "majority"),)))
    assert "← majority 5.0" in below


@given(st.floats(-1e4, 1e4), st.floats(0.01, 1e4))
def test_ticks_are_even_and_their_words_mean_them(low: float, width: float) -> None:
    scale = Scale(low, low + width)
    ticks = scale.ticks()
    assert 2 <= len(ticks) <= 6
    assert all(map(scale.holds, ticks))
    assert np.diff(ticks) == pytest.approx(ticks[1] - ticks[0])
    said = [float(word.replace(",", "").replace(MINUS, "-")) for word in tick_words(scale)]
    assert said == pytest.approx(ticks, abs=1e-4 * width)


def test_ticks_of_a_logarithmic_axis() -> None:
    assert tick_words(Scale(0.05, 500, is_logarithmic=True)) == ["0.1", "1", "10", "100"]
    assert {"3", "5", "8"} <= set(tick_words(Scale(3, 8, is_logarithmic=True)))
    assert tick_words(Scale(20, 2e5, is_logarithmic=True))[-1] == "100,000"


def test_one_value_still_has_an_axis() -> None:
    for value in (0.0, 50.0, -3.0):
        scale = scale_of(chart(Mark(value, "")))
        assert scale.low < value < scale.high


def test_names_are_escaped_and_long_ones_shortened() -> None:
    hostile = '<b>"&' + "x" * 40
    row = ChartRow(hostile, "<i>", (Mark(1.0, hostile),))
    text = str(on_page(Chart(hostile, (row,), hostile, hostile)))
    assert "<b>" not in text
    assert "<i>" not in text
    assert text.count("x" * 40) == 4  # the title of the name, the mark, the axis and the words
    ET.fromstring(text)  # noqa: S314


def test_the_height_grows_with_the_rows() -> None:
    one, two = chart(Mark(1.0, "")), chart(Mark(1.0, ""), Mark(2.0, ""))
    assert height(two) - height(one) == 24


def test_intervals_name_every_row_and_the_line_to_beat() -> None:
    bars = [Bar("best on validation", 91.4, (88.9, 93.9), True), Bar("wl", 90.0, None)]
    made = intervals(bars, SCORES["accuracy"], [Upright(66.5, "without a model", "majority")])
    assert made is not None
    assert [(row.name, row.shown, row.is_best) for row in made.rows] == [
        ("best on validation", "91.4", True),
        ("wl", "90.0", False),
    ]
    assert made.words.endswith("best on validation 91.4 %, wl 90.0 %")
    assert "95 % interval 88.9 to 93.9" in made.rows[0].marks[0].words
    assert made.limits == (0.0, 100.0)
    assert intervals([], SCORES["accuracy"]) is None


def test_a_legend_names_what_occurs() -> None:
    some = chart(Mark(1.0, ""), Mark(2.0, "", "paper"), uprights=(Upright(0.5, "", "majority"),))
    assert kinds_of([some]) == ["mean", "paper", "majority"]
    assert [entry.name for entry in marks_legend(FOREST)] == [WORDS[kind] for kind in FOREST]
    assert MARKS.keys() == WORDS.keys()
    assert set(MARKERS) <= SHAPES.keys()
