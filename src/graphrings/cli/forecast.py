"""What graphrings run --dry-run prints."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphrings.cli.output import Column, show
from graphrings.results.durations import duration

if TYPE_CHECKING:
    from graphrings.protocol.experiment import Experiment

COLUMNS = (
    Column("dataset", "Dataset", left=True),
    Column("method", "Method", left=True, whole=True),
    Column("n_cells", "Cells", ","),
    Column("n_settings", "Settings\nper cell", ","),
    Column("n_fits", "Fits", ","),
    Column("cell", "One cell"),
    Column("all", "All"),
)


def forecast(
    experiment: Experiment, path: Path, n_workers: int, root: Path | None, *, retry_failed: bool
) -> None:
    """Print the missing cells and about how long they take; nothing is stored."""
    from graphrings.protocol.forecast import forecasts
    from graphrings.protocol.prepare import prepare
    from graphrings.protocol.run import missing_cells
    from graphrings.results.store import Store

    finished, cells = {}, list(experiment.cells())
    if path.exists():
        with Store.read(path) as store:
            cells = missing_cells(experiment, store, retry_failed=retry_failed)
            if experiment.name in store.experiments():
                finished = store.seconds(experiment.name)
    if not cells:
        click.echo(f"{path}: holds all cells of {experiment.name}; nothing is left to run")
        return
    prepared = prepare(experiment, cells, root)
    groups = list(forecasts(prepared.jobs, prepared.datasets, finished))
    rows = [
        {
            "dataset": f.dataset,
            "method": f.method,
            "n_cells": f.n_cells,
            "n_settings": f.n_settings,
            "n_fits": f.n_cells * f.n_settings,
            "cell": between(f.fastest, f.slowest),
            "all": between(f.n_cells * f.fastest / n_workers, f.n_cells * f.slowest / n_workers),
        }
        for f in groups
    ]
    show(rows, COLUMNS, "table", f"Missing cells of {experiment.name}")
    least, most = (
        sum(f.n_cells * getattr(f, bound) for f in groups) / n_workers
        for bound in ("fastest", "slowest")
    )
    click.echo(
        f"{len(cells):,} cells, {sum(row['n_fits'] for row in rows):,} fits, "  # type: ignore[misc]
        f"{between(least, most)} with --jobs {n_workers}"
    )


def between(least: float, most: float) -> str:
    """Two times, or one where they read the same."""
    low, high = duration(least), duration(most)
    return low if low == high else f"{low} to {high}"
