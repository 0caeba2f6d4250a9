"""A sheet in the format that is asked for: terminal, Markdown, LaTeX, CSV or HTML."""

from __future__ import annotations

import csv
import io
from html import escape
from typing import TYPE_CHECKING

from graphrings.report.sheets import Cell, Line, Sheet

if TYPE_CHECKING:
    from rich.console import Group, JustifyMethod
    from rich.table import Table

WIDEST = 30  # characters of a column on the terminal
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


def terminal(sheet: Sheet, width: int = 80) -> Group:
    """Tables of rich, to be printed by a console; columns that do not fit go into a next one."""
    from rich.console import Group
    from rich.text import Text

    widths = _widths(sheet)
    grids = (_grid(sheet, block, widths) for block in _blocks(widths, width))
    return Group(Text(one_line(sheet.caption), style="italic"), *grids)


def _widths(sheet: Sheet) -> list[int]:
    """The longest line of every column, unless that is very long."""
    rows = [[(Line(heading),) for heading in sheet.headings], *sheet.rows]
    return [
        min(WIDEST, max(len(one_line(line.text)) for cell in column for line in cell))
        for column in zip(*rows, strict=True)
    ]


def _blocks(widths: list[int], width: int) -> list[list[int]]:
    """Numbers of columns, in groups that fit beside the first one."""
    groups: list[list[int]] = [[]]
    for i in range(1, len(widths)):
        if groups[-1] and 1 + sum(widths[j] + 2 for j in (0, *groups[-1], i)) > width:
            groups.append([])
        groups[-1].append(i)
    return groups


def _grid(sheet: Sheet, block: list[int], widths: list[int]) -> Table:
    """The first column and some of the others."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    def text(cell: Cell) -> Text:
        return Text("\n").join(
            Text(one_line(line.text), style="bold" if line.bold else "") for line in cell
        )

    tall = any(len(cell) > 1 for row in sheet.rows for cell in row)
    grid = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), leading=int(tall))
    for i in (0, *block):
        heading = Text(one_line(sheet.headings[i]))
        side: JustifyMethod = "right" if i else "left"
        grid.add_column(heading, justify=side, overflow="fold", min_width=widths[i])
    for row in sheet.rows:
        grid.add_row(*(text(row[i]) for i in (0, *block)))
    return grid


def one_line(text: str) -> str:
    """A name with a line end in it must not break a table."""
    return " ".join(text.split())


def markdown(sheet: Sheet) -> str:
    """A table of Markdown with its notes as a list."""

    def plain(text: str) -> str:
        return "".join(MARKDOWN.get(sign, sign) for sign in one_line(text))

    def cell(lines: Cell) -> str:
        return "<br>".join(
            f"**{plain(line.text)}**" if line.bold else plain(line.text) for line in lines
        )

    table = [[plain(heading) for heading in sheet.headings]]
    table += [[cell(lines) for lines in row] for row in sheet.rows]
    widths = [max(4, *map(len, column)) for column in zip(*table, strict=True)]
    padded = [
        " | ".join(
            word.rjust(width) if i else word.ljust(width)
            for i, (word, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in table
    ]
    rule = " | ".join(
        "-" * (width - 1) + ":" if i else "-" * width for i, width in enumerate(widths)
    )
    rows = "".join(f"| {row} |\n" for row in (padded[0], rule, *padded[1:]))
    return f"{rows}\n" + "".join(f"- {plain(note)}\n" for note in sheet.notes)


def latex(sheet: Sheet) -> str:
    """A table of LaTeX that wants the package booktabs and UTF-8."""

    def plain(text: str) -> str:
        return "".join(LATEX.get(sign, sign) for sign in one_line(text))

    def piece(line: Line) -> str:
        return rf"\textbf{{{plain(line.text)}}}" if line.bold else plain(line.text)

    def cell(lines: Cell, side: str) -> str:
        stacked = r"\\".join(map(piece, lines))
        return rf"\shortstack[{side}]{{{stacked}}}" if len(lines) > 1 else stacked

    def row(cells: list[str]) -> str:
        return " & ".join(cells) + r" \\"

    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{plain(sheet.caption)}}}",
            rf"\begin{{tabular}}{{l{'r' * (len(sheet.headings) - 1)}}}",
            r"\toprule",
            row([plain(heading) for heading in sheet.headings]),
            r"\midrule",
            *(
                row([cell(lines, "r" if i else "l") for i, lines in enumerate(cells)])
                for cells in sheet.rows
            ),
            r"\bottomrule",
            r"\end{tabular}",
            *(rf"\par {{\footnotesize {plain(note)}\par}}" for note in sheet.notes),
            r"\end{table}",
            "",
        ]
    )


def comma_separated(sheet: Sheet) -> str:
    """The numbers at full precision, a line for each entry; what is not known is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    if sheet.raw:
        writer.writerow(sheet.raw[0])
        writer.writerows(line.values() for line in sheet.raw)
    return text.getvalue()


def html(sheet: Sheet) -> str:
    """A table and a list of notes, to stand in a page; classes name what the cells hold."""

    def piece(line: Line) -> str:
        words = escape(one_line(line.text))
        words = f"<strong>{words}</strong>" if line.bold else words
        return f'<span class="{line.kind or "name"}">{words}</span>'

    def cell(lines: Cell, tag: str) -> str:
        return f"<{tag}>{'<br>'.join(map(piece, lines))}</{tag.split()[0]}>"

    head = "".join(f'<th scope="col">{escape(one_line(name))}</th>' for name in sheet.headings)
    body = "".join(
        "<tr>"
        + "".join(cell(lines, "td" if i else 'th scope="row"') for i, lines in enumerate(row))
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
