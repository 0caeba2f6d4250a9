"""graphrings report."""

import os
from pathlib import Path

import click

from graphrings.cli import options


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
def report(experiment: str | None, store: Path, output: Path, against: str | None) -> None:
    """Write the results of EXPERIMENT as one page of HTML: tables, tests and pictures."""
    from graphrings.report.page import Places, page
    from graphrings.report.reading import read_experiment

    if not output.parent.is_dir():
        raise click.UsageError(f"{output.parent}: no such folder to write {output.name} into.")
    found = read_experiment(store, experiment)
    text = page(*found, against, Places(str(store), str(output)))
    write_whole(output, text)
    click.echo(f"{output}: {len(text.encode()) / 1000:,.0f} kB")


def write_whole(path: Path, text: str) -> None:
    """Write a file first beside its place and then there in one step."""
    partial = path.with_name(f".{path.name}-{os.getpid()}")
    try:
        partial.write_text(text, encoding="utf-8")
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
