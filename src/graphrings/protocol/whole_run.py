"""A run from its beginning to its end, as Python and the command line ask for it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from graphrings.durations import seconds_of
from graphrings.errors import SettingError
from graphrings.portable import portable_variables
from graphrings.protocol.experiment import Experiment, read_experiment
from graphrings.protocol.jobs import Event, Executor
from graphrings.protocol.local import end_if_started_again, run_local
from graphrings.protocol.run import prepare_missing
from graphrings.protocol.run import run as run_jobs
from graphrings.protocol.shipped import experiment_path
from graphrings.results.results import Results
from graphrings.results.store import Store


def run(
    experiment: Experiment | str | Path,
    store: str | Path | None = None,
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    datasets: Collection[str] | None = None,
    methods: Collection[str] | None = None,
    repetitions: int | None = None,
    folds: Collection[int] | None = None,
    retry_failed: bool = False,
    cell_timeout: float | str | None = None,
    portable: bool = False,
    root: str | Path | None = None,
    fits: str | Path | None = None,
    watch: Callable[[Event], object] | None = None,
) -> Results:
    """Run the cells of an experiment that its store does not hold yet; the results of all cells.

    The processes of a run import the script again that started them: call this under
    ``if __name__ == "__main__":``, or with ``jobs=0``.

    Args:
        experiment: what ``gr.experiment`` returns, the path of a TOML file, or the name of an
            experiment that comes with graphrings.
        store: the file that holds the results; a run that is stopped goes on from there. Without
            one the results are in memory alone.
        jobs: processes; by default one per core, and with 0 none beside this one.
        cluster: a Dask scheduler to run on, or ``local``.
        datasets: run only these.
        methods: run only these rows.
        repetitions: run only the first so many.
        folds: run only these, counted from 1.
        retry_failed: also run the cells that failed before.
        cell_timeout: the longest that a cell may take, in seconds or as ``30m``; one that takes
            longer fails, and the others go on.
        portable: hold all libraries to one set of instructions, for the same bits on any x86-64
            processor; it takes longer.
        root: the folder with datasets, instead of ``$GRAPHRINGS_DATA``.
        fits: a folder to keep fitted networks in; one that is there is not fitted again.
        watch: called with every event: a cell has ``Started``, its ``Record``, its ``Failure``.

    """
    end_if_started_again()
    if not isinstance(experiment, Experiment):
        experiment = read_experiment(experiment_path(experiment))
    first = None if repetitions is None else range(1, repetitions + 1)
    part = experiment.chosen(datasets, methods, first, folds)
    n_workers = n_cores() if jobs is None else jobs
    with _place(store) as path, Store.write(path) as opened:
        prepared = prepare_missing(
            part,
            opened,
            None if root is None else Path(root),
            retry_failed=retry_failed,
            given=experiment.given,
            fits=None if fits is None else Path(fits).absolute(),
        )
        execute = executor(path, n_workers, cluster, cell_timeout, portable)
        with closing(run_jobs(prepared, opened, execute)) as events:
            for event in events:
                if watch is not None:
                    watch(event)
        return Results.of(opened, experiment.name)


def executor(
    store: Path,
    n_workers: int,
    cluster: str | None = None,
    cell_timeout: float | str | None = None,
    portable: bool = False,
) -> Executor:
    """Where cells are run: on a cluster, in processes of this machine, or with none of them here.

    What processes share lies in a folder beside the store.
    """
    seconds = None if cell_timeout is None else seconds_of(cell_timeout)
    if portable and (cluster is not None or n_workers == 0):
        raise SettingError(
            "portable on a cluster or without processes; expected processes that this command "
            "starts (see docs/protocol.md for what workers of a cluster must be started with)"
        )
    if cluster is not None:
        from graphrings.protocol.cluster import run_cluster

        n_here = max(1, n_workers)
        return partial(run_cluster, address=cluster, n_workers=n_here, cell_timeout=seconds)
    if n_workers == 0:
        if seconds is not None:
            raise SettingError(
                "cell_timeout without processes; expected jobs of at least 1: a cell of this "
                "process cannot be ended"
            )
        from graphrings.protocol.serial import run_serial

        return run_serial
    folder = store.with_name(f"{store.name}.shared")
    here = partial(run_local, n_workers=n_workers, folder=folder, cell_timeout=seconds)
    return partial(here, variables=portable_variables()) if portable else here


def n_cores() -> int:
    """The cores that this process may use."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return cores or 1


@contextmanager
def _place(store: str | Path | None) -> Iterator[Path]:
    if store is not None:
        yield Path(store)
        return
    with tempfile.TemporaryDirectory(prefix="graphrings-") as folder:
        yield Path(folder) / "results.db"
