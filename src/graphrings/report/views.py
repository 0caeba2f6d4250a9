"""What a page says by one score: the verdict, the opening picture, tables and differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from markupsafe import Markup

from graphrings.report.contrasts import Contrast, against
from graphrings.report.plots.forest import forest_charts
from graphrings.report.plots.legends import Entry as LegendEntry
from graphrings.report.plots.legends import chart_legend
from graphrings.report.plots.opening import opening_charts
from graphrings.report.plots.ranks import diagram
from graphrings.report.ranking import Ranking, rank
from graphrings.report.rendering import Sheet, html
from graphrings.report.section import Picture, charted
from graphrings.report.sheets import (
    comparison_notes,
    contrast_sheet,
    fold_notes,
    published_words,
    ranking_sheet,
)
from graphrings.report.statistics import FEW_DATASETS
from graphrings.report.summary import leads, verdict
from graphrings.report.tables import Comparison, Entry, shown_value
from graphrings.report.words import decimals, explained, signed
from graphrings.results.record import ExperimentCard, Record
from graphrings.tasks import TASKS
from graphrings.tasks.scores import SCORES, Score, scores_of_task

MOST_BESIDE = 4  # datasets of a table whose deviations stand beside the means, not below them
CUT = 5.0  # times the median difference: longer bars are cut off


@dataclass(frozen=True)
class View:
    """Everything of a page that depends on the score."""

    score: Score
    verdict: list[str]
    opening: tuple[Picture, ...]
    opening_keys: list[LegendEntry]
    results: dict[str, Any]
    beside: dict[str, Any] | None
    forest: tuple[Picture, ...]
    differences: dict[str, Any]
    ranks: dict[str, Any] | None
    rank_notes: list[str]
    diagram: Markup | None


def offered(card: ExperimentCard, records: Sequence[Record], first: Score) -> list[Score]:
    """The score that was asked for, and all others of the task that some record has."""
    others = [SCORES[name] for name in scores_of_task(card.task) if name != first.name]
    held = {score.name for score in others if any(_has(record, score) for record in records)}
    return [first, *(score for score in others if score.name in held)]


def _has(record: Record, score: Score) -> bool:
    return score.name in record.scores or shown_value(record, score) is not None


def view(comparison: Comparison, records: Sequence[Record], reference: str) -> View:
    """What a page says by the score of a comparison."""
    card, score = comparison.card, comparison.score
    ranking = rank(comparison)
    contrast = against(card, records, reference, score.name)
    charts = opening_charts(comparison, records)
    return View(
        score,
        verdict(comparison, leads(comparison, records)),
        charted(charts),
        chart_legend(charts),
        _results(comparison),
        beside_the_paper(comparison),
        charted(forest_charts(contrast)),
        noted(_without_fold_notes(contrast)),
        noted(ranking_sheet(ranking)) if len(ranking.datasets) > 1 else None,
        _rank_notes(ranking),
        diagram(card, ranking),
    )


def noted(sheet: Sheet) -> dict[str, Any]:
    """The table, whose names are escaped, and its notes, which do not scroll with it."""
    table = Markup(html(replace(sheet, notes=())))  # noqa: S704
    return {"table": table, "notes": sheet.notes, "caption": sheet.caption}


def _without_fold_notes(contrast: Contrast) -> Sheet:
    """The table of differences; how folds were made is told below the results already."""
    sheet, told = contrast_sheet(contrast), fold_notes(contrast.card)
    return replace(sheet, notes=tuple(note for note in sheet.notes if note not in told))


def _results(comparison: Comparison) -> dict[str, Any]:
    entries = [[_entry(e, comparison.score) for e in row.entries] for row in comparison.rows]
    pairs = zip(comparison.rows, entries, strict=True)
    return {
        "caption": f"Test {explained(comparison.score)}",
        "datasets": comparison.datasets,
        "rows": [{"title": row.title, "entries": own} for row, own in pairs],
        "room": max((len(one["deviation"]) for own in entries for one in own), default=0),
        "is_wide": len(comparison.datasets) > MOST_BESIDE,
        "notes": comparison_notes(comparison, stacked=False),
    }


def _entry(entry: Entry, score: Score) -> dict[str, Any]:
    places = decimals(score, entry.mean, entry.over_folds)
    over = "" if entry.over_repetitions is None else f"±{entry.over_repetitions:.{places}f}"
    folds = "" if entry.over_folds is None else f" / {entry.over_folds:.{places}f}"
    failed = f", {entry.n_failed} failed" if entry.n_failed else ""
    lacking = entry.n_folds < entry.n_expected and (entry.n_folds or entry.n_failed)
    return {
        "value": entry.mean,
        "mean": "\N{EN DASH}" if entry.mean is None else f"{entry.mean:.{places}f}",
        "deviation": f"{over}{folds}".strip(),
        "best": entry.best,
        "folds": f"{entry.n_folds} of {entry.n_expected}{failed}" if lacking else "",
    }


class Beside(NamedTuple):
    """Ours and the paper's in words; the bar goes to one side, so many percent of the width."""

    title: str
    ours: str
    paper: str
    difference: str
    side: str
    width: str


def beside_the_paper(comparison: Comparison) -> dict[str, Any] | None:
    """A table for every dataset of which the paper has numbers; None without any.

    Bars have one scale, on which a few large differences may be cut off.
    """
    entries = [entry for row in comparison.rows for entry in row.entries]
    sizes = [abs(entry.difference) for entry in entries if entry.difference is not None]
    if not sizes:
        return None
    end = min(max(sizes), CUT * float(np.median(sizes))) or 1.0
    tables = []
    for j, dataset in enumerate(comparison.datasets):
        pairs = [(row.title, row.entries[j]) for row in comparison.rows]
        printed = [pair for pair in pairs if pair[1].published]
        if any(entry.difference is not None for _, entry in printed):
            rows = [_beside(title, entry, end) for title, entry in printed]
            tables.append({"dataset": dataset, "rows": rows})
    return {"end": f"{end:.1f}", "tables": tables}


def _beside(title: str, entry: Entry, end: float) -> Beside:
    assert entry.published is not None
    ours = "" if entry.mean is None else f"{entry.mean:.2f}"
    paper = published_words(entry.published)
    if entry.difference is None:
        return Beside(title, ours, paper, "", "", "")
    width = f"{50 * min(1.0, abs(entry.difference) / end):.1f}"
    side = "up" if entry.difference >= 0 else "down"
    cut = " cut" * (abs(entry.difference) > end)
    return Beside(title, ours, paper, signed(entry.difference, 2), f"{side}{cut}", width)


def _rank_notes(ranking: Ranking) -> list[str]:
    """Why there is no table of ranks, or no diagram of them."""
    if not ranking.datasets:
        return [f"{note[:1].upper()}{note[1:]}." for note in ranking.notes]
    if len(ranking.datasets) == 1:
        return ["One dataset is complete for all methods: ranks over datasets need several."]
    if len(ranking.datasets) < FEW_DATASETS:
        return ["No diagram of critical differences: there are too few datasets for it."]
    return []


def main_score(card: ExperimentCard) -> Score:
    """The score of a task that is shown unless another is asked for."""
    return TASKS[card.task].main_score
