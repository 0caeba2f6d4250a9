"""graphrings report."""

from pathlib import Path

import click

from graphrings.cli import options
from graphrings.cli.output import tell


@click.command()
@click.argument("experiment", required=False)
@options.store
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default="report.html",
    show_default=True,
    help="The page to write.",
)
@click.option("--against", metavar="METHOD", help="Hold every method against this one.")
@options.score
def report(
    experiment: str | None, store: Path, output: Path, against: str | None, score: str | None
) -> None:
    """Write the results of EXPERIMENT as one page of HTML: tables, tests and pictures."""
    from graphrings.report.written import report as write_report

    if not output.parent.is_dir():
        raise click.UsageError(f"{output.parent}: no such folder to write {output.name} into.")
    write_report(store, output, experiment, score=score, against=against)
    tell(output, f"{output.stat().st_size / 1000:,.0f} kB" if output.is_file() else "written")
