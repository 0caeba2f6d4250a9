"""Tables of any kind, opened by one call. A new kind is a file and an entry here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from graphrings.errors import DatasetError
from graphrings.graphs.tables.json_lines import open_json_lines
from graphrings.graphs.tables.parquet import PARQUET_START, open_parquet
from graphrings.graphs.tables.sdf import open_sdf
from graphrings.graphs.tables.separated import SEPARATORS, open_separated
from graphrings.graphs.tables.smi import open_smi
from graphrings.graphs.tables.source import STANDARD_INPUT as STANDARD_INPUT
from graphrings.graphs.tables.source import Source
from graphrings.graphs.tables.table import Record as Record
from graphrings.graphs.tables.table import Rows as Rows
from graphrings.graphs.tables.table import Table as Table
from graphrings.graphs.tables.workbook import open_workbook
from graphrings.spelling import suggestion


@dataclass(frozen=True)
class Kind:
    """A kind of table: ``suffixes`` are the ends of its files, before ``.gz``.

    ``begins`` are the first bytes by which it is known where the name says nothing.
    """

    name: str
    suffixes: tuple[str, ...]
    open: Callable[..., Table]
    begins: tuple[bytes, ...] = ()


SEPARATED = Kind("csv", (".csv", ".tsv"), open_separated)
WORKBOOK = Kind("xlsx", (".xlsx", ".xlsm", ".xls"), open_workbook)
KINDS = {
    kind.name: kind
    for kind in (
        SEPARATED,
        Kind("jsonl", (".jsonl", ".ndjson"), open_json_lines, (b"{",)),
        Kind("parquet", (".parquet",), open_parquet, (PARQUET_START,)),
        WORKBOOK,
        Kind("smi", (".smi",), open_smi),
        Kind("sdf", (".sdf",), open_sdf),
    )
}


def open_table(
    source: str | Path,
    *,
    kind: str | None = None,
    separator: str | None = None,
    sheet: str | None = None,
) -> Table:
    """Open a table; ``-`` is standard input.

    ``kind`` is the name of one of ``KINDS``; by default the name of the file says it, and else its
    first bytes do. ``separator`` parts the cells of a CSV file; by default it is found. ``sheet``
    is one of an Excel workbook; by default the first in sight that holds something.
    """
    if kind is not None and kind not in KINDS:
        raise DatasetError(
            f"{kind!r} is no kind of table; expected one of {', '.join(KINDS)}"
            f"{suggestion(kind, KINDS)}"
        )
    opened = Source(source)
    try:
        chosen = KINDS[kind] if kind else _kind_of(opened)
        if sheet is not None and chosen is not WORKBOOK:
            raise DatasetError(
                f"{opened.place}: sheet {sheet!r}; only an Excel workbook has sheets"
            )
        if separator is None:
            return chosen.open(opened) if sheet is None else chosen.open(opened, sheet)
        if chosen is not SEPARATED or separator not in SEPARATORS:
            known = ", ".join(SEPARATORS.values())
            raise DatasetError(
                f"{opened.place}: separator {separator!r}; expected a {known} of a CSV file"
            )
        return chosen.open(opened, separator)
    except BaseException:
        opened.close()
        raise


def _kind_of(source: Source) -> Kind:
    by_name = [kind for kind in KINDS.values() if source.suffix in kind.suffixes]
    content = source.begins.lstrip()
    by_content = [kind for kind in KINDS.values() if content.startswith(kind.begins or (b"\0\0",))]
    return next(iter([*by_name, *by_content]), SEPARATED)
