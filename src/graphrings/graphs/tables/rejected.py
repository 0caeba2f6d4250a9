"""Rows that cannot be used: each with its line and a reason, none dropped without a word."""

from __future__ import annotations

import csv
import warnings
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from graphrings.errors import DatasetError, DatasetNote
from graphrings.spreadsheets import Cells
from graphrings.whole_files import whole_file

LONGEST_SHOWN = 60  # characters of a text in a message


class Rejected(NamedTuple):
    """A row that cannot be used.

    ``text`` is its molecule or, where its cells cannot be told apart, all of it. A reason has its
    kind before a colon: ``does not parse: unclosed ring``.
    """

    line: int
    reason: str
    text: str
    id: str | None = None

    @property
    def kind(self) -> str:
        """The reason without what is particular to this row."""
        return self.reason.partition(":")[0]

    def __str__(self) -> str:
        text = self.text if len(self.text) <= LONGEST_SHOWN else f"{self.text[:LONGEST_SHOWN]}..."
        return f"{self.reason} ({text!r})" if text else self.reason


def summary(place: str, n_rows: int, rejected: Sequence[Rejected]) -> str:
    """How many rows were rejected and why, in one line."""
    kinds = Counter(row.kind for row in rejected).most_common()
    counted = ", ".join(f"{kind}: {count:,}" for kind, count in kinds)
    first = rejected[0]
    return (
        f"{place}: {len(rejected):,} of {n_rows:,} rows cannot be used ({counted}); "
        f"the first is line {first.line}: {first}"
    )


def write_rejected(path: str | Path, rejected: Sequence[Rejected]) -> None:
    """Write rejected rows as CSV: line, reason and text, and the id where rows have one.

    They stay as they were; cells that a spreadsheet would compute are counted in a note.
    """
    path = Path(path)
    if not path.absolute().parent.is_dir():
        raise DatasetError(f"{path.parent}: no such folder to write {path.name} to")
    with_id = any(row.id is not None for row in rejected)
    names = ("line", "reason", "text", "id")[: 4 if with_id else 3]
    with whole_file(path) as place, place.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        cells = Cells()
        writer.writerows(cells.row(getattr(row, name) for name in names) for row in rejected)
    if cells.n_formulas:
        note = f"{path}: {cells.n_formulas:,} cells look like formulas to a spreadsheet"
        warnings.warn(f"{note}; import them as text", DatasetNote, stacklevel=3)
