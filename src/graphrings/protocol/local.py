"""Cells on this machine: some processes, each with one thread and the same mapped data."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import threading
import warnings
from collections import Counter, deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple
from uuid import uuid4

import graphrings
from graphrings import errors
from graphrings.errors import ExperimentError
from graphrings.graphs.array_cache import ArrayCache
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.mapped import contents, open_mapped, write_mapped
from graphrings.interrupts import interrupts_held_back
from graphrings.protocol.jobs import Event, Job, Said, Started, now, too_long
from graphrings.protocol.nested import attempt
from graphrings.results.record import Cell, Failure, Record

THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")
MOST_DEATHS = 3  # of workers over one cell, before it counts as failed
STARTED_AGAIN = 77  # the exit status of a worker that runs the script which started it


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


class Workers:
    """Processes that are at a job, and some that wait for one."""

    def __init__(self, places: Mapping[str, Place], variables: Mapping[str, str]) -> None:
        self._places, self._variables = places, variables
        self.busy = list[Worker]()
        self._idle = list[tuple[BaseProcess, Connection]]()

    def give(self, job: Job) -> Worker:
        """Give a job to a process, which is started if none waits."""
        process, line = self._idle.pop() if self._idle else self._start()
        worker = Worker(process, line, job, perf_counter())
        self.busy.append(worker)
        with suppress(OSError):  # a dead process, which its line will tell
            line.send(job)
        return worker

    def _start(self) -> tuple[BaseProcess, Connection]:
        return start_process(self._places, self._variables)

    def answers(
        self, timeout: float | None = None
    ) -> Iterator[tuple[Worker, Record | Failure | None]]:
        """Wait until workers have answered; None is the answer of one that has died.

        Notes that they have on the way are said here.
        """
        for line in wait([worker.line for worker in self.busy], timeout):
            worker = next(worker for worker in self.busy if worker.line is line)
            outcome = _receive(worker.line)
            if isinstance(outcome, Said):
                warnings.warn(outcome.text, outcome.category, stacklevel=2)
                continue
            self.busy.remove(worker)
            if outcome is None:
                worker.process.join()
            else:
                self._idle.append((worker.process, worker.line))
            yield worker, outcome

    def late(self, timeout: float | None) -> Iterator[Worker]:
        """End the workers that have been at one job for so long."""
        for worker in [w for w in self.busy if timeout and perf_counter() - w.start >= timeout]:
            self.busy.remove(worker)
            end_process(worker.process, worker.line)
            yield worker

    def seconds_left(self, deadline: float | None, timeout: float | None) -> float | None:
        """How long to wait for answers: until the deadline, or until a job has taken too long."""
        ends = [] if deadline is None else [deadline]
        if timeout:
            ends += [worker.start + timeout for worker in self.busy]
        return max(0.0, min(ends) - perf_counter()) if ends else None

    def close(self) -> None:
        """End all processes, whatever they do."""
        for process, line in [*self._idle, *((w.process, w.line) for w in self.busy)]:
            end_process(process, line)


def run_local(
    jobs: Sequence[Job],
    datasets: Mapping[str, Dataset],
    n_workers: int,
    folder: Path,
    deadline: float | None = None,
    keep: bool = False,
    cell_timeout: float | None = None,
    variables: Mapping[str, str] | None = None,
) -> Generator[Event, None, None]:
    """Run jobs in ``n_workers`` processes; a job whose worker dies is given to another.

    What the processes share lies in ``folder`` until all jobs are done: a run that ends before,
    and one that is to ``keep`` it, leaves what it has computed to the next one. However the loop
    over the events ends, no process is left behind. At the ``deadline``, a time of
    ``perf_counter``, cells that are not finished are given up. A cell that takes more than
    ``cell_timeout`` seconds fails, and its process ends. ``variables`` are set where processes
    start.
    """
    end_if_started_again()
    waiting, deaths = deque(jobs), Counter[Cell]()
    with (
        mapped_datasets(datasets, folder, keep) as places,
        closing(Workers(places, variables or {})) as workers,
    ):
        while (waiting or workers.busy) and not is_over(deadline):
            while waiting and len(workers.busy) < n_workers:
                worker = workers.give(waiting.popleft())
                yield Started(worker.job.cell, f"process {worker.process.pid}")
            late = list(workers.late(cell_timeout))
            for worker in late:
                yield too_long(worker.job, perf_counter() - worker.start, cell_timeout or 0.0)
            if late:
                continue  # perhaps nobody is left to wait for
            for worker, outcome in workers.answers(workers.seconds_left(deadline, cell_timeout)):
                if outcome is not None:
                    yield outcome
                    continue
                check_script(worker.process)
                cell = worker.job.cell
                deaths[cell] += 1
                if deaths[cell] < MOST_DEATHS:
                    waiting.appendleft(worker.job)
                else:
                    yield _death(worker)


@contextmanager
def mapped_datasets(
    datasets: Mapping[str, Dataset], folder: Path, keep: bool = False
) -> Iterator[dict[str, Place]]:
    """Datasets in files that every process may map into its memory.

    The datasets are gone afterwards; what was computed of them stays if an error ends the work,
    or if it is to be kept.
    """
    written = folder / "datasets"
    shutil.rmtree(written, ignore_errors=True)  # by a run that was killed
    places = {
        name: Place(
            written / uuid4().hex,  # a worker of that run may yet live
            folder / f"{contents(dataset)}-{graphrings.__version__}",
        )
        for name, dataset in datasets.items()
    }
    done = False
    try:
        for name, dataset in datasets.items():
            write_mapped(dataset, places[name].dataset)
        yield places
        done = not keep
    finally:
        shutil.rmtree(folder if done else written, ignore_errors=True)
        with suppress(OSError):  # something is left for the next run
            folder.rmdir()


def end_if_started_again() -> None:
    """End a worker that runs the script which started it, before it starts workers of its own.

    A process that is spawned imports the script; one that does its work without asking whether it
    is the main module would do it in every worker.
    """
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        os._exit(STARTED_AGAIN)


def check_script(worker: BaseProcess) -> None:
    """Refuse a script that starts itself again in its workers."""
    if worker.exitcode == STARTED_AGAIN:
        raise ExperimentError(
            "processes that are started import this script again, which would run it again; "
            'call what starts them under if __name__ == "__main__":'
        )


def start_process(
    places: Mapping[str, Place], variables: Mapping[str, str]
) -> tuple[BaseProcess, Connection]:
    """A fresh process that waits for jobs."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs, dict(places)), daemon=True)
    with environment(variables), one_thread(), no_interrupts():
        process.start()
    theirs.close()
    return process, ours


