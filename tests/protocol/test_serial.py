from time import perf_counter

import pytest

import graphrings as gr
from graphrings.graphs.array_cache import ArrayCache
from graphrings.protocol.jobs import Job, Started
from graphrings.protocol.serial import run_serial
from graphrings.results.record import Record
from records import records


@pytest.mark.slow
def test_cells_in_this_process_are_those_of_any_other(
    jobs: tuple[Job, ...], mutag: gr.Dataset, expected: list[Record]
) -> None:
    assert records(run_serial(jobs, {"MUTAG": mutag})) == expected


def test_no_cell_begins_after_the_deadline(jobs: tuple[Job, ...], mutag: gr.Dataset) -> None:
    assert list(run_serial(jobs, {"MUTAG": mutag}, perf_counter())) == []
    events = run_serial(jobs, {"MUTAG": mutag}, perf_counter() + 60)
    assert isinstance(next(events), Started)


def test_what_is_computed_is_kept_for_another_call(
    jobs: tuple[Job, ...], mutag: gr.Dataset
) -> None:
    caches: dict[str, ArrayCache] = {}
    list(run_serial(jobs[:1], {"MUTAG": mutag}, caches=caches))
    assert list(caches) == ["MUTAG"]
