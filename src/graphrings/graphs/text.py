"""Numbers out of text, fast, with the line of whatever is not one."""

import re
from io import BytesIO
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import DatasetError
from graphrings.limits import Work, begin

MOST_COLUMNS = 10_000
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
SHORT = 1 << 20  # bytes, which are read before the compiler is imported
BYTES_A_NUMBER = 20  # of memory, until graphs are made of the numbers


def integer_table(text: bytes, place: str, columns: int = 0) -> NDArray[np.int64]:
    """Read lines of comma-separated integers; by default as many columns as the first line has."""
    text = without_mark(text, place)
    columns = columns or n_columns(text, place)
    if len(text) <= SHORT and is_plain(text, columns):
        words = text.replace(b",", b" ").split()
        return np.fromiter(map(int, words), np.int64, len(words)).reshape(-1, columns)
    return scanned_table(text, place, columns)


def is_plain(text: bytes, columns: int) -> bool:
    """Whether a text is lines of so many integers and nothing else."""
    number = rb"[ \t]*+[+-]?\d{1,18}+[ \t]*+"
    line = rb"%b(?:,%b){%d}\r?" % (number, number, columns - 1)
    return re.fullmatch(rb"%b(?:\n%b)*+[ \t\r\n]*" % (line, line), text) is not None


def scanned_table(text: bytes, place: str, columns: int) -> NDArray[np.int64]:
    """The same in compiled code, which finds the line of the first mistake."""
    from graphrings.graphs.scanning import scan_table

    # A number and what parts it from the next take two bytes: no short line claims more memory.
    most_rows = min(text.count(b"\n") + 1, len(text) // (2 * columns) + 2)
    begin_reading(place, most_rows * columns)
    values = np.empty((most_rows, columns), dtype=np.int64)
    rows, bad = scan_table(np.frombuffer(text, dtype=np.uint8), values)
    if bad >= 0:
        wanted = "an integer" if columns == 1 else f"{columns} integers separated by commas"
        there = quoted(line_of(text, bad))
        raise DatasetError(f"{place}:{bad + 1}: found {there}; expected {wanted}")
    return values[:rows]


def begin_reading(place: str, n_numbers: int) -> None:
    """Refuse more numbers than there is memory for: well packed, they take little room in a zip."""
    begin(Work(f"reading {place}", "take fewer graphs", n_numbers * BYTES_A_NUMBER))


def float_table(text: bytes, place: str) -> NDArray[np.float64]:
    """Read lines of comma-separated finite numbers, the same count in every line."""
    text = without_mark(text, place).rstrip()
    columns = n_columns(text, place)
    try:
        values = np.loadtxt(BytesIO(text), delimiter=",", comments=None, ndmin=2)
        good = values.shape == (text.count(b"\n") + 1, columns) and np.isfinite(values).all()
    except ValueError:
        good = False
    return values if good else _by_rows(text, place, columns)


def _by_rows(text: bytes, place: str, columns: int) -> NDArray[np.float64]:
    """The same row by row, with the line of the first that is wrong.

    numpy takes more characters for the end of a line than there are: what it cannot read may still
    be good.
    """
    rows = []
    for number, line in enumerate(text.split(b"\n")):
        cells = line.split(b",")
        if len(cells) == columns and all(map(is_finite, cells)):
            rows.append([float(cell) for cell in cells])
            continue
        there = f"{place}:{number + 1}: found {quoted(line)}"
        if len(cells) != columns:
            raise DatasetError(f"{there}, a row of {len(cells):,}; the rows above have {columns:,}")
        wanted = "a finite number" if columns == 1 else f"{columns} finite numbers"
        raise DatasetError(f"{there}; expected {wanted}")
    return np.array(rows)


def n_columns(text: bytes, place: str) -> int:
    """How many columns the first line has; a line without end is refused before it is read."""
    end = text.find(b"\n")
    columns = text.count(b",", 0, end if end >= 0 else len(text)) + 1
    if columns > MOST_COLUMNS:
        raise DatasetError(f"{place}:1: {columns:,} columns; expected at most {MOST_COLUMNS:,}")
    return columns


def is_finite(cell: bytes) -> bool:
    """Whether a cell holds one finite number."""
    try:
        return isfinite(float(cell)) and b"_" not in cell  # Python reads 1_000, numpy does not
    except ValueError:
        return False


def without_mark(text: bytes, place: str) -> bytes:
    """Drop a byte-order mark; an empty file is an error."""
    if is_blank(text):
        raise DatasetError(f"{place}: the file is empty")
    return text.removeprefix(BYTE_ORDER_MARK)


def is_blank(text: bytes) -> bool:
    """Whether a file says nothing at all."""
    return not text.removeprefix(BYTE_ORDER_MARK).strip()


def line_of(text: bytes, number: int) -> bytes:
    """A line of the text, counted from 0."""
    return text.split(b"\n", number + 1)[number]


def quoted(line: bytes, longest: int = 40) -> str:
    """A line as it stands in a message."""
    content = line.strip()[: 4 * longest].decode("utf-8", "replace")
    if not content:
        return "an empty line"
    return repr(content if len(content) <= longest else content[: longest - 3] + "...")
