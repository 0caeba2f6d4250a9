"""JSON lines: one object per line; what it has is a row."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any

from graphrings.errors import DatasetError, DatasetNote
from graphrings.graphs.tables.source import Source
from graphrings.graphs.tables.table import Record, Table

N_SAMPLED = 100  # objects whose names become columns


def open_json_lines(source: Source) -> Table:
    """Open a file of JSON objects; the names in the first hundred are the columns."""
    objects = _objects(source.lines())
    sample = list(islice(objects, N_SAMPLED))
    if not sample:
        raise DatasetError(f"{source.place}: the file is empty")
    columns = tuple(dict.fromkeys(name for _, row, fault in sample if not fault for name in row))
    if not columns:
        line, _, fault = sample[0]
        raise DatasetError(f"{source.place}:{line}: {fault or 'an object without anything in it'}")
    records = _records(chain(sample, objects), columns, source.place)
    types = {name: _type(row.get(name, "") for _, row, _ in sample) for name in columns}
    return Table(source.place, columns, records, source.close, types=types)


def _type(cells: Iterable[str]) -> type[Any]:
    """What a column holds: numbers or truth values, if nothing else is among them, or text."""
    given = [cell for cell in cells if cell]
    kinds = {type(cell) for cell in given}
    if kinds == {_Truth}:
        return bool
    if kinds != {_Number}:
        return str
    return int if all(cell.lstrip("-").isdigit() for cell in given) else float


def _objects(lines: Iterator[str]) -> Iterator[tuple[int, dict[str, str], str]]:
    """The line, the cells by name, and the fault of every line that is not blank.

    The only cell of a line with a fault, called "", is the line.
    """
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            # Numbers stay as they are written.
            content = json.loads(line, parse_float=_Number, parse_int=_Number)
        except (ValueError, RecursionError) as error:
            yield number, {"": line.strip()}, f"not JSON: {' '.join(str(error).split())}"
            continue
        if isinstance(content, dict):
            yield number, {name: _text(value) for name, value in content.items()}, ""
        else:
            yield number, {"": line.strip()}, 'no JSON object: expected {"smiles": "CCO", ...}'


def _records(
    objects: Iterator[tuple[int, dict[str, str], str]], columns: tuple[str, ...], place: str
) -> Iterator[Record]:
    known, told = set(columns), False
    for line, row, fault in objects:
        if fault:
            yield Record(line, (row[""], *("",) * (len(columns) - 1)), fault)
            continue
        if not told and not known.issuperset(row):
            told = True
            new = next(name for name in row if name not in known)
            warnings.warn(
                f"{place}:{line}: {new!r} is not in the first {N_SAMPLED} objects and is left out",
                DatasetNote,
                stacklevel=2,
            )
        yield Record(line, tuple(row.get(name, "") for name in columns))


class _Number(str):
    """A number as it is written."""


class _Truth(str):
    """true or false."""


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return _Truth(json.dumps(value))
    return value if isinstance(value, str) else json.dumps(_plain(value), ensure_ascii=False)


def _plain(value: Any) -> Any:
    """Lists and objects with numbers that are numbers again."""
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    return json.loads(value) if isinstance(value, _Number) else value
