"""Rows of an experiment judged on folds that no table tests, to decide what is worth a row.

Folds are drawn with a seed of their own. Of every draw one fold is left out altogether, as a test
fold would be; the next one chooses among the settings, the one after it judges the choice, and the
others train. So nothing here looks at a test fold.

    python -m benchmarks.judged forest MUTAG PTC --method ring-forest --method wl-oa
    python -m benchmarks.judged benchmarks/trees.toml
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
from graphrings.protocol.prepare import load_dataset
from graphrings.protocol.shipped import experiment_path
from graphrings.results.record import Cell, MethodCard
from graphrings.tasks import TASKS, Task

SEED, N_FOLDS = 2, 10


def judging_splits(dataset: gr.Dataset, task: Task) -> list[Split]:
    """Seven folds to train on, one that chooses and one that judges, ten times."""
    drawn = splits(dataset, "stratified", N_FOLDS, seed=SEED, task=task)
    folds = [split.test for split in drawn]
    turned = ([folds[(k + step) % N_FOLDS] for step in range(N_FOLDS)] for k in range(N_FOLDS))
    return [
        Split(np.sort(np.concatenate(others)), choosing, judging)
        for _, choosing, judging, *others in turned
    ]


def judged(
    experiment: Experiment, row: MethodCard, dataset: gr.Dataset, cache: ArrayCache, n_folds: int
) -> str:
    """The mean of the task's main score over the judging folds, and its standard error."""
    task, values = TASKS[experiment.task], []
    score, digits = task.main_score, 1 if task.main_score.percent else 2
    for fold, split in enumerate(judging_splits(dataset, task)[:n_folds]):
        cell = Cell(dataset.name, row.name, 0, fold)
        job = Job(cell, row, split, SEED, task.name, experiment.home)
        values.append(score.shown(run_cell(job, dataset, cache).scores[score.name]))
    error = np.std(values, ddof=1) / n_folds**0.5
    return f"{np.mean(values):.{digits}f} ± {error:.{digits}f}"


@click.command()
@click.argument("experiment")
@click.argument("datasets", nargs=-1)
@click.option("--method", "rows", multiple=True, help="Only this row; may be repeated.")
@click.option("--folds", "n_folds", default=N_FOLDS, type=click.IntRange(2, N_FOLDS))
def main(experiment: str, datasets: tuple[str, ...], rows: tuple[str, ...], n_folds: int) -> None:
    """Print a table: datasets of EXPERIMENT, by default all, by rows."""
    read = read_experiment(experiment_path(experiment))
    read = read.chosen(datasets or None, rows or None)
    print("| | " + " | ".join(row.name for row in read.methods) + " |")
    print("|---|" + "---:|" * len(read.methods))
    for name in read.datasets:
        dataset, cache = load_dataset(read, name), ArrayCache()
        entries = (judged(read, row, dataset, cache, n_folds) for row in read.methods)
        print(f"| {name} | " + " | ".join(entries) + " |", flush=True)


if __name__ == "__main__":
    main()
