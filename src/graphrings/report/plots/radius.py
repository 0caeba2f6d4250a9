"""A score by radius: the question of the paper, as a line for each method and kind of fold."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from graphrings.report.plots.looks import Key, Look, method_looks, told_apart
from graphrings.report.plots.plane import Line, Plane, Spot
from graphrings.report.section import Shown, planes
from graphrings.report.statistics import corrected_t_test
from graphrings.report.tables import Comparison, shown_value
from graphrings.report.words import amount, titled
from graphrings.results.record import ExperimentCard, MethodCard, Record
from graphrings.tasks.scores import Score

RADIUS = "radius"


class Series(NamedTuple):
    """Scores as people read them, one per fold, by radius; ``ratio`` is test by training graphs."""

    name: str
    look: Look
    folds: dict[int, list[float]]
    ratio: float


def radius_planes(
    comparison: Comparison, records: Sequence[Record]
) -> tuple[list[Plane], tuple[Key, ...]]:
    """The score by radius wherever radii were compared, and the legend of it."""
    card, score = comparison.card, comparison.score
    by_dataset = {d.name: all_series(card, records, score, d.name) for d in card.datasets}
    looks = told_apart({one.name: one.look for own in by_dataset.values() for one in own})
    drawn = (by_radius(name, own, score, looks) for name, own in by_dataset.items())
    keys = tuple(Key(name, look, has_line=True) for name, look in looks.items())
    return [plane for plane in drawn if plane is not None], keys


def radius_pictures(comparison: Comparison, records: Sequence[Record]) -> Shown:
    """The score by radius, as the page shows it."""
    score = comparison.score
    drawn, keys = radius_planes(comparison, records)
    return Shown(
        f"A solid line is the test {score.title} of rows that differ only in their radius. A "
        f"dashed line is the {score.title} of a row that chooses its radius on the validation "
        "fold, averaged over the trials with that radius: the choice was made there, so it is no "
        "estimate of the test. The band is the 95 % interval of the mean, widened because the "
        "folds share training graphs.",
        planes(drawn),
        keys,
    )


def all_series(
    card: ExperimentCard, records: Sequence[Record], score: Score, dataset: str
) -> list[Series]:
    """Every line of a dataset."""
    here = [record for record in records if record.cell.dataset == dataset]
    return [*_tested(card, here, score), *_validated(card, here, score)]


def by_radius(
    dataset: str, series: Sequence[Series], score: Score, looks: Mapping[str, Look]
) -> Plane | None:
    """The score by radius on one dataset; None where no two radii were compared."""
    if not series:
        return None
    radii = sorted({radius for one in series for radius in one.folds})
    told = "; ".join(f"{one.name}: {_means(one, score)}" for one in series)
    return Plane(
        dataset,
        tuple(_line(one._replace(look=looks[one.name]), score) for one in series),
        "radius of the filters (hops)",
        titled(score),
        f"Mean {score.title} by radius on {dataset}: {told}",
        ticks=tuple(map(float, radii)),
    )


def _line(series: Series, score: Score) -> Line:
    radii, spots = sorted(series.folds), []
    for radius in radii:
        mean = float(np.mean(series.folds[radius]))
        words = f"{series.name}, radius {radius}: {amount(score, mean)}"
        spots.append(Spot(radius, mean, words))
    return Line(series.look, tuple(spots), band=tuple(band(series, r, score) for r in radii))


def _means(series: Series, score: Score) -> str:
    means = {radius: float(np.mean(series.folds[radius])) for radius in sorted(series.folds)}
    return ", ".join(f"radius {radius} {amount(score, mean)}" for radius, mean in means.items())


def band(series: Series, radius: int, score: Score) -> tuple[float, float]:
    """The 95 % interval of the mean, as far as the score can reach."""
    interval = corrected_t_test(series.folds[radius], series.ratio).interval
    if interval is None:
        return float("nan"), float("nan")
    low, high = (float(np.clip(end, *score.shown_limits)) for end in interval)
    return low, high


def _tested(card: ExperimentCard, records: Sequence[Record], score: Score) -> list[Series]:
    """Rows that differ only in a fixed radius, by their test score."""
    families: dict[tuple[str, str], list[MethodCard]] = defaultdict(list)
    for row in card.methods:
        if isinstance(row.settings.get(RADIUS), int):
            families[row.method, besides_radius(row)].append(row)
    compared = {key: rows for key, rows in families.items() if len(rows) > 1}
    of_method = Counter(method for method, _ in compared)
    series = []
    for (method, besides), rows in compared.items():
        radius = {row.name: row.settings[RADIUS] for row in rows}
        own = [record for record in records if record.cell.method in radius]
        values = [(radius[r.cell.method], shown_value(r, score)) for r in own]
        look = method_looks(card)[rows[0].name]._replace(dash="-")
        name = f"{method}{besides}" if of_method[method] > 1 else method
        series += _series(f"{name}, test", look, own, values)
    return series


def besides_radius(row: MethodCard) -> str:
    """What a row sets beside its radius: rows that agree in it make a line."""
    settings = {**row.settings, **{key: f"of {values}" for key, values in row.grid.items()}}
    return "".join(f", {key} {value}" for key, value in sorted(settings.items()) if key != RADIUS)


def _validated(card: ExperimentCard, records: Sequence[Record], score: Score) -> list[Series]:
    """Rows that choose their radius: the mean validation score of a fold's trials with it."""
    series = []
    for row in card.methods:
        own = [record for record in records if record.cell.method == row.name]
        values = [pair for record in own for pair in _trials_by_radius(record, score)]
        look = method_looks(card)[row.name]._replace(dash="--")
        series += _series(f"{row.name}, validation", look, own, values)
    return series


def _trials_by_radius(record: Record, score: Score) -> list[tuple[int, float]]:
    trials = defaultdict(list)
    for trial in record.trials:
        radius, value = trial.setting.get(RADIUS), trial.scores.get(score.name)
        if isinstance(radius, int) and value is not None:
            trials[radius].append(score.shown(value))
    return [(radius, float(np.mean(values))) for radius, values in trials.items()]


def _series(
    name: str, look: Look, records: Sequence[Record], values: Sequence[tuple[int, float | None]]
) -> list[Series]:
    folds = defaultdict(list)
    for radius, value in values:
        if value is not None:
            folds[radius].append(value)
    if len(folds) < 2:
        return []
    ratio = float(np.mean([record.n_test / max(1, record.n_training) for record in records]))
    return [Series(name, look, dict(folds), ratio)]
