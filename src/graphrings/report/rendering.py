"""A sheet in the format that is asked for: terminal, Markdown, LaTeX, CSV or HTML."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from graphrings.printable import one_line
from graphrings.spreadsheets import Cells

if TYPE_CHECKING:
    from rich.console import Group, JustifyMethod
    from rich.table import Table

WIDEST = 30  # characters of a column on the terminal
NARROW = 4  # what is left of words where a terminal is narrower than its numbers
LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "±": r"$\pm$",
    "\N{MINUS SIGN}": "$-$",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    **{sign: f"{{{sign}}}" for sign in "[*"},  # else they belong to the end of the line before
}
MARKDOWN = {
    **{sign: f"\\{sign}" for sign in "\\`*[]|"},
    "&": "&amp;",
    "<": "&lt;",
}


@dataclass(frozen=True)
class Line:
    """A line of an entry; ``kind`` says what it is, for formats that can style it."""

    text: str
    bold: bool = False
    kind: str = ""


Lines = tuple[Line, ...]  # an entry


@dataclass(frozen=True)
class Sheet:
    """A table in words; ``raw`` holds the same as numbers, one dictionary per line of CSV.

    ``left`` are the columns of words. Where a terminal is too narrow, a sheet that ``wraps``
    breaks these over lines, those excepted that are ``whole``. Numbers are never broken: where that
    is not enough, or a sheet does not wrap, it goes on in a second table.
    """

    kind: str
    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Lines, ...], ...]
    notes: tuple[str, ...] = ()
    raw: tuple[Mapping[str, Any], ...] = ()
    left: tuple[int, ...] = (0,)
    wraps: bool = False
    whole: tuple[int, ...] = ()


def terminal(sheet: Sheet, width: int = 80) -> Group:
    """Tables of rich, to be printed by a console."""
    from rich.console import Group
    from rich.text import Text

    if sheet.wraps:
        blocks = _blocks(_least(sheet), width, _n_keys(sheet))
        grids = [_grid(sheet, block, _fitted(sheet, block, width)) for block in blocks]
    else:
        widths = _widths(sheet, WIDEST)
        grids = [_grid(sheet, block, widths) for block in _blocks(widths, width, 1)]
    title = [Text(one_line(sheet.caption), style="italic")] if sheet.caption else []
    return Group(*title, *grids)


def _widths(sheet: Sheet, most: int) -> list[int]:
    """The longest line of every column, unless that is longer than most."""
    return [min(most, max(map(len, lines), default=0)) for lines in _columns(sheet)]


def _least(sheet: Sheet) -> list[int]:
    """The same where words are broken over lines, but never within a word."""
    words = set(sheet.left) - set(sheet.whole)
    return [
        min(WIDEST, max(len(word) for line in lines for word in ("", *line.split())))
        if i in words
        else max(map(len, lines), default=0)
        for i, lines in enumerate(_columns(sheet))
    ]


def _fitted(sheet: Sheet, block: list[int], width: int) -> list[int]:
    """Widths at which some columns stand side by side: words give way, in the end letter by letter.

    Numbers never do: a terminal that is too narrow even for these must break them itself.
    """
    natural, least = _widths(sheet, width), _least(sheet)
    widths, words = list(natural), [i for i in block if i in sheet.left]
    for floor in (least, [min(NARROW, one) for one in least]):
        while _taken([widths[i] for i in block]) > width and (
            wide := [i for i in words if widths[i] > floor[i]]
        ):
            widths[max(wide, key=widths.__getitem__)] -= 1
    return widths


def _n_keys(sheet: Sheet) -> int:
    """How many columns say what a row is about: those of words before the first of numbers."""
    numbers = [i for i in range(len(sheet.headings)) if i not in sheet.left]
    return max(1, numbers[0]) if numbers else 1


def _columns(sheet: Sheet) -> list[list[str]]:
    """All lines of every column, those of the heading first."""
    heads = (heading.splitlines() for heading in sheet.headings)
    columns = zip(*sheet.rows, strict=True) if sheet.rows else ((),) * len(sheet.headings)
    return [
        [one_line(line) for line in (*head, *(line.text for entry in entries for line in entry))]
        for head, entries in zip(heads, columns, strict=True)
    ]


def _taken(widths: Sequence[int]) -> int:
    """How many characters columns take side by side."""
    return 1 + sum(width + 2 for width in widths)


def _blocks(widths: list[int], width: int, n_keys: int) -> list[list[int]]:
    """Numbers of columns in groups that fit, each of which begins with the same columns."""
    keys = list(range(n_keys))
    groups = [list(keys)]
    for i in range(n_keys, len(widths)):
        if len(groups[-1]) > n_keys and _taken([widths[j] for j in (*groups[-1], i)]) > width:
            groups.append(list(keys))
        groups[-1].append(i)
    return groups


def _grid(sheet: Sheet, block: list[int], widths: list[int]) -> Table:
    """Some of the columns, each as wide as it is to be."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    def entry(lines: Lines) -> Text:
        return Text("\n").join(
            Text(one_line(line.text), style="bold" if line.bold else "") for line in lines
        )

    tall = any(len(lines) > 1 for row in sheet.rows for lines in row)
    grid = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), leading=int(tall))
    for i in block:
        side: JustifyMethod = "left" if i in sheet.left else "right"
        grid.add_column(
            entry(tuple(map(Line, sheet.headings[i].splitlines()))),
            justify=side,
            overflow="fold",
            no_wrap=i not in sheet.left,
            width=widths[i] if sheet.wraps else None,
            min_width=widths[i],
        )
    for row in sheet.rows:
        grid.add_row(*(entry(row[i]) for i in block))
    return grid


