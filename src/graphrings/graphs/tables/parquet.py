"""Parquet files, by pyarrow."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from graphrings.errors import DatasetError
from graphrings.graphs.libraries import library
from graphrings.graphs.tables.source import Source
from graphrings.graphs.tables.table import Record, Table

PARQUET_START = b"PAR1"
N_AT_ONCE = 4096  # rows in memory
WORDS = {None: "", True: "true", False: "false"}


def open_parquet(source: Source) -> Table:
    """Open a Parquet file; its rows are counted from 1."""
    parquet = library("pyarrow.parquet", "parquet", "reading Parquet files")
    source.close()
    if not source.path.is_file() or not source.begins.startswith(PARQUET_START):
        raise DatasetError(
            f"{source.place}: not a Parquet file; expected one that is neither gzipped nor sent "
            "through standard input"
        )
    with _damage_in_one_line(source):
        file = parquet.ParquetFile(source.path)
        columns = tuple(file.schema_arrow.names)
        types = {field.name: _type(field.type) for field in file.schema_arrow}
    return Table(source.place, columns, _records(source, file), file.close, types=types)


def _records(source: Source, file: Any) -> Iterator[Record]:
    number = 0
    batches = file.iter_batches(batch_size=N_AT_ONCE)
    while True:
        with _damage_in_one_line(source):
            batch = next(batches, None)
            columns = [] if batch is None else [column.to_pylist() for column in batch.columns]
        if batch is None:
            return
        for cells in zip(*columns, strict=True):
            number += 1
            yield Record(number, tuple(map(_text, cells)))


def _type(arrow: Any) -> type[Any]:
    """What cells of an arrow type are; all that is neither number nor truth value is text."""
    types = library("pyarrow", "parquet", "reading Parquet files").types
    if types.is_boolean(arrow):
        return bool
    if types.is_integer(arrow):
        return int
    return float if types.is_floating(arrow) else str


@contextmanager
def _damage_in_one_line(source: Source) -> Iterator[None]:
    """Raise what pyarrow refuses, which may be any error of its own, as one of ours."""
    arrow = library("pyarrow", "parquet", "reading Parquet files")
    try:
        yield
    except (OSError, ValueError, OverflowError, arrow.ArrowException) as error:
        reason = " ".join(str(error).split())
        raise DatasetError(
            f"{source.place}: a Parquet file that was cut off or damaged, or that holds what "
            f"nobody can read ({reason})"
        ) from error


def _text(value: Any) -> str:
    return WORDS[value] if value is None or isinstance(value, bool) else str(value)
