"""Chosen settings: how often each value of a grid won, for every method and dataset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

from markupsafe import Markup
from matplotlib import colormaps
from matplotlib.colors import to_hex, to_rgb

from graphrings.report.plots.canvas import label, printable
from graphrings.report.plots.rows import percent
from graphrings.report.section import Shown, records_of, ungrouped
from graphrings.report.tables import Comparison
from graphrings.report.words import setting_value
from graphrings.results.record import ExperimentCard, Record

ROW, GAP = 20.0, 4.0  # height of a row, and between bars, in pixels
SMALLEST = 0.08  # share whose number has room in its bar


class Row(NamedTuple):
    """How often the values of a setting were chosen, by what they look like as text."""

    name: str
    counts: Counter[str]


def chosen_pictures(comparison: Comparison, records: Sequence[Record]) -> Shown:
    """The choices of every setting that was searched."""
    card = comparison.card
    return Shown(
        "How often each value won on the validation fold, as a share of the test folds; the "
        "numbers count them.",
        ungrouped((key, chosen_settings(card, records, key)) for key in searched(card)),
    )


def searched(card: ExperimentCard) -> list[str]:
    """The settings that some method may choose, in the order of the methods' grids."""
    keys = {
        key: None for row in card.methods for key, values in row.grid.items() if len(values) > 1
    }
    return list(keys)


def chosen_settings(card: ExperimentCard, records: Sequence[Record], key: str) -> Markup | None:
    """One bar for each method and dataset that had a choice; None where none has a record."""
    rows = _rows(card, records, key)
    values = _values(card, key)
    if not rows:
        return None
    shades = dict(zip(values, _shades(len(values)), strict=True))
    counts = "; ".join(f"{row.name}: {_words(row, values)}" for row in rows)
    told = escape(printable(f"How often each value of {key} was chosen. {counts}"))
    names = "".join(f"<span>{escape(row.name)}</span>" for row in rows)
    bars = "".join(_bar(place, row, shades) for place, row in enumerate(rows))
    return Markup(  # noqa: S704, escaped above and below
        f'<div role="img" aria-label="{told}">{_legend(shades)}<div class="chart shares">'
        f'<div class="names">{names}</div>'
        f'<svg class="area" width="100%" height="{ROW * len(rows):g}">{bars}</svg></div></div>'
    )


def _legend(shades: Mapping[str, str]) -> str:
    """The values in their shades; it takes as many lines as it needs."""
    swatch = '<svg width="18" height="12"><rect width="18" height="12" fill="{}"/></svg>'
    entries = (
        f'<span class="key">{swatch.format(shade)}{escape(label(value, 20))}</span>'
        for value, shade in shades.items()
    )
    return f'<div class="keys">{"".join(entries)}</div>'


def _rows(card: ExperimentCard, records: Sequence[Record], key: str) -> list[Row]:
    rows = []
    for method in card.methods:
        if len(method.grid.get(key, ())) < 2:
            continue
        for dataset in card.datasets:
            here = records_of(records, dataset.name, method.name)
            counts = Counter(setting_value(r.setting[key]) for r in here if key in r.setting)
            if counts:
                rows.append(Row(_name(card, dataset.name, method.name), counts))
    return rows


def _name(card: ExperimentCard, dataset: str, method: str) -> str:
    if len(card.datasets) == 1:
        return label(method)
    if len(card.methods) == 1:
        return label(dataset)
    return f"{label(method, 18)}, {label(dataset, 12)}"


def _values(card: ExperimentCard, key: str) -> list[str]:
    values = [value for row in card.methods for value in row.grid.get(key, ())]
    plain = all(isinstance(value, int | float) for value in values)
    ordered = sorted(values) if plain else values
    return list(dict.fromkeys(setting_value(value) for value in ordered))


def _shades(n: int) -> list[str]:
    """Light to dark, so that the order also shows in grey."""
    ramp = colormaps["YlGnBu"]
    return [to_hex(ramp(0.12 + 0.83 * i / max(1, n - 1))) for i in range(n)]


def _ink(shade: str) -> str:
    """Dark or light, whichever is read more easily on a shade."""
    red, green, blue = to_rgb(shade)
    return "#111111" if 0.3 * red + 0.59 * green + 0.11 * blue > 0.5 else "#ffffff"


def _bar(place: int, row: Row, shades: Mapping[str, str]) -> str:
    """The shares of the values side by side, with their numbers where there is room."""
    left, total, parts = 0.0, row.counts.total(), []
    for value, shade in shades.items():
        count = row.counts[value]
        share = count / total
        if not count:
            continue
        words = escape(printable(f"{row.name}: {value} {count} times"))
        size = f'x="{percent(left)}" width="{percent(share)}" height="{ROW - GAP:g}"'
        bar = f'<rect {size} y="{ROW * place + GAP / 2:g}" fill="{shade}"/>'
        if share >= SMALLEST:
            at = f'x="{percent(left + share / 2)}" y="{ROW * place + ROW / 2 + 4:g}"'
            style = f'style="fill:{_ink(shade)}" text-anchor="middle"'
            bar += f"<text {at} {style}>{count}</text>"
        parts.append(f'<g class="t"><title>{words}</title>{bar}</g>')
        left += share
    return "".join(parts)


def _words(row: Row, values: Sequence[str]) -> str:
    return ", ".join(f"{value} {row.counts[value]} times" for value in values if row.counts[value])
