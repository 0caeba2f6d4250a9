from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

import graphrings as gr
from graphrings.errors import StoreError
from graphrings.protocol.experiment import Experiment
from graphrings.protocol.jobs import Event, Job, Started
from graphrings.protocol.run import missing_cells, n_missing, prepare_missing, run
from graphrings.results.record import Failure, Record
from graphrings.results.store import Store


class Scripted:
    """An executor that answers with what is known, and remembers that it was ended."""

    def __init__(self, known: Sequence[Record], failing: int = 0) -> None:
        self.known, self.failing = {record.cell: record for record in known}, failing
        self.ended = False

    def __call__(self, jobs: Sequence[Job], datasets: Mapping[str, gr.Dataset]) -> Iterator[Event]:
        """Let the first some cells fail."""
        assert set(datasets) == {"MUTAG"}
        try:
            for number, job in enumerate(jobs):
                yield Started(job.cell, "nobody")
                failed = Failure(job.cell, "too hard", 1.0, "")
                yield failed if number < self.failing else self.known[job.cell]
        finally:
            self.ended = True


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.write(tmp_path / "r.db") as opened:
        yield opened


def test_what_is_run_is_kept(tiny: Experiment, store: Store, expected: list[Record]) -> None:
    assert missing_cells(tiny, None) == missing_cells(tiny, store) == list(tiny.cells())
    list(run(prepare_missing(tiny, store), store, Scripted(expected)))
    assert store.records("tiny") == expected
    assert missing_cells(tiny, store) == store.running("tiny") == []
    assert prepare_missing(tiny, store).jobs == ()


def test_every_outcome_is_stored_before_it_is_told(
    tiny: Experiment, store: Store, expected: list[Record]
) -> None:
    for event in run(prepare_missing(tiny, store), store, Scripted(expected, failing=1)):
        if isinstance(event, Record):
            assert event.cell in store.finished("tiny")
        elif isinstance(event, Failure):
            assert [failure.cell for failure in store.failures("tiny")] == [event.cell]
        else:
            assert [cell for cell, *_ in store.running("tiny")] == [event.cell]


def test_failed_cells_are_left_alone_until_they_are_asked_for(
    tiny: Experiment, store: Store, expected: list[Record]
) -> None:
    list(run(prepare_missing(tiny, store), store, Scripted(expected, failing=2)))
    assert missing_cells(tiny, store) == []
    again = prepare_missing(tiny, store, retry_failed=True)
    assert [job.cell for job in again.jobs] == list(tiny.cells())[:2]
    list(run(again, store, Scripted(expected)))
    assert (store.records("tiny"), store.failures("tiny")) == (expected, [])


def test_who_leaves_the_loop_ends_the_workers(
    tiny: Experiment, store: Store, expected: list[Record]
) -> None:
    workers = Scripted(expected)
    with closing(run(prepare_missing(tiny, store), store, workers)) as events:
        next(events)
    assert workers.ended
    assert len(missing_cells(tiny, store)) == 12


def test_a_store_that_refuses_ends_the_workers(
    tiny: Experiment, store: Store, expected: list[Record]
) -> None:
    workers = Scripted([replace(record, fingerprint=None) for record in expected])  # type: ignore[arg-type]
    with pytest.raises(StoreError):
        list(run(prepare_missing(tiny, store), store, workers))
    assert workers.ended


def test_more_of_the_same_may_be_added(
    tiny: Experiment, store: Store, expected: list[Record]
) -> None:
    part = tiny.chosen(methods=["baseline-labels"], repetitions=[1])
    list(run(prepare_missing(part, store), store, Scripted(expected)))
    assert len(store.finished("tiny")) == 3
    list(run(prepare_missing(tiny, store), store, Scripted(expected)))
    assert store.records("tiny") == expected


def test_another_seed_is_refused_before_anything_is_run(tiny: Experiment, store: Store) -> None:
    prepare_missing(tiny, store)
    with pytest.raises(StoreError, match="seed"):
        prepare_missing(replace(tiny, seed=1), store)


def test_cells_that_are_missing_are_counted_as_they_are_listed(
    tiny: Experiment, store: Store, expected: list[Record]
) -> None:
    """Also where a store holds folds that nobody asks for."""
    list(run(prepare_missing(tiny.chosen(folds=[1, 2]), store), store, Scripted(expected)))
    for part in (tiny, tiny.chosen(folds=[2, 3]), tiny.chosen(folds=[1], repetitions=[1])):
        listed = Counter((cell.dataset, cell.method) for cell in missing_cells(part, store))
        assert +n_missing(part, store) == listed
