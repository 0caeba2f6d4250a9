"""Accuracy by radius: the question of the paper, as a line for each method and kind of accuracy."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from graphrings.report.plots.canvas import label, legend, picture
from graphrings.report.plots.looks import Look, method_looks
from graphrings.report.statistics import corrected_t_test
from graphrings.results.record import ExperimentCard, MethodCard, Record

RADIUS = "radius"


class Series(NamedTuple):
    """Accuracies in percent, one a fold, by radius; ``ratio`` is test by training graphs."""

    name: str
    look: Look
    folds: dict[int, list[float]]
    ratio: float


def by_radius(card: ExperimentCard, records: Sequence[Record], dataset: str) -> str | None:
    """Accuracy by radius on one dataset; None where no two radii were compared."""
    here = [record for record in records if record.cell.dataset == dataset]
    series = [*_tested(card, here), *_validated(card, here)]
    if not series:
        return None

    def draw(axes: Axes) -> None:
        handles: list[Artist] = []
        for one in series:
            radii = sorted(one.folds)
            means = [float(np.mean(one.folds[r])) for r in radii]
            low, high = zip(*(_band(one.folds[r], one.ratio) for r in radii), strict=True)
            colour, marker, dash = one.look
            axes.fill_between(radii, low, high, color=colour, alpha=0.13, linewidth=0)
            handles += axes.plot(radii, means, color=colour, marker=marker, ls=dash, lw=1.8)
        legend(axes, handles, [label(one.name, 44) for one in series], 1)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
        axes.set_xlabel("radius of the filters (hops)")
        axes.set_ylabel("accuracy (%)")

    told = "; ".join(f"{one.name}: {_words(one)}" for one in series)
    return picture(draw, 220 + 16 * len(series), f"Accuracy by radius on {dataset}: {told}")


def _words(series: Series) -> str:
    return ", ".join(f"radius {r} {np.mean(series.folds[r]):.1f} %" for r in sorted(series.folds))


def _band(folds: Sequence[float], ratio: float) -> tuple[float, float]:
    """The 95 % interval of the mean, widened since the folds share training graphs."""
    return corrected_t_test(folds, ratio).interval or (float("nan"), float("nan"))


def _tested(card: ExperimentCard, records: Sequence[Record]) -> list[Series]:
    """Rows that differ only in a fixed radius, by their test accuracy."""
    families: dict[str, list[MethodCard]] = defaultdict(list)
    for row in card.methods:
        if isinstance(row.settings.get(RADIUS), int):
            rest = {key: value for key, value in row.settings.items() if key != RADIUS}
            families[repr((row.method, sorted(rest.items()), sorted(row.grid.items())))].append(row)
    found = []
    for rows in families.values():
        radius = {row.name: row.settings[RADIUS] for row in rows}
        own = [record for record in records if record.cell.method in radius]
        values = [(radius[r.cell.method], 100 * r.test.accuracy) for r in own]
        look = method_looks(card)[rows[0].name]._replace(dash="-")
        found += _series(f"{rows[0].method}, test", look, own, values)
    return found


def _validated(card: ExperimentCard, records: Sequence[Record]) -> list[Series]:
    """Rows that choose their radius: the mean validation accuracy of a fold's trials with it."""
    found = []
    for row in card.methods:
        own = [record for record in records if record.cell.method == row.name]
        values = [pair for record in own for pair in _trials_by_radius(record)]
        look = method_looks(card)[row.name]._replace(dash="--")
        found += _series(f"{row.name}, validation", look, own, values)
    return found


def _trials_by_radius(record: Record) -> list[tuple[int, float]]:
    trials = defaultdict(list)
    for trial in record.trials:
        if isinstance(radius := trial.setting.get(RADIUS), int):
            trials[radius].append(100 * trial.accuracy)
    return [(radius, float(np.mean(values))) for radius, values in trials.items()]


def _series(
    name: str, look: Look, records: Sequence[Record], values: Sequence[tuple[int, float]]
) -> list[Series]:
    folds = defaultdict(list)
    for radius, accuracy in values:
        folds[radius].append(accuracy)
    if len(folds) < 2:
        return []
    ratio = float(np.mean([record.n_test / max(1, record.n_training) for record in records]))
    return [Series(name, look, dict(folds), ratio)]