def end_process(process: BaseProcess, line: Connection) -> None:
    """End a process, whatever it does."""
    process.kill()
    process.join()
    line.close()


@contextmanager
def one_thread() -> Iterator[None]:
    """Processes that start meanwhile use one thread each, in every library."""
    with environment(dict.fromkeys(THREADS, "1")):
        yield


@contextmanager
def environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Processes that start meanwhile find these variables."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
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
    with interrupts_held_back():
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def work(line: Connection, places: Mapping[str, Place]) -> None:
    """Answer every job with its record or failure, as long as the parent lives."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    threading.Thread(target=_end_with_parent, daemon=True).start()
    pass_notes_on(line)
    datasets = {
        name: (open_mapped(place.dataset), ArrayCache(place.arrays))
        for name, place in places.items()
    }
    while True:
        try:
            job: Job = line.recv()
        except EOFError:
            return
        dataset, cache = datasets[job.cell.dataset]
        line.send(attempt(job, dataset, cache))


def pass_notes_on(line: Connection) -> None:
    """Send notes of ours, of which the parent knows how to say them; others are shown here."""
    shown = warnings.showwarning

    def show(message: Any, category: type[Warning], *place: Any, **more: Any) -> None:
        if category.__module__ == errors.__name__:
            line.send(Said(str(message), category))
        else:
            shown(message, category, *place, **more)

    warnings.showwarning = show


def is_over(deadline: float | None) -> bool:
    """Whether a time of ``perf_counter`` has come."""
    return deadline is not None and perf_counter() >= deadline


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)


def _receive(line: Connection) -> Record | Failure | Said | None:
    """What a worker says; None if it has died."""
    try:
        outcome: Record | Failure | Said = line.recv()
    except (EOFError, OSError):
        return None
    return outcome


def _death(worker: Worker) -> Failure:
    """The failure of a cell over which too many workers have died."""
    how = _ending(worker.process.exitcode)
    error = f"its process {how}, {MOST_DEATHS} times; {_likely(worker.process.exitcode)}"
    return Failure(worker.job.cell, error, perf_counter() - worker.start, now())


def _likely(exitcode: int | None) -> str:
    """What may be behind it: a script that every process runs anew ends with status 1 at once."""
    if exitcode == 1:
        return "does the script begin its work below if __name__ == '__main__'?"
    return "is there enough memory?"


def _ending(exitcode: int | None) -> str:
    if exitcode is not None and exitcode < 0:
        return f"was ended by {signal.Signals(-exitcode).name}"
    return f"ended with status {exitcode}"
