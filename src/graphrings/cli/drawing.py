"""Graphs of a dataset drawn to a file, for the verbs that look at data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphrings.cli.output import say
from graphrings.cli.predict import check_folder
from graphrings.cli.waiting import waiting

if TYPE_CHECKING:
    from collections.abc import Callable

    from graphrings.graphs.dataset import Dataset

MOST_ROWS = 12  # in a picture


def check_picture(picture: Path | None, n_datasets: int) -> None:
    """Refuse what cannot be drawn before anything is computed."""
    if picture is None:
        return
    if n_datasets != 1:
        raise click.UsageError(f"--draw is for one dataset; there are {n_datasets}.")
    if picture.suffix != ".svg":
        raise click.UsageError(f"{picture}: an unknown ending; expected .svg.")
    check_folder(str(picture))


def draw_rows(
    picture: Path, dataset: Dataset, choose: Callable[[Dataset], list[list[int]]], what: str
) -> None:
    """Draw rows of graphs, or say that there are none."""
    from graphrings.graphs.drawing.several import draw_several

    rows = choose(dataset)
    if not rows:
        say(f"note: {dataset.name}: no {what} to draw", err=True)
        return
    with waiting(f"drawing {picture.name}"):
        draw_several(dataset, rows[:MOST_ROWS]).save(picture)
    shown = f"{MOST_ROWS} of {len(rows):,}" if len(rows) > MOST_ROWS else f"{len(rows):,}"
    say(f"{picture}: {shown} rows of {what}", err=True)
