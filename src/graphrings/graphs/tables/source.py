"""The bytes of a table, from a file or from standard input, and its lines as text."""

from __future__ import annotations

import codecs
import gzip
import io
import sys
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from graphrings.errors import ArchiveError, DatasetError, DatasetNote

STANDARD_INPUT = "-"
GZIP_START = b"\x1f\x8b"
LONGEST_LINE = 10_000_000  # characters
MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


class Source:
    """An opened file, unpacked if it is gzipped; ``begins`` are its first bytes."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._lent = str(path) == STANDARD_INPUT
        self.place = "standard input" if self._lent else str(path)
        raw = sys.stdin.buffer if self._lent else _opened(self.path)
        self._packed = self.stream = io.BufferedReader(cast(io.RawIOBase, raw))
        self._text: io.TextIOWrapper | None = None
        try:
            with self.damage_explained():
                if self.stream.peek(2)[:2] == GZIP_START:
                    unpacked = gzip.GzipFile(fileobj=self.stream)
                    self.stream = io.BufferedReader(cast(io.RawIOBase, unpacked))
                self.begins = self.stream.peek(4096)
        except BaseException:
            self.close()
            raise

    @property
    def suffix(self) -> str:
        """The end of the name in lower case, before ``.gz``."""
        name = self.path.name.lower().removesuffix(".gz")
        return Path(name).suffix

    def lines(self) -> Iterator[str]:
        """The lines as text, with their ends.

        The text is what its byte-order mark says, and else UTF-8; a line that is not UTF-8 is
        taken for Latin-1, which is said once.
        """
        mark = next((mark for mark in MARKS if self.begins.startswith(mark)), b"")
        if not mark and b"\0" in self.begins:
            raise DatasetError(f"{self.place}: not text; expected a table, one record per line")
        errors = "strict" if MARKS.get(mark) == "utf-16" else "surrogateescape"
        text = io.TextIOWrapper(self.stream, MARKS.get(mark, "utf-8"), errors, newline="")
        self._text = text
        number, strange = 0, False
        with self.damage_explained():
            while line := text.readline(LONGEST_LINE + 1):
                number += 1
                if len(line) > LONGEST_LINE:
                    raise DatasetError(
                        f"{self.place}:{number}: a line of more than {LONGEST_LINE:,} characters"
                    )
                if not line.isascii() and _is_strange(line):
                    if not strange:
                        warnings.warn(
                            f"{self.place}:{number}: not UTF-8; such lines are read as Latin-1",
                            DatasetNote,
                            stacklevel=2,
                        )
                    strange = True
                    line = line.encode("utf-8", "surrogateescape").decode("latin-1")
                yield line

    def close(self) -> None:
        """Close what was opened here; standard input is given back open."""
        if self._text is not None:
            self._text.detach()
            self._text = None
        if self.stream is not self._packed:
            self.stream.close()
        if not self._lent:
            self._packed.close()
        elif not self._packed.closed:
            self._packed.detach()
            self._lent = False
            self._packed = self.stream = io.BufferedReader(cast(io.RawIOBase, io.BytesIO()))

    @contextmanager
    def damage_explained(self) -> Iterator[None]:
        """Make one line of what may be wrong with the bytes."""
        try:
            yield
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise ArchiveError(
                f"{self.place}: a gzip file that was cut off or damaged ({error})"
            ) from error
        except UnicodeError as error:
            raise DatasetError(
                f"{self.place}: not the UTF-16 that its first bytes promise ({error})"
            ) from error


def _opened(path: Path) -> BinaryIO:
    if path.is_dir():
        raise DatasetError(f"{path}: a folder; expected a table")
    if not path.exists():
        raise DatasetError(f"{path}: no such file")
    return path.open("rb")


def _is_strange(line: str) -> bool:
    """Whether there were bytes that are no UTF-8."""
    try:
        line.encode()
    except UnicodeEncodeError:
        return True
    return False
