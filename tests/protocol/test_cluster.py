"""Cells on a real scheduler and real worker processes of this machine."""

import gc
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import graphrings as gr
from graphrings.errors import ClusterError, ClusterNote
from graphrings.protocol import cluster
from graphrings.protocol.cluster import DATA, Watch, run_cluster
from graphrings.protocol.jobs import Event, Job, Started
from graphrings.results.record import Failure, MethodCard, Record
from records import records

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.slow

Jobs = tuple[Job, ...]
Run = Callable[..., Generator[Event, None, None]]


class Scheduler:
    """A scheduler in a process of its own, and the workers that were started for it."""

    def __init__(self, folder: Path) -> None:
        self._folder, path = folder, folder / "scheduler.json"
        words = ("--host", "127.0.0.1", "--port", 0, "--no-dashboard", "--scheduler-file", path)
        self._processes = [start_dask("scheduler", *words)]
        wait_for(path.exists)
        with distributed.Client(scheduler_file=path, set_as_default=False) as client:
            self.address = client.scheduler.address

    def start_worker(self, *words: object) -> subprocess.Popen[bytes]:
        """One worker process more."""
        own = ("--nthreads", 1, "--no-nanny", "--no-dashboard", "--local-directory", self._folder)
        self._processes.append(start_dask("worker", self.address, *own, *words))
        return self._processes[-1]

    def ask(self, question: Callable[[Any], Any]) -> Any:
        """What the scheduler itself answers."""
        with distributed.Client(self.address, set_as_default=False) as client:
            return client.run_on_scheduler(question)

    def kill(self) -> None:
        """End the scheduler, and no worker."""
        self._processes[0].kill()

    def kill_workers(self) -> None:
        """End all workers, also those that a test before has started."""
        for process in self._processes[1:]:
            process.kill()

    def close(self) -> None:
        """End all processes."""
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.wait()


def start_dask(what: str, *words: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def wait_for(claim: Callable[[], object], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not claim():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.fixture(autouse=True)
def no_half_made_clients() -> Iterator[None]:
    """Dask leaves those that found no scheduler to the garbage collector: not in a later test."""
    yield
    gc.collect()


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scheduler]:
    """A scheduler without workers."""
    with closing(Scheduler(tmp_path_factory.mktemp("dask"))) as made:
        yield made


@pytest.fixture(scope="module")
def workers(scheduler: Scheduler) -> list[subprocess.Popen[bytes]]:
    """Two workers, with two threads each."""
    return [scheduler.start_worker("--nthreads", 2) for _ in range(2)]


@pytest.fixture
def run(scheduler: Scheduler, mutag: gr.Dataset) -> Run:
    """Run jobs on the scheduler."""
    return lambda jobs, **options: run_cluster(
        jobs, {"MUTAG": mutag}, scheduler.address, **{"patience": 20.0, **options}
    )


def test_a_scheduler_without_workers_is_told(run: Run, jobs: Jobs) -> None:
    with pytest.raises(ClusterError, match=r"the scheduler has no workers after 0\.2 seconds$"):
        list(run(jobs, patience=0.2))


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("foo", "missing port number"),
        ("tcp://", "missing port number"),
        ("http://x", "unknown address scheme 'http'"),
        ("tls://127.0.0.1:9", "TLS"),
        ("tcp://127.0.0.1:9", "Timed out .* after 0.3 s"),
    ],
)
def test_an_address_that_does_not_answer(jobs: Jobs, address: str, reason: str) -> None:
    start = time.monotonic()
    with pytest.raises(ClusterError, match=f"^{address}: no Dask scheduler answers .*{reason}"):
        list(run_cluster(jobs, {}, address, patience=0.3))
    assert time.monotonic() - start < 15


