"""graphrings report."""

from pathlib import Path

import click

from graphrings.cli import options
from graphrings.whole_files import whole_file


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
    from graphrings.report.page import Places, page
    from graphrings.report.reading import read_results

    if not output.parent.is_dir():
        raise click.UsageError(f"{output.parent}: no such folder to write {output.name} into.")
    results = read_results(store, experiment)
    text = page(*results, against, Places(str(store), str(output)), score)
    with whole_file(output) as place:
        place.write_text(text, encoding="utf-8")
    click.echo(f"{output}: {len(text.encode()) / 1000:,.0f} kB")
