"""What a Dask worker holds while a run lasts, and what it does with a job."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from distributed import WorkerPlugin, get_worker

import graphrings
from graphrings.errors import ClusterError
from graphrings.graphs.array_cache import ArrayCache
from graphrings.graphs.dataset import Dataset
from graphrings.protocol.jobs import Job
from graphrings.protocol.nested import attempt
from graphrings.results.record import Failure, Record
from graphrings.threads import one_thread

_one_at_a_time = threading.Lock()  # torch's random numbers belong to the whole process


class Data(WorkerPlugin):
    """The datasets of a run: sent once to every worker, also to those that join later."""

    def __init__(self, name: str, datasets: Mapping[str, Dataset]) -> None:
        self.name, self.datasets = name, datasets
        self.caches = {dataset: ArrayCache() for dataset in datasets}


def work(job: Job, name: str, version: str) -> Record | Failure:
    """Run a job on the datasets of that name."""
    worker = get_worker()
    if graphrings.__version__ != version:
        raise ClusterError(f"{worker.address}: graphrings {graphrings.__version__}, not {version}")
    data = worker.plugins[name]
    assert isinstance(data, Data)
    dataset = job.cell.dataset
    with _one_at_a_time, one_thread():
        return attempt(job, data.datasets[dataset], data.caches[dataset])
