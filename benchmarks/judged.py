"""Kernels judged on folds that no table tests, to see whether a new one is worth a row.

Folds are drawn with a seed of their own. Of every draw one fold is left out altogether, as a test
fold would be; the next one chooses among the settings, the one after it judges the choice, and the
others train. So nothing here looks at a test fold.

    python -m benchmarks.judged MUTAG PTC --kernel ring-profile --kernel wl-oa
"""

from __future__ import annotations

from itertools import product

import click
import numpy as np
from numpy.typing import NDArray
from sklearn.svm import SVC

import graphrings as gr
from graphrings.kernels.names import KERNELS, build
from graphrings.methods import METHODS
from graphrings.protocol.folds import splits

SEED, N_FOLDS = 2, 10


def judged(dataset: gr.Dataset, kernel: str) -> tuple[float, float]:
    """Percent of right classes over the judging folds, and the standard error of that mean."""
    classes = np.asarray(dataset.targets)
    folds = [split.test for split in splits(dataset, "stratified", N_FOLDS, seed=SEED)]
    grid = dict(METHODS[kernel].grid)
    penalties = grid.pop("C")
    best = np.full((N_FOLDS, 2), -1.0)  # on the choosing fold, and of the same on the judging one
    for values in product(*grid.values()):
        settings = dict(zip(grid, values, strict=True))
        gram = build(kernel, normalize=True, **settings).fit_transform(dataset)
        for fold, penalty in product(range(N_FOLDS), penalties):
            tried = shares(gram, classes, folds, fold, penalty)
            if tried[0] > best[fold, 0]:
                best[fold] = tried
    of_judges = 100 * best[:, 1]
    return float(of_judges.mean()), float(of_judges.std(ddof=1) / N_FOLDS**0.5)


def shares(
    gram: NDArray[np.float64],
    classes: NDArray[np.int64],
    folds: list[NDArray[np.int64]],
    fold: int,
    penalty: float,
) -> tuple[float, float]:
    """The share of right classes in the two folds after the one that is left out."""
    _, choosing, judging, *others = (folds[(fold + step) % N_FOLDS] for step in range(N_FOLDS))
    training = np.concatenate(others)
    machine = SVC(kernel="precomputed", C=penalty)
    machine.fit(gram[np.ix_(training, training)], classes[training])
    one, other = (
        float(np.mean(machine.predict(gram[np.ix_(part, training)]) == classes[part]))
        for part in (choosing, judging)
    )
    return one, other


@click.command()
@click.argument("datasets", nargs=-1, required=True)
@click.option("--kernel", "kernels", multiple=True, type=click.Choice(list(KERNELS)))
def main(datasets: tuple[str, ...], kernels: tuple[str, ...]) -> None:
    """Print a table: datasets by kernels, accuracy in percent with its standard error."""
    kernels = kernels or ("ring-profile", "wl-oa", "wl")
    print("| | " + " | ".join(kernels) + " |")
    print("|---|" + "---:|" * len(kernels))
    for name in datasets:
        dataset = gr.load(name)
        entries = ("{:.1f} ± {:.1f}".format(*judged(dataset, kernel)) for kernel in kernels)
        print(f"| {name} | " + " | ".join(entries) + " |", flush=True)


if __name__ == "__main__":
    main()
