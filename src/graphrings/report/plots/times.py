"""Run time: how long a cell took, for every method and dataset."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graphrings.durations import duration
from graphrings.report.plots.rows import MEDIAN, Chart, ChartRow, Mark
from graphrings.report.section import Group, Shown, charted, records_of
from graphrings.report.tables import Comparison
from graphrings.results.record import ExperimentCard, Record

SHORTEST, LONGEST = 1e-3, 1e12  # seconds: a clock may stand still, or jump


def time_pictures(comparison: Comparison, records: Sequence[Record]) -> Shown:
    """The run times of every dataset, with how long everything took."""
    timed = [record for record in records if record.finished]
    total = sum(min(max(0.0, record.seconds), LONGEST) for record in timed)
    untimed = len(records) - len(timed)
    charts = charted(run_times(comparison.card, timed))
    return Shown(
        f"{duration(total)} of computing for {len(timed):,} cells with all their trials, added "
        "up over the workers. Dots are medians, lines reach from the quickest to the slowest "
        f"cell.{f' Of {untimed:,} other cells the time is not known.' if untimed else ''}",
        (Group(pictures=charts),) if charts else (),
    )


def run_times(card: ExperimentCard, records: Sequence[Record]) -> tuple[Chart, ...]:
    """A chart for every dataset: the median time of a cell, from the quickest to the slowest."""
    charts = []
    for dataset in (one.name for one in card.datasets):
        rows = [row for m in card.methods if (row := _row(records, dataset, m.name))]
        if rows:
            told = "; ".join(row.marks[0].words for row in rows)
            title = f"Seconds per cell on {dataset}. {told}"
            axis = "seconds per cell, all its trials"
            charts.append(Chart(dataset, tuple(rows), axis, title, is_logarithmic=True))
    return tuple(charts)


def bounded(seconds: float) -> float:
    """A time that an axis can show, whatever the clock said."""
    return min(max(SHORTEST, seconds), LONGEST)


def _row(records: Sequence[Record], dataset: str, method: str) -> ChartRow | None:
    seconds = [bounded(record.seconds) for record in records_of(records, dataset, method)]
    if not seconds:
        return None
    middle = float(np.median(seconds))
    ends = min(seconds), max(seconds)
    words = f"{method}: median {middle:.3g} s, from {ends[0]:.3g} to {ends[1]:.3g} s"
    return ChartRow(method, duration(middle), (Mark(middle, words, MEDIAN, ends),))
