"""Options of reading a table of molecules, as data: the command line and the docs show these."""

from __future__ import annotations

from pathlib import Path

from graphrings.graphs.chemistry import CHEMISTRY
from graphrings.settings import Setting, Settings, one_of, switch, text_or_none

COLUMN = "the name of a column"
COLUMNS: Settings = {
    "smiles": text_or_none(
        "column with the molecules; by default found by its name, else by its content", COLUMN
    ),
    "target": text_or_none(
        "column to predict; by default the only other one, and an empty name asks for none", COLUMN
    ),
    "id": text_or_none("column that names the rows", COLUMN),
}
SHEET: Settings = {
    "sheet": text_or_none(
        "sheet of an Excel workbook; by default the first in sight that holds something",
        "the name of a sheet",
    )
}
TASK = one_of(
    "what the targets are; by default what they look like", ("classification", "regression")
)
REJECTING: Settings = {
    "strict": switch("whether one row that cannot be used is an error", default=False),
    "rejected": Setting(
        "CSV file to write, with line, reason and text of the rows that cannot be used",
        "None, or a path",
        lambda v: v is None or isinstance(v, str | Path),
        type=Path,
    ),
}
READING: Settings = {**COLUMNS, **SHEET, "task": TASK, **CHEMISTRY, **REJECTING}
