"""Accuracy by radius: PGC-DGCNN with fixed settings on five datasets.

Ten stratified folds a seed: one for testing, the next for early stopping, eight for training.
``python experiments/first_look.py`` appends one line a fit to results/first_look.csv and leaves out
what is there already, so that it can be stopped at any time; ``--table`` prints the means.
"""

from __future__ import annotations

import argparse
import csv
import warnings
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.model_selection import StratifiedKFold

import graphrings as gr
from graphrings.errors import DatasetNote, UnseenLabelWarning

DATASETS = ("MUTAG", "PTC", "PROTEINS", "IMDB-BINARY", "IMDB-MULTI")
RADII = (0, 1, 2, 3)
N_SEEDS, N_FOLDS = 3, 10
STORE = Path(__file__).parent.parent / "results" / "first_look.csv"
FIELDS = ("dataset", "radius", "seed", "fold", "epochs", "validation", "test")


class Cell(NamedTuple):
    """One fit."""

    dataset: str
    radius: int
    seed: int
    fold: int


def run(cell: Cell) -> dict[str, object]:
    """Train on eight folds, stop by the ninth, test on the tenth."""
    warnings.simplefilter("ignore", DatasetNote)
    warnings.simplefilter("ignore", UnseenLabelWarning)
    dataset = gr.load(cell.dataset)
    splits = StratifiedKFold(N_FOLDS, shuffle=True, random_state=cell.seed)
    folds = [test for _, test in splits.split(dataset.targets, dataset.targets)]
    test, checked = folds[cell.fold], folds[(cell.fold + 1) % N_FOLDS]
    training = np.setdiff1d(np.arange(len(dataset)), np.concatenate([test, checked]))
    classifier = gr.PGCClassifier(radius=cell.radius, random_state=cell.seed)
    classifier.fit(dataset[training], validation=dataset[checked])
    best = classifier.history_.epochs[classifier.history_.best]
    return {
        **cell._asdict(),
        "epochs": len(classifier.history_.epochs),
        "validation": round(best.validation_accuracy, 6),
        "test": round(classifier.score(dataset[test]), 6),
    }


def stored() -> list[dict[str, str]]:
    """The fits that are done."""
    if not STORE.exists():
        return []
    with STORE.open(newline="") as file:
        return [row for row in csv.DictReader(file) if row["test"]]


def run_missing(jobs: int) -> None:
    """Run what the store does not hold yet."""
    done = {Cell(r["dataset"], int(r["radius"]), int(r["seed"]), int(r["fold"])) for r in stored()}
    every = product(DATASETS, range(N_SEEDS), range(N_FOLDS), RADII)
    cells = [Cell(name, radius, seed, fold) for name, seed, fold, radius in every]
    missing = [cell for cell in cells if cell not in done]
    STORE.parent.mkdir(exist_ok=True)
    new = not STORE.exists()
    with STORE.open("a", newline="") as file, ProcessPoolExecutor(jobs) as pool:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        if new:
            writer.writeheader()
        for i, future in enumerate(as_completed([pool.submit(run, cell) for cell in missing])):
            writer.writerow(future.result())
            file.flush()
            print(f"\r{len(done) + i + 1} of {len(cells)}", end="", flush=True)
    print()


def print_table() -> None:
    """Mean test accuracy and its deviation over the seeds' means."""
    rows = stored()
    print("| | " + " | ".join(f"r = {radius}" for radius in RADII) + " |")
    print("|---|" + "---:|" * len(RADII))
    for name in DATASETS:
        cells = []
        for radius in RADII:
            means = [
                np.mean([float(r["test"]) for r in chosen])
                for seed in range(N_SEEDS)
                if (
                    chosen := [
                        r
                        for r in rows
                        if (r["dataset"], r["radius"], r["seed"]) == (name, str(radius), str(seed))
                    ]
                )
            ]
            cells.append(
                f"{100 * np.mean(means):.1f} ± {100 * np.std(means):.1f}" if means else "-"
            )
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=2, help="fits at once")
    parser.add_argument("--table", action="store_true", help="only print what is stored")
    arguments = parser.parse_args()
    if not arguments.table:
        run_missing(arguments.jobs)
    print_table()
