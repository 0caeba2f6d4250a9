"""Run time: how long a cell took, for every method and dataset."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from graphrings.report.plots.canvas import label, legend, picture
from graphrings.report.plots.looks import method_looks
from graphrings.report.section import Shown, records_of, ungrouped
from graphrings.report.statistics import Floats
from graphrings.report.tables import Comparison
from graphrings.results.durations import duration
from graphrings.results.record import ExperimentCard, Record

ROW = 10.0


def time_pictures(comparison: Comparison, records: Sequence[Record]) -> Shown:
    """The picture of run times, with how long everything took."""
    timed = [record for record in records if record.finished]
    total = sum(max(0.0, record.seconds) for record in timed)
    untimed = len(records) - len(timed)
    return Shown(
        f"{duration(total)} of computing for {len(timed):,} cells with all their trials, added "
        "up over the workers. Marks are medians, lines reach from the quickest to the slowest "
        f"cell.{f' Of {untimed:,} other cells the time is not known.' if untimed else ''}",
        ungrouped([("", run_times(comparison.card, timed))]),
    )


def run_times(card: ExperimentCard, records: Sequence[Record]) -> str | None:
    """The median time of a cell with the range from the quickest to the slowest."""
    ran = {record.cell.method for record in records}
    looks = {name: look for name, look in method_looks(card).items() if name in ran}
    present = {record.cell.dataset for record in records}
    datasets = [one.name for one in card.datasets if one.name in present]
    if not datasets:
        return None
    step = 0.8 / max(1, len(looks))
    columns = max(1, min(3, len(looks), 52 // (max(len(label(name, 20)) for name in looks) + 5)))

    def draw(axes: Axes) -> None:
        handles: list[Artist] = []
        for shift, (name, look) in enumerate(looks.items()):
            places, spans = [], []
            for row, dataset in enumerate(datasets):
                if len(seconds := _seconds(records, dataset, name)):
                    places.append(row - 0.4 + (shift + 0.5) * step)
                    spans.append((seconds.min(), np.median(seconds), seconds.max()))
            for place, (low, _, high) in zip(places, spans, strict=True):
                axes.plot([low, high], [place, place], color=look.colour, lw=1.2)
            middle = [span[1] for span in spans]
            handles += axes.plot(middle, places, look.marker, color=look.colour, ms=6)
        _axes(axes, datasets)
        legend(axes, handles, [label(name, 20) for name in looks], columns)

    medians = "; ".join(_medians(records, dataset, list(looks)) for dataset in datasets)
    height = 66 + 17 * -(-len(looks) // columns) + len(datasets) * max(30, ROW * len(looks))
    return picture(draw, height, f"Median seconds per cell. {medians}")


def _seconds(records: Sequence[Record], dataset: str, method: str) -> Floats:
    return np.array([max(1e-3, r.seconds) for r in records_of(records, dataset, method)])


def _axes(axes: Axes, datasets: Sequence[str]) -> None:
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5), numticks=8))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda seconds, _: f"{seconds:,g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    low, high = axes.get_xlim()
    axes.set_xlim(min(low, 0.8 * high / 4), max(high, 4 * low))
    axes.set_yticks(range(len(datasets)), [label(name, 16) for name in datasets])
    axes.set_ylim(len(datasets) - 0.5, -0.5)
    axes.set_yticks(np.arange(len(datasets) - 1) + 0.5, minor=True)
    axes.grid(visible=False, axis="y")
    axes.grid(visible=True, axis="y", which="minor")
    axes.set_xlabel("seconds per cell, all its trials (logarithmic)")


def _medians(records: Sequence[Record], dataset: str, methods: Sequence[str]) -> str:
    seconds = {name: _seconds(records, dataset, name) for name in methods}
    medians = [f"{name} {np.median(values):.1f}" for name, values in seconds.items() if len(values)]
    return f"{dataset}: {', '.join(medians)}"
