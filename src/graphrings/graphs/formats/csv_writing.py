"""CSV files that are read as what they were written from."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from graphrings.graphs.dataset import Dataset, Names
from graphrings.graphs.formats.csv_table import typed_cells
from graphrings.graphs.formats.writing import Written, written_names


def csv_names(names: Names, what: str) -> Written:
    """Names that a column can hold; text that looks like numbers is put into quotes."""
    written = written_names(names, what)
    cells = [str(name) for name in written.names]
    if typed_cells(cells) == list(written.names):
        return written
    return Written(tuple(f"'{cell}'" for cell in cells), f"{what} are written as text")


def written_targets(dataset: Dataset) -> Written:
    """The target of every graph as it stands in a cell."""
    assert dataset.targets is not None, "who asks has looked"
    if not dataset.class_names:
        return Written(tuple(dataset.targets.tolist()))
    names, note = csv_names(dataset.class_names, "classes")
    return Written(tuple(names[k] for k in dataset.targets), note)


def csv_table(columns: Mapping[str, Iterable[Any]]) -> Iterator[bytes]:
    """The lines of a table: its headings, then row after row."""
    yield csv_line(list(columns))
    for row in zip(*columns.values(), strict=True):
        yield csv_line(row)


def csv_line(cells: Iterable[Any]) -> bytes:
    """One line; real numbers keep every digit."""
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue().encode()