@pytest.mark.usefixtures("workers")
def test_a_cluster_changes_no_bit(
    run: Run, jobs: Jobs, expected: list[Record], capfd: pytest.CaptureFixture[str]
) -> None:
    events = list(run(jobs))
    assert records(events) == expected
    assert sum(isinstance(event, Started) for event in events) == len(jobs)
    assert capfd.readouterr() == ("", "")


@pytest.mark.usefixtures("workers")
def test_a_deadline_ends_a_run(run: Run, jobs: Jobs) -> None:
    assert list(run(jobs, deadline=time.perf_counter() - 1)) == []
    begun = list(run(jobs, deadline=time.perf_counter() + 0.05))
    assert len(records(begun)) < len(jobs)


@pytest.mark.usefixtures("workers")
def test_two_runs_at_once_share_workers_and_no_random_numbers(
    run: Run, jobs: Jobs, expected: list[Record]
) -> None:
    with ThreadPoolExecutor(4) as threads:
        parts = threads.map(lambda k: list(run(jobs[k::4])), range(4))
        assert records(event for events in parts for event in events) == expected


@pytest.mark.usefixtures("workers")
def test_a_failing_cell_stops_no_other(run: Run, jobs: Jobs) -> None:
    bad = replace(jobs[0], method=MethodCard("bad", "dgcnn", {"dropout": 7}, {}))
    outcomes = [event for event in run([bad, jobs[1]]) if not isinstance(event, Started)]
    assert {type(outcome) for outcome in outcomes} == {Failure, Record}


@pytest.mark.usefixtures("workers")
def test_nothing_stays_on_the_cluster(run: Run, scheduler: Scheduler, jobs: Jobs) -> None:
    """Neither of a run that was left, nor of one that was killed."""

    def plugins(dask_scheduler: Any) -> list[str]:
        return list(dask_scheduler.worker_plugins)

    def leave(dask_scheduler: Any) -> None:
        dask_scheduler.worker_plugins[f"{DATA}dead"] = b""

    scheduler.ask(leave)
    assert f"{DATA}dead" in scheduler.ask(plugins)
    with closing(run(jobs)) as events:
        next(events)
    assert not [name for name in scheduler.ask(plugins) if name.startswith(DATA)]
    wait_for(lambda: not scheduler.ask(lambda dask_scheduler: len(dask_scheduler.tasks)))


@pytest.mark.usefixtures("workers")
def test_workers_of_another_version_are_refused(
    run: Run, jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gr, "__version__", "9.9.9")
    message = r"^tcp://127.0.0.1:\d+: the worker has graphrings 0.2.0; expected 9.9.9, as here$"
    with pytest.raises(ClusterError, match=message):
        list(run(jobs))


@pytest.mark.usefixtures("workers")
def test_a_cell_that_takes_too_long_fails_and_others_go_on(
    run: Run, scheduler: Scheduler, jobs: Jobs, endless: Job
) -> None:
    """Its worker, which nobody would start again, is sent away."""
    wait_for(lambda: n_workers(scheduler) == 2)
    (failed,) = [e for e in run([endless], cell_timeout=3.0) if isinstance(e, Failure)]
    assert failed.cell == endless.cell
    assert failed.error == "given up after 3 s, the --cell-timeout of the run"
    assert n_workers(scheduler) == 1
    assert [record.cell for record in records(run(jobs[-1:]))] == [jobs[-1].cell]
    scheduler.start_worker()


def n_workers(scheduler: Scheduler) -> int:
    count: int = scheduler.ask(lambda dask_scheduler: len(dask_scheduler.workers))
    return count


def test_a_worker_that_dies_has_its_cell_done_by_another(
    run: Run, workers: list[subprocess.Popen[bytes]], jobs: Jobs, expected: list[Record]
) -> None:
    events = []
    for event in run(jobs):
        events.append(event)
        if len(events) == 4:
            workers[0].kill()
    assert records(events) == expected


