"""What a fit of every method costs on some datasets, in seconds of one processor.

``python -m benchmarks.cell_costs MUTAG NCI1`` from the project's root prints lines of
``src/graphrings/protocol/reference_costs.csv``, from which ``graphrings run --dry-run`` tells how
long methods take that have no finished cells. A dataset takes a minute or some. ``python -m
benchmarks.cell_costs results/tables/*.jsonl.gz`` prints the whole file with the mean best epoch of
all trainings that exports hold.
"""

from __future__ import annotations

import csv
import gzip
import json
import sys
import warnings
from collections import defaultdict
from dataclasses import astuple
from pathlib import Path
from statistics import fmean

import graphrings as gr
from graphrings.methods import METHODS
from graphrings.protocol.experiment import grid_points
from graphrings.protocol.prepare import Folds
from graphrings.protocol.reference_costs import COLUMNS, REFERENCE, mean_cost
from graphrings.protocol.sampling import Sample
from graphrings.protocol.trial_costs import Trial
from graphrings.tasks import CLASSIFICATION

SECONDS = 5.0  # to measure one setting for
COMMITTEE = "committee"  # costs what its members cost


def main(names: list[str], methods: list[str]) -> None:
    """Print the lines of some datasets."""
    writer = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
    for name in names:
        dataset = gr.load(name)
        experiment = gr.experiment(name, dict.fromkeys(methods))
        sample = Sample(dataset, Folds(experiment, name, dataset).of(0)[0], CLASSIFICATION)
        known, everything = sample.n_known_nodes, sample.n_all_nodes
        for card in experiment.methods:
            points = grid_points(card)
            trial = Trial(card, points[0], None, CLASSIFICATION, sample)
            ends = points[:1] if len(points) == 1 else [points[0], points[-1]]
            costs = [trial.growth(point, SECONDS).at(known, everything) for point in ends]
            values = (card.name, name, len(dataset), everything, dataset.n_edges)
            seconds = [f"{value:.3g}" for value in astuple(mean_cost(costs))]
            row = (*values, *seconds, " ".join(trial.own_settings()), "")
            writer.writerow(dict(zip(COLUMNS, row, strict=True)))
            sys.stdout.flush()


def best_epochs(exports: list[Path]) -> dict[tuple[str, str], float]:
    """The mean best epoch of all trainings of a method on a dataset, by its registered grid."""
    seen = defaultdict(list)
    for export in exports:
        with gzip.open(export, "rt", encoding="utf-8") as lines:
            for line in map(json.loads, lines):
                for trial in line.get("trials", ()):
                    if trial.get("best_epoch") is not None:
                        seen[line["method"], line["dataset"]].append(trial["best_epoch"])
    return {key: fmean(epochs) for key, epochs in seen.items()}


def with_best_epochs(exports: list[Path]) -> None:
    """Print the file of all timings, with what exports know of epochs."""
    writer = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
    writer.writeheader()
    known = best_epochs(exports)
    with REFERENCE.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            best = known.get((row["method"], row["dataset"]))
            writer.writerow({**row, **({} if best is None else {"best_epoch": f"{best:.3g}"})})


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if sys.argv[1:] and sys.argv[1].endswith(".gz"):
        with_best_epochs(list(map(Path, sys.argv[1:])))
        sys.exit()
    known = [name for name in METHODS if name != COMMITTEE]
    main(
        [a for a in sys.argv[1:] if a not in known],
        [a for a in sys.argv[1:] if a in known] or known,
    )
