"""graphrings table."""

from __future__ import annotations

from pathlib import Path

import click

from graphrings.cli import options
from graphrings.cli.output import print_sheet


@click.command()
@click.argument("experiments", nargs=-1, metavar="[EXPERIMENT]...")
@options.store
@options.datasets
@options.methods
@click.option("--like", type=click.Choice(["table2", "table3"]), help="Arrange as in the paper.")
@options.score
@click.option("--against", metavar="METHOD", help="Test every method against this one instead.")
@click.option(
    "--validation", is_flag=True, help="Show the validation folds instead: one may choose by them."
)
@click.option("--ranks", is_flag=True, help="Rank the methods over all datasets instead.")
@click.option("--brief", is_flag=True, help="One line an entry; without rows that were never run.")
@click.option(
    "--format",
    "style",
    type=click.Choice(["table", "md", "latex", "csv", "html"]),
    default="table",
    show_default=True,
    help="How to print the result.",
)
@options.safe_sheet
def table(
    experiments: tuple[str, ...],
    store: Path,
    datasets: tuple[str, ...],
    methods: tuple[str, ...],
    like: str | None,
    score: str | None,
    against: str | None,
    validation: bool,
    ranks: bool,
    brief: bool,
    style: str,
) -> None:
    """Show the results of EXPERIMENT beside those of the paper.

    EXPERIMENT is one of the store, or a file of it, such as table2, or several, for the rows and
    datasets that they name.
    """
    if against is not None and ranks:
        raise click.UsageError("--against and --ranks are two tables; ask for one of them.")
    if brief and (against is not None or ranks):
        raise click.UsageError("--brief shows the means; it goes without --against and --ranks.")
    from graphrings.report.printed import table as made

    shown = made(
        store,
        experiments,
        datasets=datasets,
        methods=methods,
        score=score,
        like=like,
        against=against,
        ranks=ranks,
        validation=validation,
        brief=brief,
    )
    print_sheet(shown.sheet, style)
