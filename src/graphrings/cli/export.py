"""graphrings export."""

from pathlib import Path

import click

from graphrings.cli import options
from graphrings.cli.output import print_lines, say, say_of_cells
from graphrings.cli.waiting import waiting

STDOUT = "-"
JSON_LINES = (".jsonl", ".jsonl.gz")


@click.command()
@click.argument("experiments", nargs=-1, metavar="[EXPERIMENT]...")
@options.store
@click.option(
    "--format",
    "style",
    type=click.Choice(["csv", "jsonl"]),
    help="One flat row per cell, or all that is known as JSON lines.  [default: as FILE ends, "
    "or csv]",
)
@options.datasets
@options.methods
@click.option("--predictions", is_flag=True, help="One row per test graph instead of per cell.")
@click.option("--no-times", is_flag=True, help="Leave out what two runs of the same do not share.")
@click.option("--no-curves", is_flag=True, help="JSON lines without the figures of every epoch.")
@options.spreadsheet_safe
@click.option(
    "-o",
    "--output",
    default=STDOUT,
    metavar="FILE",
    help="Instead of standard output; compressed if it ends in .gz.",
)
def export(
    experiments: tuple[str, ...],
    store: Path,
    style: str | None,
    datasets: tuple[str, ...],
    methods: tuple[str, ...],
    predictions: bool,
    no_times: bool,
    no_curves: bool,
    spreadsheet_safe: bool,
    output: str,
) -> None:
    """Write the finished cells of EXPERIMENT as CSV or JSON lines.

    EXPERIMENT is one of the store, or a file of it, such as table2, or several, for the rows and
    datasets that they name. It may be left out where the store holds only one. Repetitions, folds
    and epochs count from 1. JSON lines hold everything, also the cells that failed and all settings
    that were tried: `graphrings merge` makes a store of them again. With --no-times two runs of the
    same experiment give the same bytes: times, dates and versions are left out.

    With --predictions there is a row for every graph of every test fold: its target, what the
    method said, and the probabilities of the classes or the margin. Graphs count from 0, as in
    Python.
    """
    from graphrings.report.named import named_card
    from graphrings.results.export import csv_lines, prediction_lines, write_lines
    from graphrings.results.json_lines import json_lines
    from graphrings.results.store import Store
    from graphrings.spreadsheets import Cells

    cells = Cells(spreadsheet_safe)
    style = style or ("jsonl" if output.endswith(JSON_LINES) else "csv")
    if spreadsheet_safe and style != "csv":
        raise click.UsageError(f"--spreadsheet-safe is for csv, not for {style}.")
    with Store.read(store) as opened:
        part = named_card(opened, experiments).part(datasets, methods)
        name = part.name
        if predictions:
            lines = prediction_lines(opened, name, style, cells, part)
            if n_missing := opened.n_without_predictions(part):
                say(
                    f"note: cells left out because they have no predictions: {n_missing:,}",
                    err=True,
                )
        elif style == "csv":
            lines = csv_lines(opened, name, times=not no_times, cells=cells, part=part)
        else:
            lines = json_lines(opened, name, times=not no_times, curves=not no_curves, part=part)
        if output == STDOUT:
            for line in lines:
                print_lines(line)
        else:
            with waiting(f"writing {output}"):
                write_lines(lines, Path(output), store)
    say_of_cells(cells)
