"""Tables to be written, row by row. A new style is a function and an entry in the list."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from graphrings.errors import SettingError
from graphrings.graphs.libraries import library
from graphrings.prediction.cell_types import common_type, typed
from graphrings.prediction.columns import Column
from graphrings.spreadsheets import Cells
from graphrings.whole_files import whole_file

STANDARD_OUTPUT = "-"
Rows = Sequence[tuple[Any, ...]]
Write = Callable[[Rows], None]
Columns = Sequence[Column]


@contextmanager
def separated(place: Path | TextIO, columns: Columns, separator: str) -> Iterator[Write]:
    """Cells parted by a separator, in quotes where they must be; nothing is an empty cell."""
    with _text(place) as file:
        writer = csv.writer(file, delimiter=separator, lineterminator="\n")
        writer.writerow([column.name for column in columns])
        yield writer.writerows


@contextmanager
def json_lines(place: Path | TextIO, columns: Columns) -> Iterator[Write]:
    """One object per line; nothing is null, and text stays text among numbers."""
    names, types = distinct_names(columns), [column.type for column in columns]
    with _text(place) as file:

        def write(rows: Rows) -> None:
            for row in rows:
                cells = map(typed, row, types)
                fields = dict(zip(names, cells, strict=True))
                file.write(f"{json.dumps(fields, ensure_ascii=False)}\n")

        yield write


@contextmanager
def parquet(place: Path | TextIO, columns: Columns) -> Iterator[Write]:
    """A Parquet file by pyarrow, some rows at a time; nothing is null.

    A column in which text turns up among numbers is one of text. That is known at the end, so that
    rows are first written as they come, and then once more.
    """
    if not isinstance(place, Path):
        raise SettingError("a Parquet file cannot go to standard output; name one with -o")
    arrow = library("pyarrow", "parquet", "writing Parquet files")
    files = library("pyarrow.parquet", "parquet", "writing Parquet files")
    names, draft = distinct_names(columns), place.with_name(f"{place.name}.draft")
    seen: list[set[type[Any]]] = [{column.type} for column in columns]
    as_text = arrow.schema([(name, arrow.string()) for name in names])
    try:
        with files.ParquetWriter(draft, as_text) as writer:

            def write(rows: Rows) -> None:
                cells = [
                    [typed(cell, column.type) for cell in of_column]
                    for of_column, column in zip(zip(*rows, strict=True), columns, strict=True)
                ]
                for kinds, column in zip(seen, cells, strict=True):
                    kinds |= {type(cell) for cell in column if cell is not None}
                arrays = [arrow.array([_text_of(c) for c in column]) for column in cells]
                writer.write_table(arrow.table(arrays, schema=as_text))

            yield write
        types = {bool: arrow.bool_(), int: arrow.int64(), float: arrow.float64()}
        chosen = [types.get(common_type(kinds), arrow.string()) for kinds in seen]
        schema = arrow.schema(list(zip(names, chosen, strict=True)))
        with files.ParquetWriter(place, schema) as writer, files.ParquetFile(draft) as written:
            for batch in written.iter_batches():
                writer.write_table(arrow.Table.from_batches([batch]).cast(schema))
    finally:
        draft.unlink(missing_ok=True)


@dataclass(frozen=True)
class Style:
    """A way to write a table; ``suffix`` ends the names of its files."""

    name: str
    suffix: str
    open: Callable[[Path | TextIO, Columns], AbstractContextManager[Write]]
    for_spreadsheets: bool = False


STYLES = {
    style.name: style
    for style in (
        Style("csv", ".csv", lambda place, columns: separated(place, columns, ","), True),
        Style("tsv", ".tsv", lambda place, columns: separated(place, columns, "\t"), True),
        Style("jsonl", ".jsonl", json_lines),
        Style("parquet", ".parquet", parquet),
    )
}


def style_of(output: str, named: str | None) -> Style:
    """The style that a user names, or that of the file's ending; standard output is CSV."""
    if named is not None:
        return STYLES[named]
    if output == STANDARD_OUTPUT:
        return STYLES["csv"]
    for style in STYLES.values():
        if output.lower().endswith(style.suffix):
            return style
    endings = ", ".join(style.suffix for style in STYLES.values())
    raise SettingError(f"{output}: an unknown ending; expected one of {endings}, or --format")


@contextmanager
def opened_for_cells(output: str, style: Style, columns: Columns, cells: Cells) -> Iterator[Write]:
    """The same, with an eye on cells that a spreadsheet would compute."""
    if not style.for_spreadsheets:
        with opened(output, style, columns) as write:
            yield write
        return
    names = cells.row(column.name for column in columns)
    renamed = [column._replace(name=name) for column, name in zip(columns, names, strict=True)]
    with opened(output, style, renamed) as write:
        yield lambda rows: write([tuple(cells.row(row)) for row in rows])


@contextmanager
def opened(output: str, style: Style, columns: Columns) -> Iterator[Write]:
    """Write to a file, which is there as a whole or not at all, or to standard output."""
    if output == STANDARD_OUTPUT:
        with style.open(sys.stdout, columns) as write:
            yield write
        sys.stdout.flush()
        return
    with whole_file(Path(output)) as place, style.open(place, columns) as write:
        yield write


def distinct_names(columns: Columns) -> list[str]:
    """Names of columns, where one without a name is called by its number, counted from 1."""
    taken = {column.name for column in columns}
    names = []
    for number, column in enumerate(columns, start=1):
        name = column.name if column.name.strip() else f"column_{number}"
        while name != column.name and name in taken:
            name += "_"
        names.append(name)
    return names


def _text_of(cell: Any) -> str | None:
    """A cell as text that the cast of its column reads back."""
    return None if cell is None else str(cell).lower() if isinstance(cell, bool) else str(cell)


@contextmanager
def _text(place: Path | TextIO) -> Iterator[TextIO]:
    if isinstance(place, Path):
        with place.open("w", encoding="utf-8", newline="") as file:
            yield file
    else:
        yield place
