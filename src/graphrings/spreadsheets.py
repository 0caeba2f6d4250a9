"""Cells of CSV files that a spreadsheet would compute instead of showing them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

# Also tab and return, behind which some look for them, and the wide signs of East Asian keyboards.
BEGINNINGS = tuple("=+-@\t\r＝＋－＠")  # noqa: RUF001, those are meant
TEXT = "'"  # before a cell: what follows is text


class Cells:
    """Passes rows on, and counts the cells that a spreadsheet may take for formulas.

    Those that are ``safe`` get an apostrophe in front, all others stay as they are.
    """

    def __init__(self, safe: bool = False) -> None:
        self.safe, self.n_formulas = safe, 0

    def row(self, cells: Iterable[Any]) -> list[Any]:
        """A row, as it is to be written."""
        row = list(cells)
        for i, cell in enumerate(row):
            if is_formula(cell):
                self.n_formulas += 1
                row[i] = f"{TEXT}{cell}" if self.safe else cell
        return row

    def note(self) -> str:
        """What there is to say of the cells; nothing, if they are all harmless."""
        if not self.n_formulas:
            return ""
        if self.safe:
            return f"an apostrophe stands before {self.n_formulas:,} cells that look like formulas"
        return (
            f"{self.n_formulas:,} cells look like formulas to a spreadsheet; import them as text, "
            "or write them with --spreadsheet-safe"
        )


def is_formula(cell: Any) -> bool:
    """Whether a cell is text that a spreadsheet may compute; a number such as -1 is none."""
    if not isinstance(cell, str) or not cell.startswith(BEGINNINGS):
        return False
    try:
        float(cell)
    except ValueError:
        return True
    return not cell.isascii() or cell[0].isspace()
