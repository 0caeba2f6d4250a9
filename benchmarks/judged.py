"""Rows of an experiment judged on folds that no table tests, to decide what is worth a row.

Folds are drawn with a seed of their own. Of every draw one fold is left out altogether, as a test
fold would be; the next one chooses among the settings, the one after it judges the choice, and the
others train. So nothing here looks at a test fold.

    python -m benchmarks.judged table2 MUTAG PTC --method ring-profile --method wl-oa
"""

from __future__ import annotations

import click
import numpy as np

import graphrings as gr
from graphrings.graphs.array_cache import ArrayCache
from graphrings.protocol.experiment import Experiment, read_experiment
from graphrings.protocol.folds import Split, splits
from graphrings.protocol.jobs import Job
from graphrings.protocol.nested import run_cell
from graphrings.protocol.shipped import experiment_path
from graphrings.results.record import Cell, MethodCard

SEED, N_FOLDS = 2, 10


def judging_splits(dataset: gr.Dataset) -> list[Split]:
    """Seven folds to train on, one that chooses and one that judges, ten times."""
    folds = [split.test for split in splits(dataset, "stratified", N_FOLDS, seed=SEED)]
    turned = ([folds[(k + step) % N_FOLDS] for step in range(N_FOLDS)] for k in range(N_FOLDS))
    return [
        Split(np.sort(np.concatenate(others)), choosing, judging)
        for _, choosing, judging, *others in turned
    ]


def judged(
    experiment: Experiment, row: MethodCard, dataset: gr.Dataset, cache: ArrayCache, n_folds: int
) -> tuple[float, float]:
    """Percent of right classes over the judging folds, and the standard error of that mean."""
    shares = []
    for fold, split in enumerate(judging_splits(dataset)[:n_folds]):
        cell = Cell(dataset.name, row.name, 0, fold)
        job = Job(cell, row, split, SEED, experiment.task, experiment.home)
        shares.append(100 * run_cell(job, dataset, cache).scores["accuracy"])
    return float(np.mean(shares)), float(np.std(shares, ddof=1) / n_folds**0.5)


@click.command()
@click.argument("experiment")
@click.argument("datasets", nargs=-1, required=True)
@click.option("--method", "rows", multiple=True, help="Only this row; may be repeated.")
@click.option("--folds", "n_folds", default=N_FOLDS, type=click.IntRange(2, N_FOLDS))
def main(experiment: str, datasets: tuple[str, ...], rows: tuple[str, ...], n_folds: int) -> None:
    """Print a table: datasets by rows, accuracy in percent with its standard error."""
    read = read_experiment(experiment_path(experiment))
    read = read.chosen(methods=rows or None)
    print("| | " + " | ".join(row.name for row in read.methods) + " |")
    print("|---|" + "---:|" * len(read.methods))
    for name in datasets:
        dataset, cache = gr.load(name), ArrayCache()
        entries = (judged(read, row, dataset, cache, n_folds) for row in read.methods)
        print(
            f"| {name} | " + " | ".join("{:.1f} ± {:.1f}".format(*e) for e in entries) + " |",
            flush=True,
        )


if __name__ == "__main__":
    main()
