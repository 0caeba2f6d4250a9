"""All pictures of a report, in the order of the experiment's datasets and methods."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from markupsafe import Markup

from graphrings.report.plots.boxes import POINTS, boxes
from graphrings.report.plots.chosen import chosen_settings, searched
from graphrings.report.plots.confusion import confusion
from graphrings.report.plots.curves import learning_curves
from graphrings.report.plots.looks import method_looks
from graphrings.report.plots.radius import by_radius
from graphrings.report.plots.ranks import rank_diagram
from graphrings.report.ranking import Ranking
from graphrings.report.statistics import FEW_DATASETS
from graphrings.report.tables import Comparison
from graphrings.results.record import ExperimentCard, Record

LINES = 60  # of single folds in all learning curves together
DOTS = 2400  # in all box plots together


class Picture(NamedTuple):
    """An SVG, which is safe as it stands, and what to write above it."""

    caption: str
    svg: Markup


Shelf = list[tuple[str, list[Picture]]]  # pictures by dataset


def box_pictures(comparison: Comparison, records: Sequence[Record]) -> list[Picture]:
    """The folds of every dataset that has any."""
    card = comparison.card
    here = {record.cell.dataset for record in records}
    published = published_means(comparison)
    limit = points(card)
    return _drawn(
        (name, boxes(card, records, name, published.get(name), limit))
        for name in (dataset.name for dataset in card.datasets)
        if name in here
    )


def points(card: ExperimentCard) -> int:
    """How many folds a box may show one by one, so that the page stays light."""
    return max(10, min(POINTS, DOTS // max(1, len(card.methods) * len(card.datasets))))


def published_means(comparison: Comparison) -> dict[str, dict[str, float]]:
    """The paper's means by dataset and our method."""
    found: dict[str, dict[str, float]] = {name: {} for name in comparison.datasets}
    for row in comparison.rows:
        for dataset, entry in zip(comparison.datasets, row.entries, strict=True):
            if row.method and entry.published and entry.published.mean is not None:
                found[dataset][row.method] = entry.published.mean
    return found


def radius_pictures(card: ExperimentCard, records: Sequence[Record]) -> list[Picture]:
    """Accuracy by radius wherever radii were compared."""
    return _drawn((d.name, by_radius(card, records, d.name)) for d in card.datasets)


def chosen_pictures(card: ExperimentCard, records: Sequence[Record]) -> list[Picture]:
    """The choices of every setting that was searched."""
    return _drawn((key, chosen_settings(card, records, key)) for key in searched(card))


def curve_pictures(card: ExperimentCard, records: Sequence[Record]) -> Shelf:
    """Learning curves of all methods that are trained by epochs."""
    lines = max(2, min(10, LINES // max(1, len(card.methods) * len(card.datasets))))
    return _shelf(
        (
            dataset.name,
            _drawn(
                (method.name, learning_curves(records, dataset.name, method.name, lines))
                for method in card.methods
            ),
        )
        for dataset in card.datasets
    )


def confusion_pictures(card: ExperimentCard, records: Sequence[Record]) -> Shelf:
    """Confusion matrices of all methods."""
    return _shelf(
        (
            dataset.name,
            _drawn(
                (method.name, confusion(card, records, dataset.name, method.name))
                for method in card.methods
            ),
        )
        for dataset in card.datasets
    )


def diagram(card: ExperimentCard, ranking: Ranking) -> Markup | None:
    """The critical-difference diagram; None with too few datasets for it to mean anything."""
    if ranking.tests is None or len(ranking.datasets) < FEW_DATASETS:
        return None
    groups = [[ranking.methods[i] for i in group] for group in ranking.tests.nemenyi_cliques]
    average = dict(zip(ranking.methods, ranking.average, strict=True))
    difference = ranking.tests.critical_difference
    return Markup(rank_diagram(average, method_looks(card), groups, difference))  # noqa: S704


def _drawn(pictures: Iterable[tuple[str, str | None]]) -> list[Picture]:
    return [Picture(name, Markup(svg)) for name, svg in pictures if svg is not None]  # noqa: S704


def _shelf(rows: Iterable[tuple[str, list[Picture]]]) -> Shelf:
    return [(name, pictures) for name, pictures in rows if pictures]
