"""Files of SMILES: one per line, then perhaps a name; no header, or one that says ``smiles``."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from graphrings.errors import DatasetError
from graphrings.graphs.tables.source import Source
from graphrings.graphs.tables.table import Record, Table

COLUMNS = ("smiles", "name")


def open_smi(source: Source) -> Table:
    """Open a file of SMILES; its columns are called ``smiles`` and ``name``."""
    records = _records(source.lines())
    first = list(islice(records, 1))
    if not first:
        raise DatasetError(f"{source.place}: the file is empty")
    if first[0].cells[0].lower() == COLUMNS[0]:
        first = []
    return Table(source.place, COLUMNS, chain(first, records), source.close, molecules=COLUMNS[0])


def _records(lines: Iterator[str]) -> Iterator[Record]:
    for number, line in enumerate(lines, start=1):
        words = line.split(maxsplit=1)
        if words:
            smiles, name = (*words, "")[:2]
            yield Record(number, (smiles, name.rstrip()))
