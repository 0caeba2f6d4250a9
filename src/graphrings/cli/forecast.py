"""What graphrings run --dry-run prints."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from graphrings.cli.output import Column, say, show
from graphrings.durations import duration

if TYPE_CHECKING:
    from graphrings.protocol.experiment import Experiment

COLUMNS = (
    Column("dataset", "Dataset", left=True),
    Column("method", "Method", left=True),
    Column("n_cells", "Cells", ","),
    Column("n_settings", "Trials", ","),
    Column("cell", "One\ncell"),
    Column("all", "All"),
    Column("source", "Known\nfrom", left=True, whole=True),
)
UNKNOWN = "?"
SOURCES = {
    "cells": "cells: finished before, of the same row",
    "timings": "timings: come with graphrings, taken on datasets that are most like these with one "
    "core of a server; a quicker or slower machine takes less or more",
    "graphs": "graphs: of the smallest dataset, fitted just now; beside timings, how many times as "
    "long these settings take as usual ones, else how such a method grows",
}


def forecast(
    experiment: Experiment, path: Path, n_workers: int, root: Path | None, *, retry_failed: bool
) -> None:
    """Print the missing cells and about how long they take; nothing is stored."""
    from graphrings.protocol.forecast import forecasts
    from graphrings.protocol.run import n_missing
    from graphrings.results.store import Store

    finished, missing = {}, n_missing(experiment, None)
    if path.exists():
        with Store.read(path) as store:
            missing = n_missing(experiment, store, retry_failed=retry_failed)
            if experiment.name in store.experiments():
                finished = store.seconds(experiment.name)
    if not missing.total():
        say(f"{path}: holds all cells of {experiment.name}; nothing is left to run")
        return
    groups = list(forecasts(experiment, missing, finished, root))
    rows = [
        {
            "dataset": f.dataset,
            "method": f.method,
            "n_cells": f.n_cells,
            "n_settings": f.n_settings,
            "cell": about(f.likely),
            "all": about(f.all_cells(f.likely, n_workers)),
            "source": f.source,
        }
        for f in groups
    ]
    show(rows, COLUMNS, "table", f"Missing cells of {experiment.name}")
    say("trials: the settings that a cell tries, each of them a fit")
    for word, meaning in SOURCES.items():
        if any(
            known.endswith((word, word.rstrip("s")))
            for f in groups
            for known in f.source.split(", ")
        ):
            say(meaning)
    unknown = any(f.likely is None for f in groups)
    least, likely, most = (
        sum(f.all_cells(getattr(f, name), n_workers) or 0.0 for f in groups)
        for name in ("fastest", "likely", "slowest")
    )
    say(
        f"{missing.total():,} cells, {sum(f.n_cells * f.n_settings for f in groups):,} fits, "
        f"{'at least' if unknown else 'about'} {duration(likely)} with --jobs {n_workers}"
    )
    if duration(least) != duration(most):
        say(f"{duration(least)} to {duration(most)}, by how early trainings stop")


def about(seconds: float | None) -> str:
    """A time in words."""
    return UNKNOWN if seconds is None else duration(seconds)
