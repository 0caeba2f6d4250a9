"""Tables as people read them, before a format is chosen: words in entries, and notes below."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from graphrings.report.contrasts import Contrast, ContrastEntry
from graphrings.report.ranking import Ranking
from graphrings.report.rendering import Line, Lines, Sheet
from graphrings.report.statistics import ALPHA, Friedman, repetitions_note
from graphrings.report.tables import VALIDATION, Comparison, Entry, Row
from graphrings.report.words import decimals, explained, listed, p_value, signed
from graphrings.results.fold_kinds import note_on
from graphrings.results.published import TABLES, Published
from graphrings.results.record import HALVING, REFIT, ExperimentCard
from graphrings.tasks.scores import Score

FEW = 5  # methods that are named one by one


def comparison_sheet(comparison: Comparison) -> Sheet:
    """Means and deviations, the paper's below ours in the same entry."""
    return Sheet(
        "comparison",
        _caption(comparison),
        ("Method", *comparison.datasets),
        tuple(
            (_row_head(row), *(_entry(entry, comparison.score) for entry in row.entries))
            for row in comparison.rows
        ),
        tuple(comparison_notes(comparison)),
        tuple(
            _raw_entry(comparison, row, dataset, entry)
            for row in comparison.rows
            for dataset, entry in zip(comparison.datasets, row.entries, strict=True)
        ),
    )


def _caption(comparison: Comparison) -> str:
    caption = f"{comparison.card.name}: {comparison.fold} {explained(comparison.score)}"
    if comparison.like is None:
        return caption
    table = TABLES[comparison.like]
    return f"{caption}, as Table {table.number} of the paper ({table.title.lower()})"


def _row_head(row: Row) -> Lines:
    """Our name, and below it the paper's where numbers of the paper stand in the row."""
    ours = (Line(row.method),) if row.method is not None else ()
    if row.published is None or not any(entry.published for entry in row.entries):
        return ours or (Line(row.title),)
    return (*ours, Line(row.published.name, kind="published"))


def _entry(entry: Entry, score: Score) -> Lines:
    places = decimals(score, entry.mean, entry.over_folds)
    lines = [Line(_measured(entry, places), entry.best, "measured")]
    if entry.n_folds < entry.n_expected:
        lines.append(Line(_folds(entry), kind="incomplete"))
    if entry.published is not None:
        words = f"paper {published_words(entry.published)}"
        lines.append(Line(words, entry.published_best, "published"))
    if entry.difference is not None:
        lines.append(Line(signed(entry.difference, places), kind="difference"))
    return tuple(lines)


def _measured(entry: Entry, places: int) -> str:
    """The mean, and behind it the deviation over repetitions and that over folds."""
    if entry.mean is None:
        return "-"
    within = _deviation(entry.over_repetitions, "±", places)
    return f"{entry.mean:.{places}f}{within}{_deviation(entry.over_folds, ' / ', places)}"


def published_words(value: Published) -> str:
    """What the paper printed: a number with its deviation, or why there is none."""
    if value.mean is None:
        return value.note
    return f"{value.mean:.2f}{_deviation(value.deviation, '±', 2)}"


def _deviation(value: float | None, sign: str, places: int) -> str:
    return "" if value is None else f"{sign}{value:.{places}f}"


def comparison_notes(comparison: Comparison, stacked: bool = True) -> list[str]:
    """How to read the means; ``stacked`` says that the paper's stand below ours."""
    entries = [entry for row in comparison.rows for entry in row.entries]
    repeated = any(entry.over_repetitions is not None for entry in entries)
    within = " ± deviation over the means of complete repetitions" if repeated else ""
    notes = [
        f"mean over the {comparison.fold} folds{within} / deviation over all folds; "
        "bold: the best of a dataset among the methods that have completed it",
        *fold_notes(comparison.card),
    ]
    if stacked and any(entry.published for entry in entries):
        notes.append("paper: as published; below it ours minus the paper's")
    if comparison.like is not None:
        notes.append(f"sources: {_sources(comparison)}")
    missing = [
        f"{method} on {dataset} {_folds(entry)}"
        for method, dataset, entry in comparison.incomplete()
    ]
    if missing:
        notes.append(f"incomplete: {listed(missing, '; ')}")
    if unknown := sum(entry.n_unknown for entry in entries):
        notes.append(
            f"{unknown:,} cells keep neither {comparison.score.title} nor the predictions that "
            "it could be computed from"
        )
    return [*notes, *hopeful_notes(comparison), *processor_notes(comparison)]


def hopeful_notes(comparison: Comparison) -> list[str]:
    """A word on rows whose best setting was chosen on the folds that are shown."""
    if comparison.fold != VALIDATION:
        return []
    shown = {row.method for row in comparison.rows if any(entry.n_folds for entry in row.entries)}
    tried = {card.name: math.prod(map(len, card.grid.values())) for card in comparison.card.methods}
    told = [f"{name} ({n})" for name, n in tried.items() if n > 1 and name in shown]
    if not told:
        return []
    return [
        "the best of several settings was chosen on these very folds, so that rows which try many "
        f"look better than they are; settings tried: {listed(told)}"
    ]


