"""Options that several verbs share."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from graphrings.graphs.chemistry import CHEMISTRY
from graphrings.graphs.reading_options import COLUMNS, REJECTING, SHEET
from graphrings.settings import Setting

Verb = TypeVar("Verb", bound=Callable[..., Any])
READING = {**COLUMNS, **SHEET, **CHEMISTRY, **REJECTING}
root = click.option(
    "--root",
    type=click.Path(path_type=Path),
    help="Folder with datasets, instead of $GRAPHRINGS_DATA.",
)
store = click.option(
    "--store",
    type=click.Path(dir_okay=False, path_type=Path),
    default="results.db",
    show_default=True,
    help="The file that holds the results.",
)
datasets = click.option(
    "--dataset", "datasets", multiple=True, help="Only this one; may be repeated."
)
methods = click.option("--method", "methods", multiple=True, help="Only this row; may be repeated.")
cluster = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="A Dask scheduler to run on, such as tcp://host:8786, or local to start one here.",
)
cell_timeout = click.option(
    "--cell-timeout", metavar="TIME", help="Give up a cell after so long: 90s, 30m, 2h."
)
SAFE = "graphrings.spreadsheet_safe"  # where the context keeps it, for whoever prints a sheet
SAFE_HELP = "CSV: an apostrophe before text that a spreadsheet would compute, such as =1+1."
spreadsheet_safe = click.option("--spreadsheet-safe", is_flag=True, help=SAFE_HELP)
safe_sheet = click.option(
    "--spreadsheet-safe",
    is_flag=True,
    expose_value=False,
    callback=lambda context, _, value: context.meta.update({SAFE: value}),
    help=SAFE_HELP,
)


def style(command: Callable[..., Any]) -> Callable[..., Any]:
    """How a command prints a table."""
    option = click.option(
        "--format",
        "style",
        type=click.Choice(["table", "md", "csv", "json"]),
        default="table",
        show_default=True,
        help="How to print the result.",
    )
    return option(safe_sheet(command))


task = click.option(
    "--task",
    type=click.Choice(["classification", "regression"]),
    help="What to predict; by default what the targets are: classes, or values.",
)
draw = click.option(
    "--draw",
    "picture",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.svg",
    help="Draw graphs to this file, too; of one dataset.",
)
names = click.argument("names", nargs=-1, required=True, metavar="DATASET...")
score = click.option(
    "--score",
    metavar="NAME",
    help="What to compare: mcc, auroc, rmse, ...  [default: the main score of the task]",
)


def reading(command: Verb) -> Verb:
    """The options of reading a table of molecules; those that are given come as ``reading``."""

    @wraps(command)
    def called(**given: Any) -> Any:
        chosen = {name: given.pop(name) for name in READING}
        chosen = {name: value for name, value in chosen.items() if value is not None}
        if "rejected" in chosen and len(given.get("names", ())) > 1:
            raise click.UsageError("--rejected names one file, but there are several datasets.")
        return command(reading=chosen, **given)

    for name, setting in reversed(READING.items()):
        called = _reading_option(name, setting)(called)
    return called  # type: ignore[return-value]


def _reading_option(name: str, setting: Setting) -> Callable[[Verb], Verb]:
    text = f"Tables: {setting.meaning}."
    kind: Any = click.Choice(setting.words) if setting.words else setting.type
    flags = f"--{name}"
    if setting.type is bool:
        flags = f"--{name}/--no-{name}"
        text += f"  [default: {'' if setting.default else 'no-'}{name}]"
    elif setting.default is not None:
        text += f"  [default: {setting.default}]"
    if setting.type is Path:
        kind = click.Path(dir_okay=False, path_type=Path)
    metavar = "COLUMN" if name in COLUMNS else "NAME" if name in SHEET else None
    return click.option(flags, name, type=kind, default=None, metavar=metavar, help=text)
