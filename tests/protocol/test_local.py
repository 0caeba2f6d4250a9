import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import graphrings as gr
from graphrings.errors import TimeNote
from graphrings.portable import PORTABLE, VARIABLES
from graphrings.protocol.jobs import Job, Started
from graphrings.protocol.local import MOST_DEATHS, THREADS, no_interrupts, one_thread, run_local
from graphrings.results.record import Failure, MethodCard, Record
from records import records

pytestmark = pytest.mark.slow
copied = pytest.mark.usefixtures("copied_processes")


def pid(started: Started) -> int:
    return int(started.worker.removeprefix("process "))


@pytest.mark.parametrize("n_workers", [1, 2])
def test_the_number_of_workers_changes_no_bit(
    jobs: tuple[Job, ...], mutag: gr.Dataset, expected: list[Record], n_workers: int, tmp_path: Path
) -> None:
    events = list(run_local(jobs, {"MUTAG": mutag}, n_workers, tmp_path / "shared"))
    assert records(events) == expected
    assert len({e.worker for e in events if isinstance(e, Started)}) == n_workers
    assert not (tmp_path / "shared").exists()


@copied
def test_a_worker_that_dies_has_its_cell_done_by_another(
    light: tuple[Job, ...], mutag: gr.Dataset, expected: list[Record], tmp_path: Path
) -> None:
    events, killed = [], set[int]()
    for event in run_local(light, {"MUTAG": mutag}, 2, tmp_path / "shared"):
        events.append(event)
        if isinstance(event, Started) and len(killed) < 2:
            time.sleep(0.3)
            os.kill(pid(event), signal.SIGKILL)
            killed.add(pid(event))
    assert len(killed) == 2
    done = {job.cell for job in light}
    assert records(events) == [record for record in expected if record.cell in done]


@copied
def test_a_cell_that_kills_every_worker_fails_alone(
    light: tuple[Job, ...], mutag: gr.Dataset, expected: list[Record], tmp_path: Path
) -> None:
    events = []
    for event in run_local(light[:3], {"MUTAG": mutag}, 1, tmp_path / "shared"):
        events.append(event)
        if isinstance(event, Started) and event.cell == light[0].cell:
            os.kill(pid(event), signal.SIGKILL)
    failures = [event for event in events if isinstance(event, Failure)]
    assert [failure.cell for failure in failures] == [light[0].cell]
    assert failures[0].error.startswith(f"its process was ended by SIGKILL, {MOST_DEATHS} times")
    others = {job.cell for job in light[1:3]}
    assert records(events) == [record for record in expected if record.cell in others]


@copied
def test_a_cell_that_takes_too_long_fails_and_others_go_on(
    mutag: gr.Dataset, endless: Job, tmp_path: Path
) -> None:
    """Its process is ended; the next cell gets another one."""
    other = replace(endless, cell=endless.cell._replace(fold=1))
    given = [endless, other], {"MUTAG": mutag}, 1, tmp_path / "shared"
    before = multiprocessing.active_children()
    events = list(run_local(*given, cell_timeout=1.5))
    failures = [event for event in events if isinstance(event, Failure)]
    assert [failure.cell for failure in failures] == [endless.cell, other.cell]
    assert {failure.error for failure in failures} == {
        "given up after 2 s, the --cell-timeout of the run"
    }
    assert len({pid(event) for event in events if isinstance(event, Started)}) == 2
    assert not [p for p in multiprocessing.active_children() if p not in before]


SLOW = """
import warnings

from graphrings.errors import TimeNote
from graphrings.learning.baseline import BaselineClassifier


class Slow(BaselineClassifier):
    def fit(self, *given, **more):
        warnings.warn("it may take about 3 min", TimeNote, stacklevel=2)
        warnings.warn("divided by zero", RuntimeWarning, stacklevel=2)
        return super().fit(*given, **more)
"""


