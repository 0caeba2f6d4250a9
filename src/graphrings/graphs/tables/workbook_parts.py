"""What the parts of an Excel workbook say: XML that is followed element by element."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, NoReturn
from xml.parsers import expat

from graphrings.errors import DatasetError, DatasetNote, GraphRingsError
from graphrings.graphs.tables.workbook_cells import is_date, number_text

MOST_COLUMNS, MOST_ROWS = 1 << 14, 1 << 20  # that Excel has
LONGEST = 1 << 17  # characters of a cell, as in CSV
CELL = re.compile(r"([A-Z]{1,3})[0-9]+")
TRUTH = {"1": "true", "0": "false", "true": "true", "false": "false"}


class Link(NamedTuple):
    """One part that another refers to, by an id of its own, as what it is."""

    id: str
    kind: str
    part: str


class Row(NamedTuple):
    """A row that holds something: its number, and its cells by their column, counted from 0."""

    number: int
    cells: Mapping[int, str]

    @property
    def width(self) -> int:
        """The columns up to the last cell that holds something."""
        return 1 + max(at for at, text in self.cells.items() if text.strip())

    def cells_up_to(self, width: int) -> tuple[str, ...]:
        """The first cells; those that are not there are empty."""
        return tuple(self.cells.get(at, "") for at in range(width))


class Part:
    """A part that is being read; document types, and with them entities, are refused."""

    def __init__(self, place: str) -> None:
        self.place = place
        self._text: str | None = None  # of the element that is read, if it is asked for
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.buffer_text = True
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters

    def feed(self, content: bytes) -> None:
        """Read on."""
        self._parse(content, False)

    def end(self) -> None:
        """There is no more."""
        self._parse(b"", True)

    def start(self, tag: str, given: Mapping[str, str]) -> None:
        """An element begins."""

    def finish(self, tag: str, text: str) -> None:
        """An element ends; ``text`` is that of one whose text was asked for."""

    def ask(self) -> None:
        """The text of the element that begins is wanted."""
        self._text = ""

    def no_longer(self, text: str) -> str:
        """What a cell may hold."""
        if len(text) > LONGEST:
            self.refuse(f"a cell of more than {LONGEST:,} characters")
        return text

    def refuse(self, why: str) -> NoReturn:
        """The workbook is not as workbooks are."""
        raise DatasetError(f"{self.place}: {why}")

    def _parse(self, content: bytes, final: bool) -> None:
        try:
            self._parser.Parse(content, final)
        except expat.ExpatError as error:
            why = expat.ErrorString(error.code)
            raise DatasetError(
                f"{self.place}: a damaged workbook, not XML inside ({why})"
            ) from error
        except GraphRingsError:
            raise
        except (LookupError, ValueError) as error:  # an encoding that nobody knows
            raise DatasetError(f"{self.place}: a damaged workbook ({error})") from error

    def _doctype(self, *_: Any) -> None:
        self.refuse(
            "a document type inside the workbook; expected none, since it may hide anything"
        )

    def _start(self, tag: str, given: dict[str, str]) -> None:
        self.start(_local(tag), {_local(name): value for name, value in given.items()})

    def _end(self, tag: str) -> None:
        text, self._text = self._text or "", None
        self.finish(_local(tag), text)

    def _characters(self, text: str) -> None:
        if self._text is not None:
            self._text = self.no_longer(self._text + text)


class Links(Part):
    """What a part refers to."""

    def __init__(self, place: str) -> None:
        super().__init__(place)
        self.links: list[Link] = []

    def start(self, tag: str, given: Mapping[str, str]) -> None:
        """Take note of a link that stays inside the workbook."""
        if tag == "Relationship" and given.get("TargetMode") != "External":
            kind = given.get("Type", "").rpartition("/")[2]
            self.links.append(Link(given.get("Id", ""), kind, given.get("Target", "")))


class ListedSheet(NamedTuple):
    """A sheet as the workbook lists it: its name, its id, and whether people see it."""

    name: str
    id: str
    in_sight: bool


class Sheets(Part):
    """The sheets, and from when days are counted."""

    def __init__(self, place: str) -> None:
        super().__init__(place)
        self.listed: list[ListedSheet] = []
        self.since_1904 = False

    def start(self, tag: str, given: Mapping[str, str]) -> None:
        """Take note of a sheet."""
        if tag == "workbookPr":
            self.since_1904 = given.get("date1904") in ("1", "true")
        elif tag == "sheet":
            in_sight = given.get("state", "visible") == "visible"
            self.listed.append(ListedSheet(given.get("name", ""), given.get("id", ""), in_sight))


class Strings(Part):
    """The texts that cells share, without how they are pronounced."""

    def __init__(self, place: str) -> None:
        super().__init__(place)
        self.texts: list[str] = []
        self._spoken = False

    def start(self, tag: str, given: Mapping[str, str]) -> None:
        """Begin a text, or a piece of one."""
        del given
        if tag == "si":
            self.texts.append("")
        elif tag == "rPh":
            self._spoken = True
        elif tag == "t" and not self._spoken:
            self.ask()

    def finish(self, tag: str, text: str) -> None:
        """Add a piece to its text."""
        if tag == "rPh":
            self._spoken = False
        elif tag == "t" and text and self.texts:
            self.texts[-1] = self.no_longer(self.texts[-1] + text)


class Styles(Part):
    """Which styles show a number as a date or a time."""

    def __init__(self, place: str) -> None:
        super().__init__(place)
        self.dates: list[bool] = []
        self._formats: dict[str, str] = {}
        self._of_cells = False

    def start(self, tag: str, given: Mapping[str, str]) -> None:
        """Take note of a format, or of the style of cells."""
        if tag == "numFmt":
            self._formats[given.get("numFmtId", "")] = given.get("formatCode", "")
        elif tag == "cellXfs":
            self._of_cells = True
        elif tag == "xf" and self._of_cells:
            number = given.get("numFmtId", "0")
            self.dates.append(is_date(number, self._formats.get(number)))

    def finish(self, tag: str, text: str) -> None:
        """Styles of other things follow."""
        del text
        if tag == "cellXfs":
            self._of_cells = False


class Rows(Part):
    """The rows of a sheet that hold something, as they come."""

    def __init__(
        self,
        place: str,
        sheet: str,
        texts: Sequence[str],
        dates: Sequence[bool],
        since_1904: bool,
    ) -> None:
        super().__init__(place)
        self._sheet, self._texts, self._dates, self._since_1904 = sheet, texts, dates, since_1904
        self._rows: list[Row] = []
        self._cells: dict[int, str] = {}
        self._number, self._at = 0, -1
        self._kind, self._style, self._value = "n", "0", ""
        self._computed = self._warned = self._spoken = False

    def taken(self) -> list[Row]:
        """The rows that were read since the last time."""
        rows, self._rows = self._rows, []
        return rows

    def start(self, tag: str, given: Mapping[str, str]) -> None:
        """Begin a row, a cell, or what a cell holds."""
        if tag == "row":
            self._begin_row(given.get("r"))
        elif tag == "c":
            self._begin_cell(given)
        elif tag == "f":
            self._computed = True
        elif tag == "rPh":
            self._spoken = True
        elif tag == "v" or (tag == "t" and not self._spoken):
            self.ask()

    def finish(self, tag: str, text: str) -> None:
        """Take what a cell holds; keep a row that holds something."""
        if tag in ("v", "t"):
            self._value = self.no_longer(self._value + text)
        elif tag == "rPh":
            self._spoken = False
        elif tag == "c":
            self._end_cell()
        elif tag == "row":
            if any(text.strip() for text in self._cells.values()):
                self._rows.append(Row(self._number, self._cells))
            self._cells = {}

    def _begin_row(self, said: str | None) -> None:
        number = self._number + 1
        if said is not None:
            number = int(said) if said.isascii() and said.isdigit() and len(said) < 8 else 0
        if not self._number < number <= MOST_ROWS:
            self.refuse(f"sheet {self._sheet!r}: row {said!r} behind row {self._number}; damaged")
        self._number, self._at = number, -1

    def _begin_cell(self, given: Mapping[str, str]) -> None:
        self._at += 1
        if (said := given.get("r")) is not None:
            match = CELL.fullmatch(said)
            self._at = MOST_COLUMNS if match is None else _column(match[1])
        if self._at >= MOST_COLUMNS:
            self.refuse(f"sheet {self._sheet!r}, row {self._number}: no cell {said!r}; damaged")
        self._kind, self._style = given.get("t", "n"), given.get("s", "0")
        self._value, self._computed = "", False

    def _end_cell(self) -> None:
        if self._computed and not self._value and self._kind != "str" and not self._warned:
            self._warned = True
            warnings.warn(
                f"{self.place}: sheet {self._sheet!r}, row {self._number}: a formula without a "
                "result; such cells are read as empty (a spreadsheet computes them when it saves)",
                DatasetNote,
                stacklevel=2,
            )
        if text := self._shown():
            self._cells[self._at] = text

    def _shown(self) -> str:
        """The cell as text: a number as it is, a day by its date."""
        value = self._value
        if self._kind in ("str", "inlineStr", "e", "d") or not value.strip():
            return value
        if self._kind == "b":
            return TRUTH.get(value.strip(), value)
        if self._kind == "s":
            number = int(value) if value.isascii() and value.isdigit() and len(value) < 10 else -1
            if not 0 <= number < len(self._texts):
                self.refuse(
                    f"sheet {self._sheet!r}, row {self._number}: no text {value!r}; damaged"
                )
            return self._texts[number]
        style = int(self._style) if self._style.isascii() and self._style.isdigit() else 0
        day = style < len(self._dates) and self._dates[style]
        text = number_text(value.strip(), day, self._since_1904)
        if text is None:
            self.refuse(f"sheet {self._sheet!r}, row {self._number}: no number {value!r}; damaged")
        return text


def _local(name: str) -> str:
    """A name without its namespace."""
    return name.rpartition(" ")[2]


def _column(letters: str) -> int:
    """A to XFD, counted from 0."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number - 1
