"""Cells on this machine: some processes, each with one thread and the same mapped data."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import threading
from collections import Counter, deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from time import perf_counter
from typing import NamedTuple
from uuid import uuid4

import graphrings
from graphrings.graphs.array_cache import ArrayCache
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.mapped import contents, open_mapped, write_mapped
from graphrings.protocol.jobs import Event, Job, Started, now
from graphrings.protocol.nested import attempt
from graphrings.results.record import Cell, Failure, Record

THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")
MOST_DEATHS = 3  # of workers over one cell, before it counts as failed


class Place(NamedTuple):
    """Where a dataset lies, and where what was computed of it."""

    dataset: Path
    arrays: Path


@dataclass
class Worker:
    """A process, the line to it, and the job that it has."""

    process: BaseProcess
    line: Connection
    job: Job
    start: float


def run_local(
    jobs: Sequence[Job], datasets: Mapping[str, Dataset], n_workers: int, folder: Path
) -> Generator[Event, None, None]:
    """Run jobs in ``n_workers`` processes; a job whose worker dies is given to another.

    What the processes share lies in ``folder`` until all jobs are done: a run that ends before
    leaves what it has computed to the next one. However the loop over the events ends, no process
    is left behind.
    """
    written = folder / "datasets"
    shutil.rmtree(written, ignore_errors=True)  # by a run that was killed
    places = {
        name: Place(
            written / uuid4().hex,  # a worker of it may yet live
            folder / f"{contents(dataset)}-{graphrings.__version__}",
        )
        for name, dataset in datasets.items()
    }
    waiting, workers = deque(jobs), list[Worker]()
    deaths = Counter[Cell]()
    idle = list[tuple[BaseProcess, Connection]]()
    done = False
    try:
        for name, dataset in datasets.items():
            write_mapped(dataset, places[name].dataset)
        while waiting or workers:
            while waiting and len(workers) < n_workers:
                process, line = idle.pop() if idle else start_worker(places)
                job = waiting.popleft()
                worker = Worker(process, line, job, perf_counter())
                workers.append(worker)
                _send(line, job)
                yield Started(job.cell, f"process {process.pid}")
            for ready in wait([worker.line for worker in workers]):
                worker = next(worker for worker in workers if worker.line is ready)
                workers.remove(worker)
                outcome = _receive(worker.line)
                if outcome is not None:
                    idle.append((worker.process, worker.line))
                    yield outcome
                    continue
                worker.process.join()
                cell = worker.job.cell
                deaths[cell] += 1
                if deaths[cell] < MOST_DEATHS:
                    waiting.appendleft(worker.job)
                    continue
                how = _ending(worker.process.exitcode)
                error = f"its process {how}, {MOST_DEATHS} times; is there enough memory?"
                yield Failure(cell, error, perf_counter() - worker.start, now())
        done = True
    finally:
        for process, line in [*idle, *((worker.process, worker.line) for worker in workers)]:
            process.kill()
            process.join()
            line.close()
        shutil.rmtree(folder if done else written, ignore_errors=True)
        with suppress(OSError):  # something is left for the next run
            folder.rmdir()


def start_worker(places: Mapping[str, Place]) -> tuple[BaseProcess, Connection]:
    """A fresh process that waits for jobs."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs, dict(places)), daemon=True)
    with one_thread(), no_interrupts():
        process.start()
    theirs.close()
    return process, ours


@contextmanager
def one_thread() -> Iterator[None]:
    """Processes that start meanwhile use one thread each, in every library."""
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def no_interrupts() -> Iterator[None]:
    """Processes and threads that start meanwhile never see Ctrl-C; here it comes a little late.

    They inherit a mask. It does not help us: the system gives the signal to any thread that has
    none, and Python handles it in the main one. There it is noted, and sent again afterwards.
    """
    if not hasattr(signal, "pthread_sigmask"):  # on Windows
        yield
        return
    resource_tracker.ensure_running()  # its own start would end the mask
    noted = list[int]()
    ours = threading.current_thread() is threading.main_thread()
    handler = signal.getsignal(signal.SIGINT)
    if ours:
        signal.signal(signal.SIGINT, lambda number, _: noted.append(number))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if ours:
            signal.signal(signal.SIGINT, handler)
        if noted:
            signal.raise_signal(signal.SIGINT)


def work(line: Connection, places: Mapping[str, Place]) -> None:
    """Answer every job with its record or failure, as long as the parent lives."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    threading.Thread(target=_end_with_parent, daemon=True).start()
    datasets = {
        name: (open_mapped(place.dataset), ArrayCache(place.arrays))
        for name, place in places.items()
    }
    while True:
        try:
            job: Job = line.recv()
        except EOFError:
            return
        dataset, shared = datasets[job.cell.dataset]
        line.send(attempt(job, dataset, shared))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)


def _send(line: Connection, job: Job) -> None:
    with suppress(OSError):  # a dead worker, which its line will tell
        line.send(job)


def _receive(line: Connection) -> Record | Failure | None:
    """What a worker answers; None if it has died."""
    try:
        outcome: Record | Failure = line.recv()
    except (EOFError, OSError):
        return None
    return outcome


def _ending(exitcode: int | None) -> str:
    if exitcode is not None and exitcode < 0:
        return f"was ended by {signal.Signals(-exitcode).name}"
    return f"ended with status {exitcode}"
