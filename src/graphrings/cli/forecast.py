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
    Column("method", "Method", left=True, whole=True),
    Column("n_cells", "Cells", ","),
    Column("n_settings", "Settings\nper cell", ","),
    Column("cell", "One cell"),
    Column("all", "All"),
    Column("source", "Known\nfrom", left=True),
)
UNKNOWN = "?"
SOURCES = {
    "cells": "cells: finished before, of the same row",
    "timings": "timings: come with graphrings, taken on datasets that are most like these with one "
    "core of a server; a quicker or slower machine takes less or more",
    "graphs": "graphs: of the smallest dataset, fitted just now, and how such a method grows",
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
            "cell": between(f.fastest, f.slowest),
            "all": between(*(f.all_cells(bound, n_workers) for bound in (f.fastest, f.slowest))),
            "source": f.source,
        }
        for f in groups
    ]
    show(rows, COLUMNS, "table", f"Missing cells of {experiment.name}")
    for word, meaning in SOURCES.items():
        if any(f.source.rstrip("s").endswith(word.rstrip("s")) for f in groups):
            say(meaning)
    unknown = any(f.fastest is None for f in groups)
    least, most = (
        sum(f.all_cells(bound, n_workers) or 0.0 for f in groups for bound in [getattr(f, name)])
        for name in ("fastest", "slowest")
    )
    say(
        f"{missing.total():,} cells, {sum(f.n_cells * f.n_settings for f in groups):,} fits, "
        f"{'at least ' * unknown}{between(least, most)} with --jobs {n_workers}"
    )


def between(least: float | None, most: float | None) -> str:
    """Two times, or one where they read the same."""
    if least is None or most is None:
        return UNKNOWN
    low, high = duration(least), duration(most)
    return low if low == high else f"{low} to {high}"
