"""The same cells on a Dask cluster: one's own machines, a batch system, or a local trial."""

from __future__ import annotations

import gc
import logging
import warnings
from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from time import perf_counter
from typing import Any

import graphrings
from graphrings.durations import duration
from graphrings.errors import ClusterError, ClusterNote
from graphrings.graphs.dataset import Dataset
from graphrings.protocol.jobs import Event, Job, Started, now, too_long
from graphrings.protocol.local import is_over, no_interrupts
from graphrings.results.record import Failure, Record

LOCAL = "local"  # an address: start a cluster on this machine
PATIENCE = 20.0  # seconds for a scheduler and its first worker to answer
LOOK_AGAIN = 2.0  # seconds after which new workers are noticed
SPEAK_AFTER = 10.0  # seconds in which nothing can go on
LONGEST_ALONE = 3600.0  # seconds without any worker, after which a run ends; of this machine:
LONGEST_ALONE_HERE = 60.0
RESTART = 20.0  # seconds for a worker to start again
# A worker here may use what the machine has. One that pauses at a part of it would never go on:
# what it holds are datasets, which stay. Its profiler would take part of the time of every fit.
HERE = {
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.profile.enabled": False,
}
PAUSED = "paused"
DATA = "graphrings data of "  # and the id of a client


def run_cluster(
    jobs: Sequence[Job],
    datasets: Mapping[str, Dataset],
    address: str,
    n_workers: int = 1,
    patience: float = PATIENCE,
    deadline: float | None = None,
    cell_timeout: float | None = None,
) -> Generator[Event, None, None]:
    """Run jobs on the workers of a scheduler; ``n_workers`` is for a local cluster.

    At the ``deadline``, a time of ``perf_counter``, cells that are not finished are given up.

    A dataset travels once to every worker. The scheduler gives the cells of a worker that dies to
    others; a cell that has cost several workers their lives fails, and so does one that takes more
    than ``cell_timeout`` seconds. Without any worker the run says so, waits for one to join, and
    ends after an hour, or a minute where the workers are of this machine.
    """
    with connect(address, n_workers, patience) as client:
        try:
            for worker, version in foreign_workers(client).items():
                raise ClusterError(
                    f"{worker}: the worker has graphrings {version}; "
                    f"expected {graphrings.__version__}, as here"
                )
            with datasets_on_workers(client, datasets) as name:
                yield from _Run(client, name, address, cell_timeout).events(jobs, deadline)
        except OSError as error:
            if isinstance(error, ClusterError):
                raise
            raise ClusterError(
                f"{address}: the scheduler is gone; with another one the same command goes on"
            ) from error


class _Run:
    """The jobs that are on the cluster, as many at a time as there are workers."""

    def __init__(
        self, client: Any, name: str, address: str, cell_timeout: float | None = None
    ) -> None:
        self._client, self._name, self._timeout = client, name, cell_timeout
        self._flying: dict[Any, tuple[Job, float]] = {}
        self._watch = Watch(client, address)

    def events(
        self, jobs: Sequence[Job], deadline: float | None = None
    ) -> Generator[Event, None, None]:
        """Send jobs, and pass on what comes back."""
        waiting = deque(jobs)
        try:
            while (waiting or self._flying) and not is_over(deadline):
                n_workers = max(1, self._watch.look(len(waiting) + len(self._flying)))
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
                yield from self._late()
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

    def _late(self) -> Generator[Event, None, None]:
        """Give up the jobs that take too long; their workers start again, or have to go."""
        for future, (job, start) in list(self._flying.items()):
            seconds = perf_counter() - start
            if self._timeout is None or seconds < self._timeout or future.done():
                continue
            del self._flying[future]
            worker = working_on(self._client, future.key)
            self._client.cancel([future], force=True)
            if worker is not None:
                start_again(self._client, worker)
            yield too_long(job, seconds, self._timeout)

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
            foreign = foreign_workers(self._client)
            if foreign:
                self._client.retire_workers(list(foreign))
            if foreign or isinstance(unknown, ClusterError):  # of one that has been sent away
                return None
            error = " ".join(f"{type(unknown).__name__}: {unknown}".split())
        else:
            return outcome
        return Failure(job.cell, error, perf_counter() - start, now())


