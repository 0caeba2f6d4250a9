"""What a fit of every method costs on some datasets, in seconds of one processor.

``python -m benchmarks.cell_costs MUTAG NCI1`` from the project's root prints lines of
``src/graphrings/protocol/reference_costs.csv``, from which ``graphrings run --dry-run`` tells how
long methods take that have no finished cells. A dataset takes a minute or some.
"""

from __future__ import annotations

import csv
import sys
import warnings
from dataclasses import astuple

import graphrings as gr
from graphrings.methods import METHODS
from graphrings.protocol.experiment import grid_points
from graphrings.protocol.prepare import Folds
from graphrings.protocol.reference_costs import COLUMNS, mean_cost
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
            row = (*values, *seconds, " ".join(trial.own_settings()))
            writer.writerow(dict(zip(COLUMNS, row, strict=True)))
            sys.stdout.flush()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    known = [name for name in METHODS if name != COMMITTEE]
    main(
        [a for a in sys.argv[1:] if a not in known],
        [a for a in sys.argv[1:] if a in known] or known,
    )
