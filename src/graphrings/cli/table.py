"""graphrings table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphrings.cli import options
from graphrings.cli.output import print_sheet

if TYPE_CHECKING:
    from graphrings.report.rendering import Sheet


@click.command()
@click.argument("experiment", required=False)
@options.store
@click.option("--like", type=click.Choice(["table2", "table3"]), help="Arrange as in the paper.")
@options.score
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
    score: str | None,
    against: str | None,
    ranks: bool,
    style: str,
) -> None:
    """Show the results of EXPERIMENT beside those of the paper."""
    if against is not None and ranks:
        raise click.UsageError("--against and --ranks are two tables; ask for one of them.")
    print_sheet(_sheet(experiment, store, like, score, against, ranks), style)


def _sheet(
    experiment: str | None,
    store: Path,
    like: str | None,
    score: str | None,
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
