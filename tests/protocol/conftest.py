from dataclasses import replace
from pathlib import Path

import pytest

import graphrings as gr
from graphrings.graphs.array_cache import ArrayCache
from graphrings.protocol.experiment import Experiment, read_experiment
from graphrings.protocol.jobs import Job
from graphrings.protocol.nested import attempt
from graphrings.protocol.prepare import prepare
from graphrings.results.record import Cell, MethodCard, Record
from records import records

TINY = """
n_folds = 3
repetitions = 2
datasets = ["MUTAG"]

[methods.pgc-dgcnn]
settings = { max_epochs = 2, channels = [4, 1] }
grid = { radius = [0, 1] }

[methods.baseline-labels]
grid = { C = [0.1, 1.0] }
"""


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Experiment:
    """Twelve cells that take a fraction of a second each."""
    path = tmp_path_factory.mktemp("experiments") / "tiny.toml"
    path.write_text(TINY)
    return read_experiment(path)


@pytest.fixture(scope="session")
def mutag() -> gr.Dataset:
    return gr.load("MUTAG")


@pytest.fixture(scope="session")
def jobs(tiny: Experiment) -> tuple[Job, ...]:
    """What the tiny experiment has to do."""
    return prepare(tiny, list(tiny.cells())).jobs


@pytest.fixture(scope="session")
def light(jobs: tuple[Job, ...]) -> tuple[Job, ...]:
    """Those of them whose processes need no torch, which takes two seconds to import."""
    return tuple(job for job in jobs if job.method.method == "baseline-labels")


@pytest.fixture(scope="session")
def expected(jobs: tuple[Job, ...], mutag: gr.Dataset) -> list[Record]:
    """The records of all jobs, one after the other in this process."""
    shared = ArrayCache()
    return records([attempt(job, mutag, shared) for job in jobs])


ENDLESS = """
import time

from sklearn.base import BaseEstimator, ClassifierMixin


class Endless(ClassifierMixin, BaseEstimator):
    def fit(self, graphs, y):
        time.sleep(60)

    def predict(self, graphs):
        return []
"""


@pytest.fixture
def endless(jobs: tuple[Job, ...], tmp_path: Path) -> Job:
    """A job whose fit takes a minute."""
    (tmp_path / "endless_method.py").write_text(ENDLESS)
    card = MethodCard("endless", "endless_method:Endless", {}, {})
    return replace(jobs[0], cell=Cell("MUTAG", "endless", 0, 0), method=card, home=tmp_path)