def markdown(sheet: Sheet) -> str:
    """A table of Markdown, padded so that it also reads well as text, with its notes as a list."""

    def plain(text: str) -> str:
        return "".join(MARKDOWN.get(sign, sign) for sign in one_line(text))

    def entry(lines: Lines) -> str:
        return "<br>".join(
            f"**{plain(line.text)}**" if line.bold else plain(line.text) for line in lines
        )

    def row(words: Sequence[str]) -> str:
        padded = (
            word.ljust(width) if i in sheet.left else word.rjust(width)
            for i, (word, width) in enumerate(zip(words, widths, strict=True))
        )
        return f"| {' | '.join(padded)} |\n"

    table = [list(map(plain, sheet.headings)), *(list(map(entry, lines)) for lines in sheet.rows)]
    widths = [max(3, *map(len, column)) for column in zip(*table, strict=True)]
    rule = ["-" * (w - (i not in sheet.left)) for i, w in enumerate(widths)]
    rule = [dashes if i in sheet.left else f"{dashes}:" for i, dashes in enumerate(rule)]
    notes = "".join(f"- {plain(note)}\n" for note in sheet.notes)
    return "".join(map(row, (table[0], rule, *table[1:]))) + (f"\n{notes}" if notes else "")


def latex(sheet: Sheet) -> str:
    """A table of LaTeX that wants the package booktabs and UTF-8."""

    def plain(text: str) -> str:
        return "".join(LATEX.get(sign, sign) for sign in one_line(text))

    def piece(line: Line) -> str:
        return rf"\textbf{{{plain(line.text)}}}" if line.bold else plain(line.text)

    def entry(lines: Lines, side: str) -> str:
        stacked = r"\\".join(map(piece, lines))
        return rf"\shortstack[{side}]{{{stacked}}}" if len(lines) > 1 else stacked

    def row(words: list[str]) -> str:
        return " & ".join(words) + r" \\"

    sides = "".join("l" if i in sheet.left else "r" for i in range(len(sheet.headings)))

    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{plain(sheet.caption)}}}",
            rf"\begin{{tabular}}{{{sides}}}",
            r"\toprule",
            row([plain(heading) for heading in sheet.headings]),
            r"\midrule",
            *(
                row([entry(lines, side) for lines, side in zip(entries, sides, strict=True)])
                for entries in sheet.rows
            ),
            r"\bottomrule",
            r"\end{tabular}",
            *(rf"\par {{\footnotesize {plain(note)}\par}}" for note in sheet.notes),
            r"\end{table}",
            "",
        ]
    )


def comma_separated(sheet: Sheet, cells: Cells | None = None) -> str:
    """The numbers at full precision, a line for each entry; what is not known is empty."""
    text, cells = io.StringIO(), cells or Cells()
    writer = csv.writer(text, lineterminator="\n")
    if sheet.raw:
        writer.writerow(cells.row(sheet.raw[0]))
        writer.writerows(cells.row(line.values()) for line in sheet.raw)
    return text.getvalue()


def html(sheet: Sheet) -> str:
    """A table and a list of notes, to stand in a page; classes name what the entries hold."""

    def piece(line: Line) -> str:
        words = escape(one_line(line.text))
        words = f"<strong>{words}</strong>" if line.bold else words
        return f'<span class="{line.kind or "name"}">{words}</span>'

    def entry(lines: Lines, tag: str) -> str:
        return f"<{tag}>{'<br>'.join(map(piece, lines))}</{tag.split()[0]}>"

    head = "".join(f'<th scope="col">{escape(one_line(name))}</th>' for name in sheet.headings)
    body = "".join(
        "<tr>"
        + "".join(entry(lines, "td" if i else 'th scope="row"') for i, lines in enumerate(row))
        + "</tr>\n"
        for row in sheet.rows
    )
    notes = "".join(f"<li>{escape(one_line(note))}</li>\n" for note in sheet.notes)
    return (
        f'<table class="{sheet.kind}">\n<caption>{escape(one_line(sheet.caption))}</caption>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n"
        + (f'<ul class="notes">\n{notes}</ul>\n' if notes else "")
    )


FORMATS = {"md": markdown, "latex": latex, "csv": comma_separated, "html": html}
