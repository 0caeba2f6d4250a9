"""What members trained together cost, as a share of as many networks trained alone.

``python -m benchmarks.members MUTAG PTC IMDB-BINARY IMDB-MULTI`` from the project's root prints the
CPU time of a fit with five members over that of five fits with one, interleaved, on one thread;
early stopping is off, so that all have the same epochs. It takes about two minutes.
"""

from __future__ import annotations

import sys
import warnings
from time import process_time

import graphrings as gr
from graphrings.errors import DatasetNote

MEMBERS, RADIUS, ROUNDS, BATCHES = 5, 2, 5, 150


def seconds(dataset: gr.Dataset, members: int, max_epochs: int) -> float:
    """The CPU time of one fit."""
    settings = {"radius": RADIUS, "max_epochs": max_epochs, "patience": max_epochs}
    model = gr.PGCClassifier(members=members, random_state=0, **settings)
    before = process_time()
    model.fit(dataset)
    return process_time() - before


def share(name: str) -> tuple[float, float, float]:
    """The least time of one network and of five together, and the share that the latter costs."""
    dataset = gr.load(name)
    n_epochs = max(1, BATCHES * 50 // len(dataset))
    for members in (1, MEMBERS):  # loops are compiled, structure is seen once
        seconds(dataset, members, 1)
    pairs = [
        [seconds(dataset, members, n_epochs) for members in (1, MEMBERS)] for _ in range(ROUNDS)
    ]
    alone, together = (min(column) for column in zip(*pairs, strict=True))
    return alone, together, together / (MEMBERS * alone)


def main() -> None:
    """Print a line per dataset."""
    warnings.simplefilter("ignore", DatasetNote)
    warnings.simplefilter("ignore", UserWarning)
    for name in sys.argv[1:]:
        alone, together, part = share(name)
        print(f"{name:12s} alone {alone:6.2f} s, five together {together:6.2f} s, share {part:.2f}")


if __name__ == "__main__":
    main()
