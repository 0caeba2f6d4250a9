"""Support vector machines on a Gram matrix: ours against libsvm's in scikit-learn.

One machine for every C of the protocol's grid, 1e-3 to 1e3, on all graphs of a dataset, CPU time of
one thread. The solutions are compared bit by bit.

    python -m benchmarks.machines wl nspdk --dataset NCI1 --dataset COLLAB
"""

from __future__ import annotations

from functools import partial

import click
import numpy as np
from numpy.typing import NDArray
from sklearn.svm import SVC

import graphrings as gr
from benchmarks.processor import print_processor
from benchmarks.turns import milliseconds
from graphrings.kernels.names import build
from graphrings.learning.support_vectors import by_class, separate

GRID = [10.0**power for power in range(-3, 4)]
Reals = NDArray[np.float64]
Numbers = NDArray[np.int64]


def ours(gram: Reals, goals: Numbers) -> list[Reals]:
    """As ``gr.KernelClassifier`` does."""
    classes = by_class(goals, np.arange(len(goals)))
    return [separate(gram, classes, np.full(len(goals), c)).dual_coef for c in GRID]


def libsvm(gram: Reals, goals: Numbers) -> list[Reals]:
    """As scikit-learn does."""
    return [SVC(kernel="precomputed", C=c).fit(gram, goals).dual_coef_ for c in GRID]


@click.command()
@click.argument("kernels", nargs=-1, required=True)
@click.option("--dataset", "datasets", multiple=True, default=["MUTAG"], show_default=True)
@click.option("--rounds", default=3, show_default=True)
def main(kernels: tuple[str, ...], datasets: tuple[str, ...], rounds: int) -> None:
    """Print a table: milliseconds of both sides for the whole grid, and theirs divided by ours."""
    print_processor()
    print("| | | ours | libsvm | libsvm / ours | same bits |")
    print("|---|---|---:|---:|---:|---|")
    for name in datasets:
        dataset = gr.load(name)
        goals = np.asarray(dataset.targets, dtype=np.int64)
        for kernel in kernels:
            gram = build(kernel, normalize=True).fit_transform(dataset)
            same = all(map(np.array_equal, ours(gram, goals), libsvm(gram, goals)))
            sides = {"ours": partial(ours, gram, goals), "libsvm": partial(libsvm, gram, goals)}
            times = milliseconds(sides, rounds, warm_up=0)
            figures = f"{times['ours']:,.0f} | {times['libsvm']:,.0f}"
            ratio = times["libsvm"] / times["ours"]
            print(f"| {name} | `{kernel}` | {figures} | {ratio:.1f} | {same} |", flush=True)


if __name__ == "__main__":
    main()