class Watch:
    """Says what keeps a run waiting: no worker, or workers that have no memory left."""

    def __init__(self, client: Any, address: str) -> None:
        self._client, self._address = client, address
        self._longest = LONGEST_ALONE_HERE if address == LOCAL else LONGEST_ALONE
        self._since: dict[str, float] = {}  # what is wrong, and since when
        self._told: set[str] = set()

    def look(self, n_cells: int) -> int:
        """How many workers there are; a run that has had none for too long ends."""
        states = worker_states(self._client)
        seconds = self._lasts("", not states)
        if seconds > self._longest:
            raise ClusterError(
                f"{self._address}: no workers for {duration(seconds)}; {n_cells:,} cells are left, "
                "and with new ones the same command goes on"
            )
        if self._is_news("", seconds):
            self._say(f"no workers are left; {n_cells:,} cells wait for one to join")
        if seconds > SPEAK_AFTER and self._client.cluster is not None:
            self._client.cluster.scale(len(self._client.cluster.worker_spec))  # start them again
        for worker, state in states.items():
            if self._is_news(worker, self._lasts(worker, state == PAUSED)):
                self._say(f"{worker} has used up its memory and waits; give it more, or end it")
        return len(states)

    def _lasts(self, what: str, is_so: bool) -> float:
        """For how many seconds something has been so."""
        if not is_so:
            self._since.pop(what, None)
            self._told.discard(what)
            return 0.0
        return perf_counter() - self._since.setdefault(what, perf_counter())

    def _is_news(self, what: str, seconds: float) -> bool:
        """Whether it has lasted so long that it is said, which is done once."""
        if seconds <= SPEAK_AFTER or what in self._told:
            return False
        self._told.add(what)
        return True

    def _say(self, what: str) -> None:
        warnings.warn(f"{self._address}: {what}", ClusterNote, stacklevel=2)


def worker_states(client: Any) -> dict[str, str]:
    """What the scheduler knows of every worker: that it is running, or that it has paused."""

    def asked(dask_scheduler: Any) -> dict[str, str]:
        return {address: w.status.name for address, w in dask_scheduler.workers.items()}

    states: dict[str, str] = client.run_on_scheduler(asked)
    return states


def working_on(client: Any, key: str) -> str | None:
    """The address of the worker that has a task, if one has."""

    def asked(dask_scheduler: Any) -> str | None:
        task = dask_scheduler.tasks.get(key)
        worker = None if task is None else task.processing_on
        return None if worker is None else str(worker.address)

    address: str | None = client.run_on_scheduler(asked)
    return address


def start_again(client: Any, worker: str) -> None:
    """End what a worker does; one without a keeper that starts it again has to go."""
    with suppress(TimeoutError):
        try:
            client.restart_workers([worker], timeout=RESTART, raise_for_error=False)
        except ValueError:  # it has no nanny
            client.retire_workers([worker])


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
            dying = "; do they end while they start?" if address == LOCAL else ""
            raise ClusterError(
                f"{address}: the scheduler has no workers after {patience:g} seconds{dying}"
            ) from error
        yield client


@contextmanager
def local_cluster(n_workers: int) -> Iterator[Any]:
    """Workers on this machine, with one thread each."""
    import dask
    from distributed import LocalCluster

    with dask.config.set(HERE):
        with no_interrupts():  # workers inherit this from the thread that starts them
            cluster = LocalCluster(
                n_workers=0,
                threads_per_worker=1,
                dashboard_address=None,
                scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},  # what is left of it
                silence_logs=logging.CRITICAL,
            )
        with cluster:
            cluster.scale(n_workers)
            yield cluster


@contextmanager
def silent_logs() -> Iterator[None]:
    """Keep Dask's log from the terminal: what matters of it is told in our words."""
    known = logging.root.manager.loggerDict
    names = [name for name in known if name.startswith(("distributed", "asyncio"))]
    loggers = [logging.getLogger(name) for name in names]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        gc.collect()  # what failed unseen is told by whoever throws it away
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