def processor_notes(comparison: Comparison) -> list[str]:
    """A word on cells of several kinds of processors."""
    if len(comparison.processors) < 2:
        return []
    return [
        f"run on {len(comparison.processors)} kinds of processors, which round differently, so "
        f"that networks may stop at other epochs: {', '.join(comparison.processors)}"
    ]


def _sources(comparison: Comparison) -> str:
    """Where the paper has its rows from."""
    names: dict[str, list[str]] = defaultdict(list)
    for row in comparison.rows:
        if row.published and row.published.name not in names[row.published.source]:
            names[row.published.source].append(row.published.name)
    return "; ".join(f"{', '.join(rows)} from {source}" for source, rows in names.items())


def _folds(entry: Entry) -> str:
    failed = f", {entry.n_failed} failed" if entry.n_failed else ""
    return f"({entry.n_folds}/{entry.n_expected} folds{failed})"


def fold_notes(card: ExperimentCard) -> list[str]:
    """How the folds were made, and what that leaves open."""
    times = f"{card.repetitions} repetition{'s' * (card.repetitions != 1)}"
    meaning = f"; {note}" if (note := note_on(card.folds)) else ""
    notes = [
        f"{card.folds} folds: {times} of {card.n_folds}{meaning}",
        repetitions_note(card.repetitions),
    ]
    if refitted := [row.name for row in card.methods if row.settings.get(REFIT)]:
        notes.append(
            "fitted again on training and validation graphs, with the setting that was chosen, "
            f"before the test: {listed(refitted)}"
        )
    if halved := [row.name for row in card.methods if row.settings.get(HALVING)]:
        notes.append(
            "chosen by successive halving, which trains most settings for a few epochs only: "
            f"{listed(halved)}"
        )
    untested = [f"{d.n_untested} of {d.name}" for d in card.datasets if d.n_untested]
    if untested:
        notes.append(f"graphs that no test fold holds: {', '.join(untested)}")
    return [note for note in notes if note]


def _raw_entry(comparison: Comparison, row: Row, dataset: str, entry: Entry) -> dict[str, Any]:
    paper = entry.published
    return {
        "experiment": comparison.card.name,
        "dataset": dataset,
        "method": row.method,
        "score": comparison.score.name,
        "unit": "percent" if comparison.score.percent else None,
        "mean": entry.mean,
        "deviation_over_repetitions": entry.over_repetitions,
        "deviation_over_folds": entry.over_folds,
        "folds": entry.n_folds,
        "folds_expected": entry.n_expected,
        "folds_failed": entry.n_failed,
        "best": int(entry.best),
        "published_row": row.published.name if row.published else None,
        "published_mean": paper.mean if paper else None,
        "published_deviation": paper.deviation if paper else None,
        "published_note": (paper.note or None) if paper else None,
        "published_source": row.published.source if row.published and paper else None,
        "difference": entry.difference,
    }


def contrast_sheet(contrast: Contrast) -> Sheet:
    """Differences to the reference with their confidence intervals and p values."""
    score = contrast.score
    unit = ", percentage points" if score.percent else ""
    lower = ", lower is better" if score.lower_is_better else ""
    minus = f"test {score.title} minus that of {contrast.reference}"
    return Sheet(
        "contrast",
        f"{contrast.card.name}: {minus}{unit}{lower}",
        ("Method", *contrast.datasets),
        tuple(
            ((Line(row.method),), *(_contrast_lines(entry, score) for entry in row.entries))
            for row in contrast.rows
        ),
        tuple(_contrast_notes(contrast)),
        tuple(
            _raw_contrast(contrast, row.method, dataset, entry)
            for row in contrast.rows
            for dataset, entry in zip(contrast.datasets, row.entries, strict=True)
        ),
    )


def _contrast_lines(entry: ContrastEntry, score: Score) -> Lines:
    test = entry.folds
    if test.difference is None:
        return (Line("-", kind="measured"),)
    places = decimals(score, test.difference, *(test.interval or ()))
    told_apart = test.p is not None and test.p < ALPHA
    lines = [Line(signed(test.difference, places), told_apart, "measured")]
    if test.interval is not None:
        low, high = (signed(end, places) for end in test.interval)
        lines.append(Line(f"{low} to {high}", kind="interval"))
    lines.append(Line("p -" if test.p is None else f"p {p_value(test.p)}", kind="p"))
    if entry.graphs is not None:
        lines.append(Line(f"exact p {p_value(entry.graphs.p)}", kind="p"))
    return tuple(lines)