@copied
def test_a_note_of_a_process_is_said_here(
    light: tuple[Job, ...], mutag: gr.Dataset, tmp_path: Path
) -> None:
    """What others warn of shows the line of their code, so that it is left where it is."""
    (tmp_path / "slow_method.py").write_text(SLOW)
    card = MethodCard("slow", "slow_method:Slow", {}, {})
    slow = replace(light[0], method=card, home=tmp_path)
    with pytest.warns(TimeNote) as said:
        events = list(run_local([slow, light[1]], {"MUTAG": mutag}, 1, tmp_path / "shared"))
    assert [str(note.message) for note in said] == ["it may take about 3 min"]
    assert [type(event) for event in events] == [Started, Record, Started, Record]


@copied
def test_a_failing_cell_stops_no_other(
    light: tuple[Job, ...], mutag: gr.Dataset, tmp_path: Path
) -> None:
    bad = replace(light[0], method=MethodCard("bad", "baseline-labels", {"C": -7}, {}))
    outcomes = [
        event
        for event in run_local([bad, light[1]], {"MUTAG": mutag}, 1, tmp_path / "shared")
        if not isinstance(event, Started)
    ]
    assert [type(outcome) for outcome in outcomes] == [Failure, Record]


def test_no_process_is_left_when_the_loop_is_left(
    light: tuple[Job, ...], mutag: gr.Dataset, tmp_path: Path
) -> None:
    with closing(run_local(light, {"MUTAG": mutag}, 2, tmp_path / "shared")) as events:
        started = [next(events), next(events)]
    for event in started:
        assert isinstance(event, Started)
        with pytest.raises(ProcessLookupError):
            os.kill(pid(event), 0)
    assert not (tmp_path / "shared" / "datasets").exists()


def test_a_run_that_ends_before_it_computes_leaves_nothing(
    light: tuple[Job, ...], mutag: gr.Dataset, tmp_path: Path
) -> None:
    with closing(run_local(light, {"MUTAG": mutag}, 1, tmp_path / "shared")) as events:
        next(events)  # its process is still starting
    assert not (tmp_path / "shared").exists()


@copied
def test_a_dataset_that_a_killed_run_left_is_not_used(
    light: tuple[Job, ...], mutag: gr.Dataset, tmp_path: Path
) -> None:
    left = tmp_path / "shared" / "datasets" / "0" / "dataset"
    left.mkdir(parents=True)
    (left / "indptr.npy").write_bytes(b"half an arr")
    with closing(run_local(light[:1], {"MUTAG": mutag}, 1, tmp_path / "shared")) as events:
        assert [type(event) for event in (next(events), next(events))] == [Started, Record]
        assert not left.exists()
    assert not (tmp_path / "shared" / "datasets").exists()


@pytest.fixture
def compared(jobs: tuple[Job, ...]) -> tuple[Job, ...]:
    """Two cells that need the same Gram matrix."""
    card = MethodCard("wl", "wl", {"height": 1}, {})
    return tuple(replace(job, method=card, cell=job.cell._replace(method="wl")) for job in jobs[:2])


def grams(folder: Path) -> list[Path]:
    return sorted(folder.glob("*/*/gram.npy"))


def stopped_after_one(jobs: tuple[Job, ...], mutag: gr.Dataset, folder: Path) -> Path:
    """Where the Gram matrix is that an interrupted run has left."""
    with closing(run_local(jobs, {"MUTAG": mutag}, 1, folder)) as events:
        assert isinstance(next(event for event in events if not isinstance(event, Started)), Record)
    (gram,) = grams(folder)
    return gram


@copied
def test_what_an_interrupted_run_has_computed_is_used_and_then_removed(
    compared: tuple[Job, ...], mutag: gr.Dataset, tmp_path: Path
) -> None:
    """Once the matrix that was left says that all graphs are alike, all get one class."""
    folder = tmp_path / "shared"
    gram = stopped_after_one(compared, mutag, folder)
    np.save(gram, np.ones((188, 188)))
    with closing(run_local(compared[1:], {"MUTAG": mutag}, 1, folder)) as events:
        _, record = next(events), next(events)
        assert grams(folder) == [gram]
        assert list(events) == []
    assert isinstance(record, Record)
    assert len(set(record.test.predicted.tolist())) == 1
    assert not folder.exists()


