"""One way to print rows: a table for people, Markdown, CSV or JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphrings.cli.options import SAFE
from graphrings.printable import escaped, one_line
from graphrings.whole_files import STDOUT

if TYPE_CHECKING:
    from graphrings.report.rendering import Sheet
    from graphrings.spreadsheets import Cells

MOST_SHARES = 8  # classes
NARROWEST = 66  # what a terminal must show of a sheet that does not wrap


@dataclass(frozen=True)
class Column:
    """A column: its key in the data, its heading, and how people read its values."""

    key: str
    heading: str
    spec: str = ""
    left: bool = False
    whole: bool = False  # never broken over lines, as the first column

    def show(self, value: Any) -> str:
        """The value as people read it."""
        if value is None:
            return "-"
        if isinstance(value, dict):
            return _shares(value)
        return format(value, self.spec)


def _shares(counts: Mapping[Hashable, int]) -> str:
    """Counts as shares in percent; of many only the largest."""
    total = max(1, sum(counts.values()))
    named = any(isinstance(name, str) for name in counts)  # a number tells nobody anything
    largest = sorted(counts, key=lambda name: -counts[name])[:MOST_SHARES]
    kept = [name for name in counts if name in largest]
    shares = [f"{name} " * named + f"{100 * counts[name] / total:.0f}" for name in kept]
    more = [f"and {len(counts) - len(kept):,} more"] * (len(kept) < len(counts))
    return " / ".join([*shares, *more]) or "-"


def show(
    rows: Sequence[dict[str, Any]], columns: Sequence[Column], style: str, title: str = ""
) -> None:
    """Print rows to standard output."""
    from graphrings.report.rendering import Line, Sheet

    cells_of(style)
    if style == "json":
        say_json([_plain(row) for row in rows])
        return
    shown = () if style == "csv" else rows  # CSV has the keys of the rows instead of the columns
    sheet = Sheet(
        kind="rows",
        caption=title,
        headings=tuple(column.heading for column in columns),
        rows=tuple(tuple((Line(c.show(row[c.key])),) for c in columns) for row in shown),
        raw=tuple(_flat(row) for row in rows),
        left=tuple(i for i, column in enumerate(columns) if column.left),
        wraps=True,
        whole=tuple(i for i, column in enumerate(columns) if column.whole or i == 0),
    )
    print_sheet(sheet, style)


def say(line: str, err: bool = False) -> None:
    """Print a line for people: whatever it quotes, a terminal obeys nothing in it."""
    click.echo(one_line(line), err=err)


def say_json(content: Any) -> None:
    """Print JSON, which spells out all that is no plain text."""
    click.echo(json.dumps(content, indent=2, default=str))


def print_lines(text: str) -> None:
    """Print what programs read as it is; on a terminal, where people read it, spelled out."""
    if is_watched():
        text = "\n".join(map(escaped, text.split("\n")))
    click.echo(text, nl=False, color=True)  # or it would leave escapes out


def is_watched() -> bool:
    """Whether standard output goes to a terminal."""
    return sys.stdout.isatty()


def cells_of(style: str) -> Cells:
    """What keeps an eye on the cells of a sheet; refuses what was asked of another format."""
    from graphrings.spreadsheets import Cells

    context = click.get_current_context(silent=True)
    safe = context is not None and bool(context.meta.get(SAFE))
    if safe and style != "csv":
        raise click.UsageError(f"--spreadsheet-safe is for csv, not for {style}.")
    return Cells(safe)


def say_of_cells(cells: Cells) -> None:
    """Say what a spreadsheet would make of the cells that were written."""
    if note := cells.note():
        say(f"note: {note}", err=True)


def tell(output: Path, text: str) -> None:
    """Say what was written; standard output may be what it was written to."""
    say(f"{output}: {text}", err=str(output) == STDOUT)


def print_sheet(sheet: Sheet, style: str) -> None:
    """Print a sheet; numbers for programs have their notes apart, on standard error."""
    from graphrings.report.rendering import FORMATS, comma_separated, terminal

    cells = cells_of(style)
    if style == "table":
        from rich.console import Console

        width = Console().width if sheet.wraps else max(NARROWEST, Console().width)
        Console(width=width).print(terminal(sheet, width))
    elif style == "csv":
        print_lines(comma_separated(sheet, cells))
    else:
        print_lines(FORMATS[style](sheet))
    if style in ("table", "csv"):
        for note in sheet.notes:
            say(f"note: {note}", err=style == "csv")
    say_of_cells(cells)


def _plain(value: Any) -> Any:
    """The same with strings for keys: a class may be called by a tuple, which JSON cannot say."""
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    return value


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """A row for CSV, with mappings as JSON."""
    plain = _plain(row)
    return {key: json.dumps(v) if isinstance(v, dict) else v for key, v in plain.items()}
