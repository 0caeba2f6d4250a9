"""The comparison of all methods in few words: one line an entry, what was never run left out."""

from __future__ import annotations

from graphrings.report.rendering import Line, Lines, Sheet
from graphrings.report.sheets import comparison_sheet, fold_notes, hopeful_notes, processor_notes
from graphrings.report.tables import Comparison, Entry, Row
from graphrings.report.words import listed
from graphrings.tasks.scores import Score

NEVER_RUN = "\N{EN DASH}"
FEWER = "*"


def brief_sheet(comparison: Comparison) -> Sheet:
    """Mean and deviation over the repetitions, the paper's mean in brackets behind them."""
    rows = [row for row in comparison.rows if any(entry.n_folds for entry in row.entries)]
    whole = comparison_sheet(comparison)
    return Sheet(
        "brief",
        whole.caption,
        whole.headings,
        tuple(
            ((Line(row.title),), *(brief_entry(entry, comparison.score) for entry in row.entries))
            for row in rows
        ),
        tuple(_notes(comparison, rows)),
        whole.raw,
    )


def brief_entry(entry: Entry, score: Score) -> Lines:
    """``86.7±2.3 (87.2)``, or ``86.7* (87.2)`` where repetitions are missing."""
    places = 1 if score.percent else 3
    if entry.mean is None:
        ours = NEVER_RUN
    else:
        over = entry.over_repetitions
        spread = "" if over is None else f"±{over:.{places}f}"
        ours = f"{entry.mean:.{places}f}{spread}{'' if entry.complete else FEWER}"
    paper = entry.published
    printed = f" ({paper.mean:.{places}f})" if paper and paper.mean is not None else ""
    return (Line(ours + printed, entry.best, "measured"),)


def _notes(comparison: Comparison, rows: list[Row]) -> list[str]:
    entries = [entry for row in rows for entry in row.entries]
    notes = [
        f"mean over the {comparison.fold} folds ± deviation over the means of complete "
        "repetitions; bold: the best of a dataset among the methods that have completed it",
        *fold_notes(comparison.card),
    ]
    if any(entry.published for entry in entries):
        notes.append("in brackets: the paper's")
    if fewer := sorted(
        {entry.n_folds for entry in entries if entry.n_folds > 0 and not entry.complete}
    ):
        notes.append(f"{FEWER}: only {listed(list(map(str, fewer)))} of the folds")
    if any(not entry.n_folds for entry in entries):
        notes.append(f"{NEVER_RUN}: not run")
    if absent := [row.title for row in comparison.rows if row not in rows]:
        notes.append(f"rows of which nothing was run are left out: {listed(absent)}")
    return [*notes, *hopeful_notes(comparison), *processor_notes(comparison)]
