"""Tables as people read them, before a format is chosen: words in cells, and notes below."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphrings.report.contrasts import Contrast
from graphrings.report.ranking import Ranking
from graphrings.report.statistics import PairedTest, repetitions_note
from graphrings.report.tables import Comparison, Entry, Row, Score
from graphrings.results.published import TABLES, Published
from graphrings.results.record import ExperimentCard

MINUS = "\N{MINUS SIGN}"
MOST_LISTED = 8  # places in a note


@dataclass(frozen=True)
class Line:
    """A line of a cell; ``kind`` says what it is, for formats that can style it."""

    text: str
    bold: bool = False
    kind: str = ""


Cell = tuple[Line, ...]


@dataclass(frozen=True)
class Sheet:
    """A table in words; ``raw`` holds the same as numbers, one dictionary a line of CSV."""

    kind: str
    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...]
    raw: tuple[Mapping[str, Any], ...]


def comparison_sheet(comparison: Comparison) -> Sheet:
    """Means and deviations, the paper's below ours in the same cell."""
    digits = _digits(comparison.score)
    return Sheet(
        "comparison",
        _caption(comparison),
        ("Method", *comparison.datasets),
        tuple(
            (_row_head(row), *(_entry_cell(entry, digits) for entry in row.entries))
            for row in comparison.rows
        ),
        tuple(_comparison_notes(comparison)),
        tuple(
            _raw_entry(comparison, row, dataset, entry)
            for row in comparison.rows
            for dataset, entry in zip(comparison.datasets, row.entries, strict=True)
        ),
    )


def _digits(score: Score) -> int:
    return 2 if score.percent else 3


def _caption(comparison: Comparison) -> str:
    unit = ", percent" if comparison.score.percent else ", lower is better"
    caption = f"{comparison.card.name}: test {comparison.score.title}{unit}"
    if comparison.like is None:
        return caption
    table = TABLES[comparison.like]
    return f"{caption}, as Table {table.number} of the paper ({table.title.lower()})"


def _row_head(row: Row) -> Cell:
    """Our name, and below it the paper's where numbers of the paper stand in the row."""
    ours = (Line(row.method),) if row.method is not None else ()
    if row.published is None or not any(entry.published for entry in row.entries):
        return ours or (Line(row.title),)
    return (*ours, Line(row.published.name, kind="published"))


def _entry_cell(entry: Entry, digits: int) -> Cell:
    cell = [Line(_measured(entry, digits), entry.best, "measured")]
    if entry.n_folds < entry.n_expected:
        cell.append(Line(_folds(entry), kind="incomplete"))
    if entry.published is not None:
        words = f"paper {_published(entry.published)}"
        cell.append(Line(words, entry.published_best, "published"))
    if entry.difference is not None:
        cell.append(Line(_signed(entry.difference, digits), kind="difference"))
    return tuple(cell)


def _measured(entry: Entry, digits: int) -> str:
    """The mean, and behind it the deviation over repetitions and that over folds."""
    if entry.mean is None:
        return "-"
    within = _deviation(entry.over_repetitions, "±", digits)
    return f"{entry.mean:.{digits}f}{within}{_deviation(entry.over_folds, ' / ', digits)}"


def _published(value: Published) -> str:
    if value.mean is None:
        return value.note
    return f"{value.mean:.2f}{_deviation(value.deviation, '±', 2)}"


def _deviation(value: float | None, sign: str, digits: int) -> str:
    return "" if value is None else f"{sign}{value:.{digits}f}"


def _signed(value: float, digits: int) -> str:
    rounded = round(value, digits) + 0.0  # no negative zero
    return f"{rounded:+.{digits}f}".replace("-", MINUS)


def _comparison_notes(comparison: Comparison) -> list[str]:
    entries = [entry for row in comparison.rows for entry in row.entries]
    repeated = any(entry.over_repetitions is not None for entry in entries)
    within = " ± deviation over the means of complete repetitions" if repeated else ""
    notes = [
        f"mean over the test folds{within} / deviation over all folds; "
        "bold: the best of a dataset among the methods that have completed it",
        *fold_notes(comparison.card),
    ]
    if any(entry.published for entry in entries):
        notes.append("paper: as published; below it ours minus the paper's")
    if comparison.like is not None:
        notes.append(f"sources: {_sources(comparison)}")
    missing = [
        f"{method} on {dataset} {_folds(entry)}"
        for method, dataset, entry in comparison.incomplete()
    ]
    if missing:
        notes.append(f"incomplete: {listed(missing, '; ')}")
    return notes


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
    notes = [f"{card.folds} folds: {times} of {card.n_folds}", repetitions_note(card.repetitions)]
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
        "unit": "percent" if comparison.score.percent else "nats",
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
    unit = "percentage points" if score.percent else "lower is better"
    return Sheet(
        "contrast",
        f"{contrast.card.name}: test {score.title} minus that of {contrast.reference}, {unit}",
        ("Method", *contrast.datasets),
        tuple(
            (
                (Line(row.method),),
                *(_test_cell(test, _digits(score)) for test in row.tests),
            )
            for row in contrast.rows
        ),
        tuple(_contrast_notes(contrast)),
        tuple(
            _raw_test(contrast, row.method, dataset, test)
            for row in contrast.rows
            for dataset, test in zip(contrast.datasets, row.tests, strict=True)
        ),
    )


