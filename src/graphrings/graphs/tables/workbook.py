"""Excel workbooks (.xlsx): the rows of the first sheet that is in sight and holds something."""

from __future__ import annotations

import posixpath
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from graphrings.errors import DatasetError, DatasetNote
from graphrings.graphs.files import ZIP_START, check_members, damage_explained
from graphrings.graphs.tables.source import Source
from graphrings.graphs.tables.table import Record, Table
from graphrings.graphs.tables.workbook_parts import (
    Link,
    Links,
    Part,
    Row,
    Rows,
    Sheets,
    Strings,
    Styles,
)
from graphrings.spelling import suggestion

AnyPart = TypeVar("AnyPart", bound=Part)
OLD_START = b"\xd0\xcf\x11\xe0"  # .xls, and what hides an .xlsx behind a password
AT_ONCE = 1 << 16  # bytes
MOST_NAMED = 5  # sheets that a note lists


class Sheet(NamedTuple):
    """A sheet by its name, the part of the workbook that it is, and whether people see it."""

    name: str
    part: str
    in_sight: bool


def open_workbook(source: Source, sheet: str | None = None) -> Table:
    """Open a sheet: the one of that name, or the first in sight that holds something.

    Its first row that holds something is the header, and lines are its rows.
    """
    source.close()
    if source.begins.startswith(OLD_START):
        raise DatasetError(
            f"{source.place}: an old Excel workbook (.xls), or one with a password; save it as "
            ".xlsx without a password, or as CSV"
        )
    if not source.path.is_file() or not source.begins.startswith(ZIP_START):
        raise DatasetError(
            f"{source.place}: not an Excel workbook (.xlsx); expected one that is neither gzipped "
            "nor sent through standard input"
        )
    workbook = Workbook(source.path, source.place)
    try:
        sheets = workbook.sheets()
        asked = [one for one in sheets if one.in_sight]
        if sheet is not None:
            asked = [_named(sheet, sheets, source.place)]
        for one in asked:
            rows = workbook.rows(one)
            header = next(rows, None)
            if header is not None:
                _say_what_was_left(source.place, one, asked)
                columns = header.cells_up_to(header.width)
                return Table(source.place, columns, _records(rows, columns), workbook.close)
        which = "no sheet in sight holds anything" if sheet is None else f"sheet {sheet!r} is empty"
        raise DatasetError(f"{source.place}: {which}")
    except BaseException:
        workbook.close()
        raise


class Workbook:
    """The parts of a workbook, which is a zip that is not trusted."""

    def __init__(self, path: Path, place: str) -> None:
        self._place, self._since_1904 = place, False
        with damage_explained(place):
            self._archive = zipfile.ZipFile(path)
        try:
            check_members(path, self._archive.infolist())
            self._names = set(self._archive.namelist())
            root = self._linked("", "officeDocument")
            if not root:
                raise DatasetError(f"{place}: no Excel workbook (.xlsx), though a zip archive")
            self._root = root[0].part
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the file."""
        self._archive.close()

    def sheets(self) -> list[Sheet]:
        """The sheets in their order."""
        listed = self._read(self._root, Sheets(self._place))
        self._since_1904 = listed.since_1904
        parts = {link.id: link.part for link in self._linked(self._root, "worksheet")}
        return [
            Sheet(one.name, parts[one.id], one.in_sight) for one in listed.listed if one.id in parts
        ]

    def rows(self, sheet: Sheet) -> Iterator[Row]:
        """The rows of a sheet that hold something."""
        strings, styles = Strings(self._place), Styles(self._place)
        for kind, part in (("sharedStrings", strings), ("styles", styles)):
            for link in self._linked(self._root, kind):
                self._read(link.part, part)
        rows = Rows(self._place, sheet.name, strings.texts, styles.dates, self._since_1904)
        for chunk in self._chunks(sheet.part):
            rows.feed(chunk)
            yield from rows.taken()
        rows.end()
        yield from rows.taken()

    def _linked(self, part: str, kind: str) -> list[Link]:
        """The parts that a part refers to as such a kind."""
        folder, name = posixpath.split(part)
        place = posixpath.join(folder, "_rels", f"{name}.rels")
        if place not in self._names:
            return []
        links = self._read(place, Links(self._place)).links
        inside = [link._replace(part=_joined(folder, link.part)) for link in links]
        return [link for link in inside if link.kind == kind and link.part in self._names]

    def _read(self, name: str, part: AnyPart) -> AnyPart:
        for chunk in self._chunks(name):
            part.feed(chunk)
        part.end()
        return part

    def _chunks(self, name: str) -> Iterator[bytes]:
        """What a part holds; nothing beyond the size that the archive promises is read."""
        with damage_explained(f"{self._place}/{name}"):
            left = self._archive.getinfo(name).file_size
            with self._archive.open(name) as member:
                while left > 0 and (chunk := member.read(min(left, AT_ONCE))):
                    left -= len(chunk)
                    yield chunk


def _joined(folder: str, target: str) -> str:
    """A part as the archive calls it; targets are relative, or begin at the root."""
    return posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")


def _named(name: str, sheets: Sequence[Sheet], place: str) -> Sheet:
    """The sheet of a name; upper and lower case may differ, as in Excel."""
    for sheet in sheets:
        if sheet.name.strip().lower() == name.strip().lower():
            return sheet
    known = [sheet.name for sheet in sheets]
    listed = ", ".join(map(repr, known[:MOST_NAMED]))
    near = suggestion(name, known)
    raise DatasetError(f"{place}: no sheet {name!r}; the sheets are {listed}{near}")


def _say_what_was_left(place: str, sheet: Sheet, sheets: Iterable[Sheet]) -> None:
    others = [repr(other.name) for other in sheets if other != sheet]
    if others:
        more = f" and {len(others) - MOST_NAMED} more" if len(others) > MOST_NAMED else ""
        warnings.warn(
            f"{place}: read the sheet {sheet.name!r}; left {', '.join(others[:MOST_NAMED])}{more}; "
            "sheet names another",
            DatasetNote,
            stacklevel=2,
        )


def _records(rows: Iterator[Row], columns: tuple[str, ...]) -> Iterator[Record]:
    """Rows with as many cells as there are columns, and a fault where there were more."""
    width = len(columns)
    for row in rows:
        cells = row.cells_up_to(width)
        surplus = [text for at, text in sorted(row.cells.items()) if at >= width and text.strip()]
        if not surplus:
            yield Record(row.number, cells)
            continue
        fault = f"long row: cells in {row.width} columns, the header has {width}"
        yield Record(row.number, (*cells[:-1], ", ".join([cells[-1], *surplus])), fault)
