"""graphrings explain."""

from pathlib import Path
from typing import Any

import click

from graphrings.cli import options
from graphrings.cli.output import say_of_cells, tell
from graphrings.cli.predict import check_folder
from graphrings.cli.waiting import waiting


@click.command()
@click.argument("model", type=click.Path(path_type=Path))
@click.argument("name", metavar="DATA")
@click.argument("more", type=click.IntRange(0), nargs=-1, metavar="")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default="explain.html",
    show_default=True,
    help="The page (.html), table (.csv) or picture (.svg) to write.",
)
@click.option(
    "--graph",
    "numbers",
    type=click.IntRange(0),
    multiple=True,
    help="Graphs to show, by their numbers from 0: --graph 3 5.",
)
@click.option("--top", type=click.IntRange(1), help="So many, the surest ones.  [default: 12]")
@click.option("--masking", is_flag=True, help="Take nodes out and predict again instead.")
@options.spreadsheet_safe
@options.root
@options.reading
def explain(
    model: Path,
    name: str,
    more: tuple[int, ...],
    output: Path,
    numbers: tuple[int, ...],
    top: int | None,
    masking: bool,
    spreadsheet_safe: bool,
    root: Path | None,
    reading: dict[str, Any],
) -> None:
    """Show which nodes, edges and distances a trained MODEL's predictions for DATA come from.

    DATA is a table of molecules or a dataset of graphs, by path or name; targets are not needed. A
    page sums up which labels and distances push towards which class, and draws single graphs with
    their nodes coloured. A table has all numbers of all graphs, or of those that are named.
    """
    from graphrings.explanations.command import explain_file
    from graphrings.spreadsheets import Cells

    if spreadsheet_safe and output.suffix.lower() != ".csv":
        raise click.UsageError("--spreadsheet-safe is for .csv files; expected -o FILE.csv.")
    if more and not numbers:
        raise click.UsageError(f"{more[0]} behind DATA; expected --graph {more[0]}.")
    if numbers and top is not None:
        raise click.UsageError("--graph and --top; expected one of them to choose graphs by.")
    check_folder(str(output))
    asked, cells = ((*numbers, *more), top, masking), Cells(spreadsheet_safe)
    with waiting(f"explaining what {model.name} says of {name}"):
        explanation = explain_file(model, name, output, *asked, root, reading, cells)
    tell(output, f"{len(explanation):,} graphs of {explanation.dataset.name} explained")
    say_of_cells(cells)
