"""graphrings export."""

from collections.abc import Iterable
from pathlib import Path

import click

from graphrings.cli import options
from graphrings.errors import StoreError
from graphrings.whole_files import whole_file

STDOUT = "-"


@click.command()
@click.argument("experiment", required=False)
@options.store
@click.option(
    "--format",
    "style",
    type=click.Choice(["csv", "jsonl"]),
    default="csv",
    show_default=True,
    help="One flat row a cell, or all that is known as JSON lines.",
)
@click.option("--no-times", is_flag=True, help="Without what two runs of the same do not share.")
@click.option("--no-curves", is_flag=True, help="JSON lines without the figures of every epoch.")
@click.option("-o", "--output", default=STDOUT, metavar="FILE", help="Instead of standard output.")
def export(
    experiment: str | None, store: Path, style: str, no_times: bool, no_curves: bool, output: str
) -> None:
    """Write the finished cells of EXPERIMENT as CSV or JSON lines.

    EXPERIMENT may be left out where the store holds only one. Repetitions, folds and epochs count
    from 0. JSON lines also tell the cells that failed, and all settings that were tried. With
    --no-times two runs of the same experiment give the same bytes: times, dates and versions are
    left out.
    """
    from graphrings.results.export import csv_lines, json_lines
    from graphrings.results.store import Store

    with Store.read(store) as opened:
        name = opened.choose(experiment)
        if style == "csv":
            lines = csv_lines(opened, name, times=not no_times)
        else:
            lines = json_lines(opened, name, times=not no_times, curves=not no_curves)
        if output == STDOUT:
            for line in lines:
                click.echo(line, nl=False)
        else:
            _write(lines, Path(output), store)


def _write(lines: Iterable[str], path: Path, store: Path) -> None:
    """Write all lines or nothing: the file is replaced when they are complete."""
    if path.exists() and path.samefile(store):
        raise StoreError(f"{path}: the store itself; expected another file to write")
    with whole_file(path) as place, place.open("w", encoding="utf-8", newline="") as file:
        file.writelines(lines)
