"""graphrings report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphrings.cli import options
from graphrings.cli.output import tell
from graphrings.cli.waiting import waiting

if TYPE_CHECKING:
    from graphrings.graphs.dataset import Dataset


@click.command()
@click.argument("experiments", nargs=-1, metavar="[EXPERIMENT]...")
@options.store
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default="report.html",
    show_default=True,
    help="The page to write; as .svg one of its pictures alone.",
)
@click.option(
    "--picture",
    type=click.Choice(["opening", "radius"]),
    help="Which picture an .svg gets: all methods on all datasets, or the score by radius.  "
    "[default: opening]",
)
@click.option("--against", metavar="METHOD", help="Hold every method against this one.")
@options.score
@click.option(
    "--data",
    "data",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    help="A dataset of the experiment, to draw its hard graphs; those of the catalogue are found.",
)
def report(
    experiments: tuple[str, ...],
    store: Path,
    output: Path,
    picture: str | None,
    against: str | None,
    score: str | None,
    data: tuple[Path, ...],
) -> None:
    """Write the results of EXPERIMENT as one page of HTML: tables, tests and pictures.

    The page needs no network and no scripts. A menu changes its score; --score says which comes
    first. EXPERIMENT is one of the store, or a file of it, such as table2, or several, for the rows
    and datasets that they name.
    """
    from graphrings.report.written import report as write_report

    if not output.parent.is_dir():
        raise click.UsageError(f"{output.parent}: no such folder to write {output.name} into.")
    if picture and output.suffix != ".svg":
        raise click.UsageError(f"--picture goes with an output that ends in .svg, not {output}.")
    with waiting(f"drawing {output.name}"):
        write_report(
            store,
            output,
            experiments,
            score=score,
            against=against,
            datasets=map(_read, data),
            picture=picture or "opening",
        )
    tell(output, f"{output.stat().st_size / 1000:,.0f} kB" if output.is_file() else "written")


def _read(path: Path) -> Dataset:
    from graphrings.graphs.read import read

    return read(path)
