"""What the protocol costs: ``make bench``.

A small experiment on MUTAG through ``run`` and a store. First with one and with two local workers,
then (``--dask``) with one, two and four workers of a Dask cluster on this machine, by the clock and
after they have started: cells a minute, and the ratio to one worker. Then what a cell takes beside
the fits in it: folds, the test, the way to a worker and back, the store.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.processor import print_processor
from graphrings.protocol.cluster import run_cluster
from graphrings.protocol.experiment import Experiment, read_experiment
from graphrings.protocol.jobs import Executor, Started
from graphrings.protocol.local import run_local
from graphrings.protocol.run import prepare_missing, run
from graphrings.results.record import Record
from graphrings.results.store import Store

LOCAL = "local"
EXPERIMENT = """
n_folds = 10
repetitions = 10
datasets = ["MUTAG"]

[methods.pgc-dgcnn]
settings = { max_epochs = 30, patience = 30 }
grid = { radius = [1, 2] }
"""


@dataclass(frozen=True)
class Timed:
    """A run: when its workers were ready, then cells, seconds by the clock, and seconds of fits."""

    start_up: float
    n_cells: int
    seconds: float
    fits: float

    @property
    def cells_a_minute(self) -> float:
        """How fast it goes once the workers are there."""
        return 60 * self.n_cells / self.seconds


def timed_run(experiment: Experiment, kind: str, n_workers: int, folder: Path) -> Timed:
    """Run all cells; the clock starts when two for every worker have begun."""
    begin = perf_counter()
    start, n_begun, n_cells, fits = None, 0, 0, 0.0
    execute: Executor = partial(run_cluster, address="local", n_workers=n_workers)
    if kind == LOCAL:
        execute = partial(run_local, n_workers=n_workers, folder=folder / f"shared-{n_workers}")
    with Store.write(folder / f"{kind}-{n_workers}.db") as store:
        for event in run(prepare_missing(experiment, store), store, execute):
            if isinstance(event, Started):
                n_begun += 1
                if start is None and n_begun == 2 * n_workers:
                    start = perf_counter()
            elif isinstance(event, Record) and start is not None:
                n_cells += 1
                fits += sum(trial.seconds for trial in event.trials)
    assert start is not None, "too few cells for so many workers"
    return Timed(start - begin, n_cells, perf_counter() - start, fits)


def main() -> None:
    """Print the table, and what a cell takes beside its fits."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=3, help="of ten cells each")
    parser.add_argument("--dask", action="store_true", help="also on a cluster of this machine")
    given = parser.parse_args()
    kinds = {LOCAL: (1, 2), **({"Dask": (1, 2, 4)} if given.dask else {})}
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "bench.toml").write_text(EXPERIMENT)
        experiment = read_experiment(folder / "bench.toml")
        experiment = experiment.chosen(repetitions=range(1, given.repetitions + 1))
        runs = {
            (kind, n_workers): timed_run(experiment, kind, n_workers, folder)
            for kind, numbers in kinds.items()
            for n_workers in numbers
        }
    print_processor()
    print("Cells of MUTAG: PGC-DGCNN, radius 1 and 2, 30 epochs each")
    print("| workers | start-up, s | cells a minute | times one worker |")
    print("|---|---:|---:|---:|")
    for (kind, n_workers), timed in runs.items():
        ratio = timed.cells_a_minute / runs[kind, 1].cells_a_minute
        words = f"{timed.start_up:.1f} | {timed.cells_a_minute:.1f} | {ratio:.2f}"
        print(f"| {n_workers}, {kind} | {words} |")
    one = runs[LOCAL, 1]
    beside = one.seconds - one.fits
    print(
        f"a cell takes {one.seconds / one.n_cells:.2f} s, beside its fits "
        f"{1000 * beside / one.n_cells:.0f} ms ({100 * beside / one.seconds:.1f} %)"
    )


if __name__ == "__main__":  # Dask's workers import this file
    main()
