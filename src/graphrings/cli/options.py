"""Options that several verbs share."""

from pathlib import Path

import click

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
style = click.option(
    "--format",
    "style",
    type=click.Choice(["table", "md", "csv", "json"]),
    default="table",
    show_default=True,
    help="How to print the result.",
)
task = click.option(
    "--task",
    type=click.Choice(["classification", "regression"]),
    help="What to predict; by default what the targets are: classes, or values.",
)
names = click.argument("names", nargs=-1, required=True, metavar="DATASET...")
score = click.option(
    "--score",
    metavar="NAME",
    help="What to compare: mcc, auroc, rmse, ...  [default: the main score of the task]",
)
