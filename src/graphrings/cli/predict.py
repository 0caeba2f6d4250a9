"""graphrings predict."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphrings.cli import options
from graphrings.cli.output import say, say_of_cells
from graphrings.cli.running import workers

if TYPE_CHECKING:
    from collections.abc import Callable

    from graphrings.prediction.inputs import Input, Named
    from graphrings.prediction.tally import Tally

STYLES = ("csv", "tsv", "jsonl", "parquet")  # a test compares them with those that there are
NOT_ONE = 1  # exit status: there were rows, and none could be predicted


@click.command()
@click.argument("model", type=click.Path(path_type=Path))
@click.argument("names", nargs=-1, required=True, metavar="DATA...")
@click.option(
    "-o",
    "--output",
    default="-",
    show_default=True,
    help="The file to write; - is standard output.",
)
@click.option(
    "--format",
    "style",
    type=click.Choice(STYLES),
    help="How to write the result.  [default: by the ending of the file; csv]",
)
@click.option(
    "--smiles",
    metavar="COLUMN",
    help="Column of a table with the molecules.  [default: called as in training]",
)
@click.option("--target", metavar="COLUMN", help="Column of a table with targets, for a score.")
@click.option("--id", "id_column", metavar="COLUMN", help="Keep only this column of a table.")
@click.option("--sheet", metavar="NAME", help="Sheet of an Excel workbook.  [default: the first]")
@click.option(
    "--proba/--no-proba",
    default=None,
    help="With the probability of every class.  [default: where the model has them]",
)
@options.spreadsheet_safe
@click.option("--jobs", type=click.IntRange(1), help="Processes.  [default: all cores]")
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="A Dask scheduler to ask, such as tcp://host:8786, or local to start one here.",
)
@click.option("--quiet", is_flag=True, help="No progress bar, no line on how it went.")
@options.root
def predict(
    model: Path,
    names: tuple[str, ...],
    output: str,
    style: str | None,
    smiles: str | None,
    target: str | None,
    id_column: str | None,
    sheet: str | None,
    proba: bool | None,
    spreadsheet_safe: bool,
    jobs: int | None,
    cluster: str | None,
    quiet: bool,
    root: Path | None,
) -> None:
    """Predict the targets of DATA with a trained MODEL.

    DATA is a table of molecules (CSV, TSV, JSON lines, Excel, Parquet, SMILES, SDF; - is stdin)
    or a dataset of graphs, by path or name. Targets are not needed. Every row stays, with its
    columns, in its place; new columns say the prediction, the probability of every class, how
    similar the nearest training graph is, and what is odd. A row that cannot be read has a reason
    in the last one. A count, and a score where targets are known, go to standard error.
    """
    from graphrings.learning.models import load_model
    from graphrings.prediction.inputs import Named
    from graphrings.prediction.run import Output, predict_rows
    from graphrings.prediction.writers import style_of
    from graphrings.spreadsheets import Cells

    chosen, cells = style_of(output, style), Cells(spreadsheet_safe)
    if spreadsheet_safe and not chosen.for_spreadsheets:
        raise click.UsageError(f"--spreadsheet-safe is for csv and tsv, not for {chosen.name}.")
    check_folder(output)
    estimator = load_model(model)
    destination = Output(output, chosen, wants_probabilities(estimator, proba, model), cells)
    named, inputs = Named(smiles, target, id_column, sheet), []
    with ExitStack() as stack:
        for name in names:
            inputs.append(input_of(name, named, root, estimator))
            stack.callback(inputs[-1].close)
        moved = stack.enter_context(progress(quiet))
        asked = estimator, model, inputs, destination, workers(jobs), moved, cluster
        tallies = predict_rows(*asked)
    say_of_cells(cells)
    for given, tally in zip(inputs, tallies, strict=True):
        tell(given.place, tally, quiet)
    if not any(tally.n_predicted for tally in tallies) and any(tally.n_rows for tally in tallies):
        click.get_current_context().exit(NOT_ONE)


def tell(place: str, tally: Tally, quiet: bool) -> None:
    """Say how it went, and the score where targets are known."""
    if not quiet:
        say(f"{place}: {tally.summary()}", err=True)
    if score := tally.score():
        say(f"{place}: {score}", err=True)


def check_folder(output: str) -> None:
    """Refuse a file in a folder that is not there, before anything is computed for it."""
    from graphrings.errors import SettingError

    path = Path(output)
    if not path.absolute().parent.is_dir():
        raise SettingError(f"{path.parent}: no such folder to write {path.name} to")


def wants_probabilities(model: Any, asked: bool | None, path: Path) -> bool:
    """Whether to write probabilities: as asked, or if there are some."""
    from graphrings.errors import ModelError

    there = hasattr(model, "predict_proba")
    if asked and not there:
        advice = "train it with --calibrate" if hasattr(model, "classes_") else ""
        raise ModelError(f"{path}: a model without probabilities; {advice or 'it predicts values'}")
    return there if asked is None else asked


def input_of(name: str, named: Named, root: Path | None, model: Any) -> Input:
    """The rows of a table, or the graphs of a dataset, read as those were that a model knows."""
    from graphrings.graphs.load import load
    from graphrings.prediction.inputs import dataset_input, is_table, table_input

    if is_table(name):
        trained = model.trained_on_.get("columns", {}).get("smiles")
        return table_input(name, named, model.chemistry_, trained)
    if any(named):
        of_tables = "--smiles, --target, --id and --sheet are for tables"
        raise click.UsageError(f"{of_tables}; {name} is none.")
    return dataset_input(load(name, root), model.chemistry_)


@contextmanager
def progress(quiet: bool) -> Iterator[Callable[[int], None]]:
    """A counter of rows on standard error, where that is a terminal."""
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = SpinnerColumn(), TextColumn("{task.completed:,.0f} rows"), TimeElapsedColumn()
    hidden = quiet or not console.is_terminal
    with Progress(*columns, console=console, disable=hidden) as bar:
        task = bar.add_task("", total=None)
        yield lambda n_rows: bar.advance(task, n_rows)