def _contrast_notes(contrast: Contrast) -> list[str]:
    notes = [
        "difference, 95 % confidence interval and p of the corrected resampled t-test (Nadeau and "
        "Bengio) over the folds that both have; bold: p < 0.05, not corrected for many comparisons",
        *fold_notes(contrast.card),
    ]
    exact = [entry.graphs for row in contrast.rows for entry in row.entries if entry.graphs]
    if exact:
        repeated = any(test.n_repetitions > 1 for test in exact)
        often = ", twice the median over the repetitions that both completed" if repeated else ""
        notes.append(
            "exact p: sign test of who is nearer to the truth, graph by graph (McNemar's test for "
            f"classes){often}; it speaks of the models trained here, not of other training graphs"
        )
    expected = contrast.card.repetitions * contrast.card.n_folds
    places: dict[str, list[str]] = defaultdict(list)
    for row in contrast.rows:
        for dataset, entry in zip(contrast.datasets, row.entries, strict=True):
            test = entry.folds
            few = f"{test.n}/{expected} folds in common" if test.n < expected else ""
            places[test.note or few].append(f"{row.method} on {dataset}")
    return notes + [f"{note}: {listed(where)}" for note, where in places.items() if note]


def _raw_contrast(
    contrast: Contrast, method: str, dataset: str, entry: ContrastEntry
) -> dict[str, Any]:
    test, exact = entry.folds, entry.graphs
    low, high = test.interval or (None, None)
    return {
        "experiment": contrast.card.name,
        "dataset": dataset,
        "method": method,
        "reference": contrast.reference,
        "score": contrast.score.name,
        "difference": test.difference,
        "low": low,
        "high": high,
        "t": test.t,
        "degrees": test.degrees,
        "p": test.p,
        "folds": test.n,
        "graphs_better": exact.better if exact else None,
        "graphs_worse": exact.worse if exact else None,
        "exact_p": exact.p if exact else None,
        "exact_repetitions": exact.n_repetitions if exact else None,
        "note": test.note or None,
    }


def ranking_sheet(ranking: Ranking) -> Sheet:
    """Average ranks, whom a method cannot be told from, and p against the best."""
    return Sheet(
        "ranking",
        f"average rank by test {ranking.score.title} over {_counted(ranking)}",
        ("Method", "Average rank", "p against the best", *ranking.datasets, "Not told apart from"),
        tuple(_rank_row(ranking, i) for i in range(len(ranking.methods))),
        tuple(_ranking_notes(ranking)),
        tuple(
            {"method": name, "average_rank": ranking.average[i], "p_holm": _p_to_best(ranking, i)}
            | {f"rank_{d}": r for d, r in zip(ranking.datasets, ranking.ranks[i], strict=True)}
            for i, name in enumerate(ranking.methods)
        ),
    )


def _counted(ranking: Ranking) -> str:
    n = len(ranking.datasets)
    return f"{n} dataset{'s' * (n != 1)}"


def _rank_row(ranking: Ranking, i: int) -> tuple[Lines, ...]:
    assert ranking.tests is not None
    cliques = ranking.tests.cliques
    alike = sorted({other for clique in cliques if i in clique for other in clique} - {i})
    p = _p_to_best(ranking, i)
    best = ranking.average[i] == ranking.average[0]
    return (
        (Line(ranking.methods[i]),),
        (Line(f"{ranking.average[i]:.2f}", best, "measured"),),
        (Line("-" if p is None else p_value(p), kind="p"),),
        *((Line(f"{r:g}"),) for r in ranking.ranks[i]),
        (Line(_others(ranking, alike)),),
    )


def _others(ranking: Ranking, alike: Sequence[int]) -> str:
    """Names of methods, unless it is all of many."""
    if len(alike) == len(ranking.methods) - 1 > FEW:
        return "all others"
    return ", ".join(ranking.methods[other] for other in alike) or "-"


def _p_to_best(ranking: Ranking, i: int) -> float | None:
    pairs = ranking.tests.pairs if ranking.tests else ()
    return next((pair.holm for pair in pairs if (pair.first, pair.second) == (0, i)), None)


def _ranking_notes(ranking: Ranking) -> list[str]:
    notes = ["rank 1 is the best of a dataset; equal scores share the mean of their ranks"]
    if ranking.tests is not None:
        notes += [
            *([_friedman(ranking.tests.friedman)] if ranking.tests.friedman else []),
            f"not told apart: average ranks nearer than {ranking.tests.critical_difference:.2f}, "
            f"Nemenyi's critical difference at {ranking.tests.alpha:g}",
            "p against the best: Wilcoxon's signed ranks, exact, with Holm's correction",
        ]
    return [*notes, *ranking.notes]


def _friedman(test: Friedman) -> str:
    f = "" if test.f is None else f", Iman-Davenport F {test.f:.2f} (p {p_value(test.f_p or 0)})"
    return f"Friedman chi-square {test.chi2:.2f} (p {p_value(test.chi2_p)}){f}"
