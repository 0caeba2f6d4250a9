"""graphrings run."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphrings.cli import options
from graphrings.cli.running import interruptible, run_with_progress

if TYPE_CHECKING:
    from graphrings.protocol.jobs import Executor
    from graphrings.protocol.prepare import Prepared


@click.command()
@click.argument("path", metavar="EXPERIMENT", type=click.Path(dir_okay=False, path_type=Path))
@options.store
@click.option("--jobs", type=click.IntRange(1), help="Cells at once.  [default: all cores]")
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="A Dask scheduler to run on, such as tcp://host:8786, or local to start one here.",
)
@click.option("--dataset", "datasets", multiple=True, help="Only this one; may be repeated.")
@click.option("--method", "methods", multiple=True, help="Only this row; may be repeated.")
@click.option("--repetitions", type=click.IntRange(1), help="Only the first so many.")
@click.option("--fold", "folds", type=click.IntRange(1), multiple=True, help="Only this one.")
@click.option("--retry-failed", is_flag=True, help="Also run the cells that failed before.")
@click.option("--dry-run", is_flag=True, help="Say what would be run and about how long.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
@options.root
def run(
    path: Path,
    store: Path,
    jobs: int | None,
    cluster: str | None,
    retry_failed: bool,
    dry_run: bool,
    quiet: bool,
    root: Path | None,
    **chosen: Any,
) -> None:
    """Run the cells of EXPERIMENT that the store does not hold yet.

    EXPERIMENT is a TOML file. A run may be ended at any moment, also by pulling the plug: the same
    command goes on where it stopped. The exit status is 1 if cells have failed.
    """
    from graphrings.cli.forecast import forecast
    from graphrings.protocol.experiment import read_experiment
    from graphrings.protocol.run import prepare_missing
    from graphrings.results.store import Store

    if (first := chosen.pop("repetitions")) is not None:
        chosen["repetitions"] = range(1, first + 1)
    n_workers = _workers(jobs)
    with interruptible():
        experiment = read_experiment(path).chosen(**chosen)
        if dry_run:
            forecast(experiment, store, n_workers, root, retry_failed=retry_failed)
            return
        with Store.write(store) as opened:
            prepared = prepare_missing(experiment, opened, root, retry_failed=retry_failed)
            _say_ignored(prepared, quiet)
            execute = _executor(store, n_workers, cluster)
            status = run_with_progress(prepared, opened, execute, quiet)
    click.get_current_context().exit(status)


def _say_ignored(prepared: Prepared, quiet: bool) -> None:
    """What some rows do not see: attributes in any case, edge labels where people look on."""
    from rich.console import Console

    from graphrings.graphs.carried import ATTRIBUTES, EDGE_LABELS
    from graphrings.protocol.ignored import ignored_parts

    watched = not quiet and Console(stderr=True).is_terminal
    for line in ignored_parts(prepared, (*ATTRIBUTES, *([EDGE_LABELS] if watched else []))):
        click.echo(f"note: {line}", err=True)


def _workers(jobs: int | None) -> int:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    if jobs is not None and cores is not None and jobs > cores:
        click.echo(f"note: {jobs} jobs on {cores} cores; they will wait for each other", err=True)
    return jobs or cores or 1


def _executor(store: Path, n_workers: int, cluster: str | None) -> Executor:
    if cluster is not None:
        from graphrings.protocol.cluster import run_cluster

        return partial(run_cluster, address=cluster, n_workers=n_workers)
    from graphrings.protocol.local import run_local

    folder = store.with_name(f"{store.name}.shared")
    return partial(run_local, n_workers=n_workers, folder=folder)
