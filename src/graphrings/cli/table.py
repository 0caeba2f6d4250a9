"""graphrings table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphrings.cli import options

if TYPE_CHECKING:
    from graphrings.report.sheets import Sheet

SCORES = ("accuracy", "balanced_accuracy", "macro_f1", "log_loss", "auroc")
NARROWEST = 66  # what a terminal must show of a table, if need be by breaking lines


@click.command()
@click.argument("experiment", required=False)
@options.store
@click.option("--like", type=click.Choice(["table2", "table3"]), help="Arrange as in the paper.")
@click.option(
    "--score",
    type=click.Choice(SCORES),
    default="accuracy",
    show_default=True,
    help="What to compare.",
)
@click.option("--against", metavar="METHOD", help="Test every method against this one instead.")
@click.option("--ranks", is_flag=True, help="Rank the methods over all datasets instead.")
@click.option(
    "--format",
    "style",
    type=click.Choice(["table", "md", "latex", "csv", "html"]),
    default="table",
    show_default=True,
    help="How to print the result.",
)
def table(
    experiment: str | None,
    store: Path,
    like: str | None,
    score: str,
    against: str | None,
    ranks: bool,
    style: str,
) -> None:
    """Show the results of EXPERIMENT beside those of the paper."""
    if against is not None and ranks:
        raise click.UsageError("--against and --ranks are two tables; ask for one of them.")
    _print(_sheet(experiment, store, like, score, against, ranks), style)


def _sheet(
    experiment: str | None,
    store: Path,
    like: str | None,
    score: str,
    reference: str | None,
    ranks: bool,
) -> Sheet:
    from graphrings.report import sheets
    from graphrings.report.contrasts import against
    from graphrings.report.ranking import rank
    from graphrings.report.tables import compare
    from graphrings.results.store import Store

    with Store.read(store) as opened:
        name = opened.choose(experiment)
        card, failures = opened.card(name), opened.failures(name)
        records = opened.records(name, curves=False)
    if reference is not None:
        return sheets.contrast_sheet(against(card, records, reference, score, like))
    comparison = compare(card, records, failures, score, like)
    return sheets.ranking_sheet(rank(comparison)) if ranks else sheets.comparison_sheet(comparison)


def _print(sheet: Sheet, style: str) -> None:
    """Print a sheet; numbers for programs have their notes apart, on standard error."""
    from graphrings.report.rendering import FORMATS, one_line, terminal

    if style == "table":
        from rich.console import Console

        width = max(NARROWEST, Console().width)
        Console(width=width).print(terminal(sheet, width))
    else:
        click.echo(FORMATS[style](sheet), nl=False)
    if style in ("table", "csv"):
        for note in map(one_line, sheet.notes):
            click.echo(f"note: {note}", err=style == "csv")