@copied
def test_half_a_matrix_of_a_killed_run_is_not_used(
    compared: tuple[Job, ...], mutag: gr.Dataset, tmp_path: Path
) -> None:
    """Such a folder has not got its name yet."""
    folder = tmp_path / "shared"
    place = stopped_after_one(compared, mutag, folder).parent
    half = place.rename(place.with_name(f".{place.name}-1"))
    (half / "gram.npy").write_bytes(b"half an arr")
    with closing(run_local(compared[1:], {"MUTAG": mutag}, 1, folder)) as events:
        assert [type(event) for event in (next(events), next(events))] == [Started, Record]
        assert grams(folder) == [place / "gram.npy"]
        assert not half.exists()


@copied
def test_other_graphs_have_arrays_of_their_own(
    compared: tuple[Job, ...], mutag: gr.Dataset, tmp_path: Path
) -> None:
    """Also where only edge labels differ, which the fingerprint does not see."""
    folder = tmp_path / "shared"
    stopped_after_one(compared, mutag, folder)
    assert mutag.edge_labels is not None
    other = replace(mutag, edge_labels=np.zeros_like(mutag.edge_labels))
    assert other.fingerprint == mutag.fingerprint
    with closing(run_local(compared[1:], {"MUTAG": other}, 1, folder)) as events:
        assert [type(event) for event in (next(events), next(events))] == [Started, Record]
        assert len(grams(folder)) == 2


def test_processes_start_with_the_variables_of_a_run(
    jobs: tuple[Job, ...], mutag: gr.Dataset, tmp_path: Path
) -> None:
    given = jobs[-1:], {"MUTAG": mutag}, 1, tmp_path / "shared"
    events = run_local(*given, variables=VARIABLES)
    (record,) = [event for event in events if isinstance(event, Record)]
    assert record.versions["processor"] == PORTABLE
    assert "MKL_CBWR" not in os.environ


def test_every_library_gets_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(THREADS[0], "8")
    monkeypatch.delenv(THREADS[1], raising=False)
    with one_thread():
        assert {os.environ[name] for name in THREADS} == {"1"}
    assert os.environ[THREADS[0]] == "8"
    assert THREADS[1] not in os.environ


def test_ctrl_c_reaches_no_process_that_starts_meanwhile() -> None:
    """It comes to us afterwards instead, even if another thread could take it at once."""
    ask = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"
    end, arrived_late = threading.Event(), False
    other = threading.Thread(target=end.wait)
    other.start()
    heard = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), no_interrupts():  # noqa: PT012
            assert subprocess.check_output([sys.executable, "-c", ask]) == b"True\n"
            os.kill(os.getpid(), signal.SIGINT)
            arrived_late = end.wait(0.1) is False
    finally:
        signal.signal(signal.SIGINT, heard)
        end.set()
        other.join()
    assert arrived_late


def test_at_the_deadline_cells_are_given_up_and_processes_end(
    light: tuple[Job, ...], mutag: gr.Dataset, tmp_path: Path
) -> None:
    """The time is over before a process could have answered."""
    folder, before = tmp_path / "shared", multiprocessing.active_children()
    deadline = time.perf_counter() + 0.2
    events = list(run_local(light, {"MUTAG": mutag}, 2, folder, deadline, keep=True))
    assert all(isinstance(event, Started) for event in events)
    assert time.perf_counter() >= deadline
    assert not [p for p in multiprocessing.active_children() if p not in before]


@copied
def test_what_was_computed_is_kept_for_the_next_run_where_that_is_wanted(
    jobs: tuple[Job, ...], mutag: gr.Dataset, expected: list[Record], tmp_path: Path
) -> None:
    folder = tmp_path / "shared"
    first = list(run_local(jobs[:1], {"MUTAG": mutag}, 1, folder, keep=True))
    assert [path.name for path in folder.rglob("*.npy")] or list(folder.iterdir())
    rest = list(run_local(jobs[1:2], {"MUTAG": mutag}, 1, folder))
    done = {job.cell for job in jobs[:2]}
    assert records([*first, *rest]) == [record for record in expected if record.cell in done]
    assert not folder.exists()
