"""Chosen settings: how often each value of a grid won, for every method and dataset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from matplotlib import colormaps
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import to_hex, to_rgb
from matplotlib.patches import Patch

from graphrings.report.plots.canvas import label, legend, picture, tell
from graphrings.report.section import Shown, records_of, ungrouped
from graphrings.report.tables import Comparison
from graphrings.report.words import setting_value
from graphrings.results.record import ExperimentCard, Record

ROW = 22.0


class Row(NamedTuple):
    """How often the values of a setting were chosen, by what they look like as text."""

    name: str
    counts: Counter[str]


def chosen_pictures(comparison: Comparison, records: Sequence[Record]) -> Shown:
    """The choices of every setting that was searched."""
    card = comparison.card
    return Shown(
        "How often each value won on the validation fold. Numbers in the bars count test folds.",
        ungrouped((key, chosen_settings(card, records, key)) for key in searched(card)),
    )


def searched(card: ExperimentCard) -> list[str]:
    """The settings that some method may choose, in the order of the methods' grids."""
    keys = {
        key: None for row in card.methods for key, values in row.grid.items() if len(values) > 1
    }
    return list(keys)


def chosen_settings(card: ExperimentCard, records: Sequence[Record], key: str) -> str | None:
    """One bar for each method and dataset that had a choice; None where none has a record."""
    rows = _rows(card, records, key)
    values = _values(card, key)
    if not rows:
        return None
    shades = _shades(len(values))

    def draw(axes: Axes) -> None:
        for place, row in enumerate(rows):
            _bar(axes, place, row, values, shades)
        axes.set_yticks(range(len(rows)), [row.name for row in rows])
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.set_xlim(0, 100)
        axes.grid(visible=False)
        axes.spines["left"].set_visible(False)
        axes.set_xlabel("share of test folds (%)")
        patches: list[Artist] = [Patch(facecolor=shade, edgecolor="#777777") for shade in shades]
        legend(axes, patches, [label(value, 20) for value in values], _columns(values))

    counts = "; ".join(f"{row.name}: {_words(row, values)}" for row in rows)
    height = 62 + ROW * len(rows) + 17 * -(-len(values) // _columns(values))
    return picture(draw, height, f"How often each value of {key} was chosen. {counts}")


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


def _columns(values: Sequence[str]) -> int:
    widest = max(len(label(value, 20)) for value in values)
    return max(1, min(len(values), 40 // (widest + 6)))


def _bar(axes: Axes, place: int, row: Row, values: Sequence[str], shades: Sequence[str]) -> None:
    left, total = 0.0, row.counts.total()
    for value, shade in zip(values, shades, strict=True):
        share = 100 * row.counts[value] / total
        if not share:
            continue
        bars = axes.barh(
            place, share, left=left, color=shade, edgecolor="#777777", lw=0.5, height=0.74
        )
        tell(bars, f"{row.name}: {value} {row.counts[value]} times")
        if share >= 8:
            style: Any = {"color": _ink(shade), "ha": "center", "va": "center_baseline"}
            axes.text(left + share / 2, place, str(row.counts[value]), **style)
        left += share


def _words(row: Row, values: Sequence[str]) -> str:
    return ", ".join(f"{value} {row.counts[value]} times" for value in values if row.counts[value])
