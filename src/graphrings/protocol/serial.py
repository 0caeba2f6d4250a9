"""Cells in this process, one after the other: no process has to be started for them."""

from __future__ import annotations

from collections.abc import Generator, Mapping, MutableMapping, Sequence
from time import perf_counter

from graphrings.graphs.array_cache import ArrayCache
from graphrings.graphs.dataset import Dataset
from graphrings.protocol.jobs import Event, Job, Started
from graphrings.protocol.nested import attempt
from graphrings.threads import one_thread


def run_serial(
    jobs: Sequence[Job],
    datasets: Mapping[str, Dataset],
    deadline: float | None = None,
    caches: MutableMapping[str, ArrayCache] | None = None,
) -> Generator[Event, None, None]:
    """Run jobs; none is begun after the ``deadline``, a time of ``perf_counter``.

    ``caches`` keep what is computed of every dataset for another call.
    """
    caches = {} if caches is None else caches
    for job in jobs:
        if deadline is not None and perf_counter() >= deadline:
            return
        yield Started(job.cell, "this process")
        name = job.cell.dataset
        cache = caches.setdefault(name, ArrayCache())
        with one_thread():
            outcome = attempt(job, datasets[name], cache)
        yield outcome
