"""A table out of a CSV file: columns by their headings, with the line of every row."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from graphrings.errors import DatasetError
from graphrings.graphs.adapters.data_keys import MISSING
from graphrings.graphs.files import Files
from graphrings.graphs.text import is_finite
from graphrings.spelling import suggestion

SEPARATORS = ",;\t"
INTEGER = re.compile(r"-?(?:0|[1-9]\d{0,17})", re.ASCII)  # 007 is a name


@dataclass(frozen=True)
class CsvTable:
    """The cells of a file as text, column after column."""

    place: str
    columns: dict[str, list[str]]
    lines: list[int]

    def heading(self, *wanted: str) -> str:
        """The first of these headings that the file has."""
        for name in wanted:
            if name in self.columns:
                return name
        near = suggestion(wanted[0], self.columns)
        raise DatasetError(
            f"{self.place}:1: no column {wanted[0]!r}{near}; it has {', '.join(self.columns)}"
        )

    def column(self, *wanted: str) -> list[str]:
        """The cells of the first of these columns, none of which is empty."""
        name = self.heading(*wanted)
        for line, cell in zip(self.lines, self.columns[name], strict=True):
            if not cell:
                raise DatasetError(f"{self.place}:{line}: an empty cell in column {name!r}")
        return self.columns[name]

    @cached_property
    def typed_columns(self) -> dict[str, list[Any]]:
        """All columns, each with cells of what they all are."""
        return {name: self.typed(name) for name in self.columns}

    def typed(self, name: str) -> list[Any]:
        """The cells of a column as what they all are: integers, real numbers, or else text."""
        return typed_cells(self.columns[name])


def read_csv(files: Files, name: str) -> CsvTable:
    """Read a CSV file with a heading; commas, semicolons or tabs separate the cells."""
    place = files.place(name)
    try:
        text = files.read(name).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DatasetError(f"{place}: not UTF-8 text (byte {error.start})") from error
    first = text.split("\n", 1)[0]
    separator = max(SEPARATORS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows, lines = list[list[str]](), list[int]()
    try:
        for row in reader:
            if row:
                rows.append(row)
                lines.append(reader.line_num)
    except csv.Error as error:
        raise DatasetError(f"{place}:{reader.line_num}: {error}") from error
    if not rows:
        raise DatasetError(f"{place}: the file is empty; expected a line of headings")
    headings = [cell.strip() for cell in rows[0]]
    if len(set(headings)) < len(headings):
        twice = next(cell for cell in headings if headings.count(cell) > 1)
        raise DatasetError(f"{place}:{lines[0]}: the heading {twice!r} twice")
    for line, row in zip(lines, rows, strict=True):
        if len(row) != len(headings):
            raise DatasetError(
                f"{place}:{line}: {len(row)} cells; expected {len(headings)}, as in the first line"
            )
    cells = zip(*rows[1:], strict=True) if len(rows) > 1 else ([] for _ in headings)
    columns = {name: list(column) for name, column in zip(headings, cells, strict=True)}
    return CsvTable(place, columns, lines[1:])


def typed_cells(cells: Sequence[str]) -> list[Any]:
    """Cells as what all of them are, empty ones left out: integers, real numbers, or text."""
    filled = [cell for cell in cells if cell]
    kind: Any = str
    if all(map(INTEGER.fullmatch, filled)):
        kind = int
    elif all(is_finite(cell.encode()) for cell in filled):
        kind = float
    return [kind(cell) if cell else MISSING for cell in cells]
