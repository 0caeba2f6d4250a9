"""One way to print rows: a table for people, Markdown, CSV or JSON."""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click


@dataclass(frozen=True)
class Column:
    """A column: its key in the data, its heading, and how people read its values."""

    key: str
    heading: str
    spec: str = ""
    left: bool = False
    whole: bool = False  # never broken over lines, as the first column

    def show(self, value: Any) -> str:
        """The value as a cell."""
        if value is None:
            return "-"
        if isinstance(value, dict):
            total = max(1, sum(value.values()))
            return " / ".join(f"{100 * n / total:.0f}" for n in value.values()) or "-"
        return format(value, self.spec)


def show(
    rows: Sequence[dict[str, Any]], columns: Sequence[Column], style: str, title: str = ""
) -> None:
    """Print rows to standard output."""
    if style == "json":
        click.echo(json.dumps([_plain(row) for row in rows], indent=2, default=str))
    elif style == "csv":
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(rows[0])
        for row in map(_plain, rows):
            writer.writerow(json.dumps(v) if isinstance(v, dict) else v for v in row.values())
        click.echo(text.getvalue(), nl=False)
    else:
        cells = [[column.show(row[column.key]) for column in columns] for row in rows]
        (markdown if style == "md" else table)(columns, cells, title)


def _plain(value: Any) -> Any:
    """The same with strings for keys: a class may be called by a tuple, which JSON cannot say."""
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    return value


def markdown(columns: Sequence[Column], rows: list[list[str]], title: str) -> None:
    """A Markdown table, padded so that it also reads well as text."""
    del title  # it is the caller's heading
    headings = [column.heading.replace("\n", " ") for column in columns]
    clean = [[cell.replace("|", "\\|") for cell in row] for row in [headings, *rows]]
    widths = [max(3, *map(len, cells)) for cells in zip(*clean, strict=True)]
    lines = [
        [
            cell.ljust(width) if column.left else cell.rjust(width)
            for column, cell, width in zip(columns, row, widths, strict=True)
        ]
        for row in clean
    ]
    rule = [
        "-" * width if column.left else "-" * (width - 1) + ":"
        for column, width in zip(columns, widths, strict=True)
    ]
    for line in (lines[0], rule, *lines[1:]):
        click.echo(f"| {' | '.join(line)} |")


def table(columns: Sequence[Column], rows: list[list[str]], title: str) -> None:
    """A table on the terminal; columns that do not fit one line wrap."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    grid = Table(title=title or None, box=SIMPLE_HEAD, title_justify="left", padding=(0, 1, 0, 0))
    for column in columns:
        grid.add_column(
            column.heading,
            justify="left" if column.left else "right",
            overflow="fold",
            no_wrap=column is columns[0] or column.whole,
        )
    for row in rows:
        grid.add_row(*map(Text, row))
    Console().print(grid)
