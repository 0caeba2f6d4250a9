"""Tables whose cells are parted by a comma, a semicolon, a tab or a bar."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import chain, islice

from graphrings.errors import DatasetError
from graphrings.graphs.tables.source import Source
from graphrings.graphs.tables.table import Record, Table

SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
N_SAMPLED = 20  # lines that show how cells are parted
UNCLOSED = "unexpected end of data"  # as the csv module calls it
TOO_LARGE = "field larger than"


def open_separated(source: Source, separator: str | None = None) -> Table:
    """Open a CSV, TSV or similar file with a header; cells may be in double quotes."""
    lines = source.lines()
    sample = list(islice(lines, N_SAMPLED))
    separator = separator or sniffed(sample, "\t" if source.suffix == ".tsv" else ",")
    records = _records(chain(sample, lines), separator, source.place)
    header = next(records, None)
    if header is None:
        raise DatasetError(f"{source.place}: the file is empty")
    if header.fault:
        raise DatasetError(f"{source.place}:{header.line}: {header.fault}")
    width = len(header.cells)
    fitted = (_fitted(record, width, separator) for record in records)
    return Table(source.place, header.cells, fitted, source.close)


def sniffed(sample: list[str], usual: str) -> str:
    """What parts the cells of the first lines: what makes most columns in the same way in all."""

    def columns(separator: str) -> tuple[bool, int, bool]:
        try:
            rows = [row for row in csv.reader(sample, delimiter=separator) if row]
        except csv.Error:  # said when the record is read
            rows = []
        agree = sum(len(row) == len(rows[0]) for row in rows) if rows else 0
        width = len(rows[0]) if rows else 0
        return width > 1 and 2 * agree > len(rows), width, separator == usual

    return max(SEPARATORS, key=columns)


def _records(lines: Iterator[str], separator: str, place: str) -> Iterator[Record]:
    """All records with something in them, the header too."""
    raw: list[str] = []

    def noted() -> Iterator[str]:
        for line in lines:
            raw.append(line)
            yield line

    reader = csv.reader(noted(), delimiter=separator, strict=True)
    while True:
        line = reader.line_num + 1
        raw.clear()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            if str(error).startswith((UNCLOSED, TOO_LARGE)):
                raise DatasetError(f"{place}:{line}: {_in_words(str(error))}") from error
            text = "".join(raw).rstrip("\r\n")
            yield Record(line, (text,), "broken quotes: text behind a closing quote")
            continue
        if any(cell.strip() for cell in cells):
            yield Record(line, tuple(cells))


def _in_words(error: str) -> str:
    if error.startswith(UNCLOSED):
        return "a quote opens in this record and is never closed"
    return (
        f"a cell of more than {csv.field_size_limit():,} characters; is a quote not closed, or "
        "is this another kind of file?"
    )


def _fitted(record: Record, width: int, separator: str) -> Record:
    """The record with as many cells as there are columns, and a fault if it had others."""
    line, cells, fault = record
    n_cells = len(cells)
    if n_cells == width:
        return record
    if n_cells < width:
        cells += ("",) * (width - n_cells)
        return Record(line, cells, fault or f"short row: {n_cells} cells for {width} columns")
    surplus = cells[width:]
    if any(cell.strip() for cell in surplus):
        last = separator.join(cells[width - 1 :])
        fault = f"long row: {n_cells} cells for {width} columns"
        return Record(line, (*cells[: width - 1], last), fault)
    return Record(line, cells[:width], fault)
