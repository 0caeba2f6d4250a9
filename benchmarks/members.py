"""What members trained together cost, as a share of as many networks trained alone.

``python -m benchmarks.members MUTAG PTC IMDB-BINARY IMDB-MULTI`` from the project's root prints the
CPU time of a fit with five members over that of five fits with one, interleaved, on one thread;
early stopping is off, so that all have the same epochs. Beside it stands what the dense products of
the steps take of a fit, which members cannot share. It takes about two minutes.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time

import graphrings as gr
from benchmarks.floor import Product, n_multiplications, products_alone, products_of
from benchmarks.processor import print_processor
from benchmarks.turns import milliseconds
from graphrings.errors import DatasetNote
from graphrings.learning.learner import Learner

MEMBERS, RADIUS, ROUNDS, BATCHES = 5, 2, 5, 150


def seconds(dataset: gr.Dataset, members: int, max_epochs: int) -> float:
    """The CPU time of one fit."""
    settings = {"radius": RADIUS, "max_epochs": max_epochs, "patience": max_epochs}
    model = gr.PGCClassifier(members=members, random_state=0, **settings)
    before = process_time()
    model.fit(dataset)
    return process_time() - before


@contextmanager
def recorded_steps() -> Iterator[list[list[Product]]]:
    """The dense products of every step of a training in the meantime."""
    steps: list[list[Product]] = []
    step = Learner.step

    def record(learner: Learner, batch: object, *rest: object) -> object:
        steps.append(products_of(learner.network, batch))
        return step(learner, batch, *rest)

    Learner.step = record
    try:
        yield steps
    finally:
        Learner.step = step


def seconds_of_products(dataset: gr.Dataset) -> float:
    """Of all steps of one epoch, each taken to be the median one."""
    with recorded_steps() as steps:
        seconds(dataset, 1, 1)
    usual = sorted(steps, key=n_multiplications)[len(steps) // 2]
    return len(steps) * milliseconds({"products": products_alone(usual)})["products"] / 1000


def shares(name: str) -> tuple[float, float]:
    """Of five fits: what five networks cost together, and what their dense products take."""
    dataset = gr.load(name)
    n_epochs = max(1, BATCHES * 50 // len(dataset))
    for members in (1, MEMBERS):  # loops are compiled, structure is seen once
        seconds(dataset, members, 1)
    pairs = [
        [seconds(dataset, members, n_epochs) for members in (1, MEMBERS)] for _ in range(ROUNDS)
    ]
    alone, together = (min(column) for column in zip(*pairs, strict=True))
    return together / (MEMBERS * alone), n_epochs * seconds_of_products(dataset) / alone


def main() -> None:
    """Print a line per dataset."""
    warnings.simplefilter("ignore", DatasetNote)
    warnings.simplefilter("ignore", UserWarning)
    print_processor()
    print(
        "| | five members, share of five fits | dense products, share of a fit |\n|---|---:|---:|"
    )
    for name in sys.argv[1:]:
        print(f"| {name} | " + " | ".join(f"{share:.2f}" for share in shares(name)) + " |")


if __name__ == "__main__":
    main()
