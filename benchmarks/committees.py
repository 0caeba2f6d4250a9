"""Who should sit in a committee: rows of a store that are asked together, without another fit.

What every row said of the test graphs is averaged, once with equal weights and once with those that
a committee would choose on the validation fold of each cell, where these are better by more than
2.5 standard errors, or as many as ``--errors`` says. Run it on folds that no table tests:

    graphrings run members --store members.db
    python -m benchmarks.committees members.db "ring-forest, wl-oa" "ring-forest, wl-oa, gin"
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click
import numpy as np
from numpy.typing import NDArray

from graphrings.committees.estimators import LEAST_GRAPHS
from graphrings.committees.weights import (
    CLEARLY,
    SMALLEST,
    averaged,
    equal_weights,
    greedy_weights,
    log_losses,
)
from graphrings.learning.calibration import Calibration, temperature
from graphrings.results.record import Record
from graphrings.results.results import Results
from graphrings.tasks.predictions import Predictions

Reals = NDArray[np.float64]
Rows = Mapping[str, Mapping[tuple[int, int], Record]]  # method -> repetition and fold -> record


def said(predictions: Predictions) -> Reals:
    """What was said of every class, as logarithms up to a constant."""
    if predictions.probabilities is not None:
        return np.log(np.maximum(predictions.probabilities.astype(np.float64), SMALLEST))
    assert predictions.margin is not None, "of more than two classes, rows must say probabilities"
    return np.column_stack([np.zeros(len(predictions)), predictions.margin])


def calibrations(rows: Rows, cells: Sequence[tuple[int, int]]) -> dict[str, Calibration]:
    """One temperature per row, from the validation folds of all cells."""
    return {
        name: temperature(
            np.concatenate([said(records[cell].validation) for cell in cells]),
            np.concatenate([records[cell].validation.truth for cell in cells]).astype(np.int64),
            "validation",
        )
        for name, records in rows.items()
    }


def together(
    rows: Rows, members: Sequence[str], clearly: float | None
) -> tuple[float, float] | None:
    """Accuracy in percent and log loss of some rows that are averaged over the cells that all have.

    ``clearly``: by how many standard errors greedy weights must be better; None for equal ones.
    There is no answer where weights are to be greedy and too few graphs validate.
    """
    cells = sorted(set.intersection(*(set(rows[name]) for name in members)))
    sure = calibrations({name: rows[name] for name in members}, cells)

    def asked(cell: tuple[int, int], fold: str) -> tuple[Reals, NDArray[np.int64]]:
        folds = [getattr(rows[name][cell], fold) for name in members]
        answers = [
            sure[name].probabilities(said(one)) for name, one in zip(members, folds, strict=True)
        ]
        return np.stack(answers), folds[0].truth.astype(np.int64)

    right, losses = [], []
    for cell in cells:
        weights = equal_weights(len(members))
        if clearly is not None:
            answers, truth = asked(cell, "validation")
            if len(truth) < LEAST_GRAPHS:
                return None
            weights = greedy_weights(answers, log_losses(truth), clearly)
        answers, truth = asked(cell, "test")
        mean = averaged(answers, weights)
        right.append(mean.argmax(axis=1) == truth)
        losses.append(log_losses(truth)(mean))
    share, loss = (float(np.concatenate(parts).mean()) for parts in (right, losses))
    return 100 * share, loss


def entry(rows: Rows, members: Sequence[str], errors: Sequence[float]) -> str:
    """What is printed of a dataset; nothing where it does not have all rows."""
    if not all(name in rows for name in members):
        return ""
    ways = (together(rows, members, clearly) for clearly in (None, *errors))
    return "; ".join("{:.1f}, {:.3f}".format(*way) for way in ways if way is not None)


@click.command()
@click.argument("store")
@click.argument("committees", nargs=-1, required=True)
@click.option("--errors", multiple=True, type=float, default=[CLEARLY], show_default=True)
def main(store: str, committees: tuple[str, ...], errors: tuple[float, ...]) -> None:
    """Print accuracy and log loss: equal weights, then greedy ones where enough graphs validate."""
    results = Results.read(store)
    rows: dict[str, dict[str, dict[tuple[int, int], Record]]] = {}
    for record in results.records:
        dataset, method, *place = record.cell
        rows.setdefault(dataset, {}).setdefault(method, {})[*place] = record
    print("| members | " + " | ".join(rows) + " |")
    print("|---|" + "---:|" * len(rows))
    for listed in committees:
        members = [name.strip() for name in listed.split(",")]
        entries = (entry(of_dataset, members, errors) for of_dataset in rows.values())
        print(f"| {listed} | " + " | ".join(entries) + " |", flush=True)


if __name__ == "__main__":
    main()
