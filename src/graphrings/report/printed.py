"""Tables for Python: the same that ``graphrings table`` prints, as text, HTML, rows or a frame."""

from __future__ import annotations

import io
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphrings.errors import SettingError
from graphrings.printable import one_line
from graphrings.report import sheets
from graphrings.report.brief import brief_sheet
from graphrings.report.contrasts import against as contrast
from graphrings.report.named import Named, named_results
from graphrings.report.ranking import rank
from graphrings.report.rendering import FORMATS, Sheet, html, terminal
from graphrings.report.tables import TEST, VALIDATION, compare
from graphrings.results.results import Results, frame

WIDTH = 100  # characters of a table as text


@dataclass(frozen=True, repr=False)
class Table:
    """A table: printed it is text, in a notebook HTML; ``rows`` hold its numbers."""

    sheet: Sheet

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The numbers at full precision, one dictionary for every entry."""
        return [dict(row) for row in self.sheet.raw]

    def to_frame(self) -> Any:
        """The rows as a pandas frame."""
        return frame(self.sheet.raw)

    def to_text(self, style: str) -> str:
        """The table as ``md``, ``latex``, ``csv`` or ``html``."""
        if style not in FORMATS:
            raise SettingError(f"style = {style!r}; expected one of {', '.join(FORMATS)}")
        return FORMATS[style](self.sheet)

    def __str__(self) -> str:
        from rich.console import Console

        text = io.StringIO()
        Console(file=text, width=WIDTH, color_system=None).print(terminal(self.sheet, WIDTH))
        notes = [f"note: {one_line(note)}" for note in self.sheet.notes]
        lines = [line.rstrip() for line in text.getvalue().splitlines()]
        return "\n".join([*lines, *notes])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html(self.sheet)


def table(
    results: Results | str | Path,
    experiment: Named = None,
    *,
    datasets: Collection[str] = (),
    methods: Collection[str] = (),
    score: str | None = None,
    like: str | None = None,
    against: str | None = None,
    ranks: bool = False,
    validation: bool = False,
    brief: bool = False,
) -> Table:
    """The means of all methods on all datasets, beside the paper's numbers where it has any.

    Args:
        results: what ``gr.run`` returns, or the path of a store.
        experiment: which one of the store, if it holds several; or a file of it, such as
            ``table2``, or several, for the rows and datasets that they name.
        datasets: some of the columns, in this order; by default all.
        methods: some of the rows, in this order; by default all.
        score: any score of the task, such as ``mcc`` or ``auroc``; by default its main one.
        like: ``table2`` or ``table3``, to arrange as the paper does.
        against: a method; instead of the means, the differences of all others to it, with tests.
        ranks: instead of the means, the ranks over all datasets, with tests.
        validation: the means on the validation folds, by which one may choose among rows.
        brief: one line an entry, and no rows of which nothing was run.

    """
    if validation and (against is not None or ranks or like is not None):
        raise SettingError("validation is a table of its own; ask for it without the others")
    if against is not None and ranks:
        raise SettingError("against and ranks are two tables; ask for one of them")
    if brief and (against is not None or ranks):
        raise SettingError("brief is a way to show the means; ask for it without the others")
    if like is not None and (datasets or methods):
        raise SettingError("like has the rows and columns of the paper; ask for some without it")
    if not isinstance(results, Results):
        results = named_results(results, experiment, against)
    elif experiment is not None:
        raise SettingError(f"experiment = {experiment!r} is for a store; these are results of one")
    if methods and against is not None:
        methods = [*methods, against]
    if datasets or methods:
        results = results.part(datasets, methods)
    if against is not None:
        return Table(
            sheets.contrast_sheet(contrast(results.card, results.records, against, score, like))
        )
    fold = VALIDATION if validation else TEST
    comparison = compare(results.card, results.records, results.failures, score, like, fold)
    if ranks:
        return Table(sheets.ranking_sheet(rank(comparison)))
    return Table(brief_sheet(comparison) if brief else sheets.comparison_sheet(comparison))
