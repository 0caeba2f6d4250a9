"""The same cells on a Dask cluster: one's own machines, a batch system, or a local trial."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from time import perf_counter
from typing import Any

import graphrings
from graphrings.errors import ClusterError
from graphrings.graphs.dataset import Dataset
from graphrings.protocol.jobs import Event, Job, Started, now
from graphrings.protocol.local import is_over, no_interrupts
from graphrings.results.record import Failure, Record

LOCAL = "local"  # an address: start a cluster on this machine
PATIENCE = 20.0  # seconds for a scheduler and its first worker to answer
LOOK_AGAIN = 2.0  # seconds after which new workers are noticed
DATA = "graphrings data of "  # and the id of a client


def run_cluster(
    jobs: Sequence[Job],
    datasets: Mapping[str, Dataset],
    address: str,
    n_workers: int = 1,
    patience: float = PATIENCE,
    deadline: float | None = None,
) -> Generator[Event, None, None]:
    """Run jobs on the workers of a scheduler; ``n_workers`` is for a local cluster.

    At the ``deadline``, a time of ``perf_counter``, cells that are not finished are given up.

    A dataset travels once to every worker. The scheduler gives the cells of a worker that dies to
    others; a cell that has cost several workers their lives fails. Without any worker the run
    waits for one to join.
    """
    with connect(address, n_workers, patience) as client:
        try:
            for worker, version in foreign_workers(client).items():
                raise ClusterError(
                    f"{worker}: the worker has graphrings {version}; "
                    f"expected {graphrings.__version__}, as here"
                )
            with datasets_on_workers(client, datasets) as name:
                yield from _Run(client, name).events(jobs, deadline)
        except OSError as error:
            if isinstance(error, ClusterError):
                raise
            raise ClusterError(
                f"{address}: the scheduler is gone; with another one the same command goes on"
            ) from error


class _Run:
    """The jobs that are on the cluster, as many at a time as there are workers."""

    def __init__(self, client: Any, name: str) -> None:
        self._client, self._name = client, name
        self._flying: dict[Any, tuple[Job, float]] = {}

    def events(
        self, jobs: Sequence[Job], deadline: float | None = None
    ) -> Generator[Event, None, None]:
        """Send jobs, and pass on what comes back."""
        waiting = deque(jobs)
        try:
            while (waiting or self._flying) and not is_over(deadline):
                n_workers = max(1, len(self._client.nthreads()))
                while waiting and len(self._flying) < n_workers:
                    job = waiting.popleft()
                    self._flying[self._submit(job)] = job, perf_counter()
                    yield Started(job.cell, "cluster")
                for future in self._ended(deadline):
                    job, start = self._flying.pop(future)
                    outcome = self._outcome(future, job, start)
                    if outcome is None:
                        waiting.appendleft(job)
                    else:
                        yield outcome
        finally:
            self._client.cancel(list(self._flying), force=True)

    def _submit(self, job: Job) -> Any:
        from graphrings.protocol.cluster_worker import work

        return self._client.submit(work, job, self._name, graphrings.__version__, pure=False)

    def _ended(self, deadline: float | None) -> list[Any]:
        from distributed import CancelledError, wait

        left = LOOK_AGAIN if deadline is None else max(0.0, deadline - perf_counter())
        with suppress(TimeoutError, CancelledError):
            wait(list(self._flying), min(LOOK_AGAIN, left), return_when="FIRST_COMPLETED")
        return [future for future in self._flying if future.done()]

    def _outcome(self, future: Any, job: Job, start: float) -> Record | Failure | None:
        """The record or failure of a job; None if it has to be sent again."""
        from distributed import CancelledError, KilledWorker

        try:
            outcome: Record | Failure = future.result()
        except CancelledError:
            return None
        except KilledWorker:
            error = "several workers died over this cell; have they enough memory?"
        except Exception as unknown:  # of a worker that joined with other software
            if foreign := foreign_workers(self._client):
                self._client.retire_workers(list(foreign))
                return None
            error = " ".join(f"{type(unknown).__name__}: {unknown}".split())
        else:
            return outcome
        return Failure(job.cell, error, perf_counter() - start, now())


@contextmanager
def connect(address: str, n_workers: int, patience: float) -> Iterator[Any]:
    """A client of a scheduler that has at least one worker."""
    try:
        from distributed import Client
    except ImportError as error:
        raise ClusterError(
            "a cluster needs Dask; install it with: pip install 'graphrings[cluster]'"
        ) from error
    with ExitStack() as stack:
        stack.enter_context(silent_logs())
        where = stack.enter_context(local_cluster(n_workers)) if address == LOCAL else address
        try:
            client = stack.enter_context(Client(where, timeout=patience))
        except (OSError, TypeError, ValueError) as error:  # TypeError: TLS without certificates
            reason = " ".join(str(error).split())
            raise ClusterError(f"{address}: no Dask scheduler answers ({reason})") from error
        try:
            client.wait_for_workers(1, timeout=patience)
        except TimeoutError as error:
            raise ClusterError(
                f"{address}: the scheduler has no workers after {patience:g} seconds"
            ) from error
        yield client


@contextmanager
def local_cluster(n_workers: int) -> Iterator[Any]:
    """Workers on this machine, with one thread each."""
    from distributed import LocalCluster

    with no_interrupts():  # workers inherit this from the thread that starts them
        cluster = LocalCluster(0, dashboard_address=None, silence_logs=logging.CRITICAL)
    with cluster:
        cluster.scale(n_workers)
        yield cluster


@contextmanager
def silent_logs() -> Iterator[None]:
    """Keep Dask's log from the terminal: what matters of it is told in our words."""
    names = [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]
    loggers = [logging.getLogger(name) for name in names]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


def foreign_workers(client: Any) -> dict[str, str]:
    """Workers with another version of this package, or without it, and what they have."""

    def installed() -> str:  # travels by value: a worker may not know this file
        try:
            import graphrings
        except ImportError:
            return "not installed"
        return graphrings.__version__

    versions = client.run(installed).items()
    return {worker: version for worker, version in versions if version != graphrings.__version__}


@contextmanager
def datasets_on_workers(client: Any, datasets: Mapping[str, Dataset]) -> Iterator[str]:
    """Datasets that every worker has, under a name, until the end."""
    from graphrings.protocol.cluster_worker import Data

    def dead(dask_scheduler: Any) -> list[str]:
        """The names of what clients have left that were killed."""
        alive = {DATA + client for client in dask_scheduler.clients}
        return [n for n in dask_scheduler.worker_plugins if n.startswith(DATA) and n not in alive]

    for name in client.run_on_scheduler(dead):
        forget(client, name)
    name = DATA + client.id
    client.register_plugin(Data(name, datasets), name=name)
    try:
        yield name
    finally:
        forget(client, name)


def forget(client: Any, name: str) -> None:
    """Take datasets from the workers, where they still are."""
    with suppress(OSError, KeyError, ValueError):
        client.unregister_worker_plugin(name)