@pytest.mark.usefixtures("workers")
def test_when_all_workers_have_died_new_ones_go_on(
    run: Run,
    scheduler: Scheduler,
    jobs: Jobs,
    expected: list[Record],
    tmp_path: Path,
) -> None:
    """The first to join is of another version, and is sent away."""
    (tmp_path / "old.py").write_text("import graphrings\ngraphrings.__version__ = '0.0.1'\n")

    def addresses() -> set[str]:
        known: list[str] = scheduler.ask(lambda dask_scheduler: list(dask_scheduler.workers))
        return set(known)

    events, foreign = [], None
    for event in run(jobs):
        events.append(event)
        if len(events) == 4:
            before = addresses()
            scheduler.kill_workers()
            foreign = scheduler.start_worker("--preload", tmp_path / "old.py")
            # It alone is there: what the dead ones had goes to it.
            wait_for(lambda dead=before: (now := addresses()) and not now & dead)
            scheduler.start_worker()
    assert records(events) == expected
    assert foreign is not None
    foreign.wait(60)


def test_a_scheduler_that_dies_is_told(run: Run, scheduler: Scheduler, light: Jobs) -> None:
    scheduler.start_worker()
    events = run(light, patience=3.0)
    next(events)
    scheduler.kill()
    start = time.monotonic()
    with pytest.raises(ClusterError, match="the scheduler is gone; with another one the same"):
        list(events)
    assert time.monotonic() - start < 10


def test_a_cluster_of_this_machine(light: Jobs, mutag: gr.Dataset, expected: list[Record]) -> None:
    assert records(run_cluster(light[:2], {"MUTAG": mutag}, "local")) == [
        record for record in expected if record.cell in {job.cell for job in light[:2]}
    ]


def test_workers_of_this_machine_that_end_while_they_start_are_told(
    light: Jobs, mutag: gr.Dataset, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "end.py").write_text("import os\nos._exit(1)\n")
    message = "^local: the scheduler has no workers after 2 seconds; do they end while they start"
    with (
        dask.config.set({"distributed.worker.preload": [str(tmp_path / "end.py")]}),
        pytest.raises(ClusterError, match=message),
    ):
        list(run_cluster(light[:1], {"MUTAG": mutag}, "local", patience=2.0))
    assert capfd.readouterr() == ("", "")


class Asked:
    """A client whose scheduler knows workers by their states."""

    def __init__(self, **states: str) -> None:
        self.states, self.cluster = states, None

    def run_on_scheduler(self, question: Callable[..., Any]) -> Any:
        """Ask the scheduler."""
        workers = {
            address: SimpleNamespace(status=SimpleNamespace(name=state))
            for address, state in self.states.items()
        }
        return question(SimpleNamespace(workers=workers))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which a test moves on."""
    times = [0.0]
    monkeypatch.setattr(cluster, "perf_counter", lambda: times[0])
    return times


def test_a_run_without_workers_says_so_once_and_ends(clock: list[float]) -> None:
    client = Asked()
    watch = Watch(client, "tcp://there")
    assert watch.look(7) == 0
    clock[0] = 11.0
    with pytest.warns(ClusterNote, match="^tcp://there: no workers are left; 7 cells wait for one"):
        watch.look(7)
    clock[0] = 60.0
    watch.look(7)  # a warning would be an error
    client.states["tcp://a"] = "running"
    assert watch.look(7) == 1
    client.states.clear()
    watch.look(7)
    clock[0] = 3661.0
    with pytest.raises(ClusterError, match="no workers for 60 min; 7 cells are left, and with new"):
        watch.look(7)


def test_a_worker_without_memory_is_told(clock: list[float]) -> None:
    client = Asked(a="running", b="paused")
    watch = Watch(client, "tcp://there")
    assert watch.look(7) == 2
    clock[0] = 11.0
    with pytest.warns(ClusterNote, match="^tcp://there: b has used up its memory and waits; give"):
        watch.look(7)
    clock[0] = 22.0
    watch.look(7)