def _test_cell(test: PairedTest, digits: int) -> Cell:
    if test.difference is None:
        return (Line("-", kind="measured"),)
    told_apart = test.p is not None and test.p < 0.05
    cell = [Line(_signed(test.difference, digits), told_apart, "measured")]
    if test.interval is not None:
        low, high = (_signed(end, digits) for end in test.interval)
        cell.append(Line(f"{low} to {high}", kind="interval"))
    cell.append(Line("p -" if test.p is None else f"p {p_value(test.p)}", kind="p"))
    return tuple(cell)


def listed(places: Sequence[str], separator: str = ", ") -> str:
    """Places by name; of many, only the first: the cells themselves say it too."""
    kept = separator.join(places[:MOST_LISTED])
    left = len(places) - MOST_LISTED
    return f"{kept} and {left:,} more" if left > 0 else kept


def p_value(p: float) -> str:
    """A p value as it is printed."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _contrast_notes(contrast: Contrast) -> list[str]:
    notes = [
        "difference, 95 % confidence interval and p of the corrected resampled t-test (Nadeau and "
        "Bengio) over the folds that both have; bold: p < 0.05, not corrected for many comparisons",
        *fold_notes(contrast.card),
    ]
    expected = contrast.card.repetitions * contrast.card.n_folds
    places: dict[str, list[str]] = defaultdict(list)
    for row in contrast.rows:
        for dataset, test in zip(contrast.datasets, row.tests, strict=True):
            few = f"{test.n}/{expected} folds in common" if test.n < expected else ""
            places[test.note or few].append(f"{row.method} on {dataset}")
    return notes + [f"{note}: {listed(where)}" for note, where in places.items() if note]


def _raw_test(contrast: Contrast, method: str, dataset: str, test: PairedTest) -> dict[str, Any]:
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


def _rank_row(ranking: Ranking, i: int) -> tuple[Cell, ...]:
    assert ranking.tests is not None
    cliques = ranking.tests.nemenyi_cliques
    alike = sorted({other for clique in cliques if i in clique for other in clique} - {i})
    p = _p_to_best(ranking, i)
    best = ranking.average[i] == ranking.average[0]
    return (
        (Line(ranking.methods[i]),),
        (Line(f"{ranking.average[i]:.2f}", best, "measured"),),
        (Line("-" if p is None else p_value(p), kind="p"),),
        *((Line(f"{r:g}"),) for r in ranking.ranks[i]),
        (Line(", ".join(ranking.methods[other] for other in alike) or "-"),),
    )


def _p_to_best(ranking: Ranking, i: int) -> float | None:
    pairs = ranking.tests.pairs if ranking.tests else ()
    return next((pair.holm for pair in pairs if (pair.first, pair.second) == (0, i)), None)


def _ranking_notes(ranking: Ranking) -> list[str]:
    notes = ["rank 1 is the best of a dataset; equal scores share the mean of their ranks"]
    if ranking.tests is not None:
        test = ranking.tests.friedman
        f = (
            ""
            if test.f is None
            else f", Iman-Davenport F {test.f:.2f} (p {p_value(test.f_p or 0)})"
        )
        notes += [
            f"Friedman chi-square {test.chi2:.2f} (p {p_value(test.chi2_p)}){f}",
            f"not told apart: average ranks nearer than {ranking.tests.critical_difference:.2f}, "
            f"Nemenyi's critical difference at {ranking.tests.alpha:g}",
            "p against the best: Wilcoxon's signed ranks, exact, with Holm's correction",
        ]
    return [*notes, *ranking.notes]


def pairs_sheet(ranking: Ranking) -> Sheet:
    """Every pair of methods by Wilcoxon's signed ranks with Holm's correction."""
    pairs = ranking.tests.pairs if ranking.tests else ()
    raw = tuple(
        {
            "method": ranking.methods[pair.first],
            "other": ranking.methods[pair.second],
            "datasets": pair.n,
            "p": pair.p,
            "p_holm": pair.holm,
        }
        for pair in pairs
    )
    return Sheet(
        "pairs",
        f"pairs of methods by test {ranking.score.title} over {_counted(ranking)}",
        ("Method", "Other", "Datasets", "p", "p (Holm)"),
        tuple(
            (
                (Line(ranking.methods[pair.first]),),
                (Line(ranking.methods[pair.second]),),
                (Line(str(pair.n)),),
                (Line(p_value(pair.p), kind="p"),),
                (Line(p_value(pair.holm), pair.holm < 0.05, "p"),),
            )
            for pair in pairs
        ),
        ("Wilcoxon's signed ranks, exact; datasets: those on which the two differ", *ranking.notes),
        raw,
    )
