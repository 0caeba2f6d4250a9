"""``fit_best``: graphs in, a model and an honest score out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from graphrings.durations import seconds_of
from graphrings.fit.estimate import Clock, Estimation, Launch
from graphrings.fit.findings import findings
from graphrings.fit.judgement import Judgement, judge
from graphrings.fit.plan import RANDOM, Wanted, plan
from graphrings.fit.result import FitResult, finish
from graphrings.graphs.adapters.anything import as_dataset
from graphrings.graphs.array_cache import ArrayCache
from graphrings.protocol.local import end_if_started_again, run_local
from graphrings.protocol.serial import run_serial
from graphrings.results.setting_curves import CurveSums
from graphrings.results.store import Store


def fit_best(
    graphs: Any,
    y: Any = None,
    *,
    task: str | None = None,
    folds: str = RANDOM,
    n_folds: int | None = None,
    repetitions: int = 1,
    methods: str | Sequence[str] | None = None,
    score: str | None = None,
    budget: float | str | None = None,
    store: str | Path | None = None,
    n_jobs: int = 1,
    cluster: str | None = None,
    settings: Mapping[str, Any] | None = None,
    random_state: int = 0,
) -> FitResult:
    """Choose a method for graphs, estimate how good the choice is, and fit it on all of them.

    The estimate is a nested cross-validation of the whole procedure: in every fold the best method
    on the validation fold is tested once.

    Args:
        graphs: a Dataset, or whatever an estimator takes, such as networkx graphs.
        y: the targets, where the graphs do not bring them.
        task: ``classification`` or ``regression``, where the targets do not say it.
        folds: ``random``, ``grouped`` (twins stay together), or another kind of the protocol.
        n_folds: by default 10, and 5 for more than 5,000 graphs.
        repetitions: of the whole cross-validation, with other folds.
        methods: names to choose among; by default the short list. The baseline is always run.
        score: what to choose by and to report; by default what suits the targets.
        budget: a time in seconds, or such as ``"10m"``; between two cells the clock is looked at.
        store: a file that keeps every cell, so that the same call goes on where it ended.
        n_jobs: processes; 1 computes in this one.
        cluster: the address of a Dask scheduler to run on instead, or ``local`` to start one.
        settings: of every method that has them, instead of being tried or left at their defaults.
        random_state: the seed of everything.

    """
    end_if_started_again()
    start = perf_counter()
    dataset = as_dataset(graphs, y)
    names = (methods,) if isinstance(methods, str) else methods
    wanted = Wanted(
        task=task,
        folds=folds,
        n_folds=n_folds,
        repetitions=repetitions,
        methods=None if names is None else tuple(names),
        score=score,
        settings=dict(settings or {}),
        seed=random_state,
    )
    clock = None if budget is None else Clock(start, seconds_of(budget))
    decided = plan(dataset, wanted)
    found = findings(decided)
    jobs = None if n_jobs == 1 else n_jobs
    with opened(store) as held, launcher(held.path, jobs, cluster) as launch:
        estimation = Estimation(decided, held, launch, n_jobs, clock)
        for _ in estimation.events():
            pass
        judgement = judged(estimation, held)
    return finish(judgement, found)


def judged(estimation: Estimation, store: Store) -> Judgement:
    """What the store holds of an estimation, judged."""
    name = estimation.plan.name
    sums = CurveSums()
    judgement = judge(
        estimation.plan,
        estimation.prepared.card,
        sums.take(store.each_record(name)),
        store.failures(name),
        estimation.left_out,
    )
    return replace(judgement, curves=sums.curves)


@contextmanager
def opened(path: str | Path | None) -> Iterator[Store]:
    """A store to write to; without a path one that is gone afterwards."""
    with ExitStack() as stack:
        if path is None:
            path = Path(stack.enter_context(TemporaryDirectory(prefix="graphrings-"))) / "fit.db"
        yield stack.enter_context(Store.write(path))


@contextmanager
def launcher(
    store: Path,
    n_jobs: int | None,
    cluster: str | None = None,
    cell_timeout: float | None = None,
) -> Iterator[Launch]:
    """Executors that share what they compute: in others, in this process (None), or on a cluster.

    What the others share lies beside the store, and is left there if an error ends the work. Only
    another process can give up a cell that takes longer than ``cell_timeout`` seconds.
    """
    if cluster is not None:
        from graphrings.protocol.cluster import run_cluster

        yield lambda deadline: partial(
            run_cluster,
            address=cluster,
            n_workers=n_jobs or 1,
            deadline=deadline,
            cell_timeout=cell_timeout,
        )
        return
    if n_jobs is None:
        caches: dict[str, ArrayCache] = {}
        yield lambda deadline: partial(run_serial, deadline=deadline, caches=caches)
        return
    folder = store.with_name(f"{store.name}.shared")
    yield lambda deadline: partial(
        run_local,
        n_workers=n_jobs,
        folder=folder,
        deadline=deadline,
        keep=True,
        cell_timeout=cell_timeout,
    )
    rmtree(folder, ignore_errors=True)
