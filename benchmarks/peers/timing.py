"""CPU time of one training batch of 50 graphs, both peers, interleaved, on one thread.

``python -m benchmarks.peers.timing MUTAG NCI1`` from the project's root prints milliseconds for
radius 2 and for DGCNN. P2 stands twice: with PyTorch Geometric's SortAggregation and with its own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial

import torch

import graphrings as gr
from benchmarks.turns import milliseconds
from graphrings import Dataset

from . import as_written, hand_tuned
from .data import index_arrays, sort_size

SIDES = {
    "P1": (as_written, as_written.build),
    "P2 with SortAggregation": (hand_tuned, partial(hand_tuned.build, sort="pyg")),
    "P2": (hand_tuned, hand_tuned.build),
}


def one_batch(name: str, dataset: Dataset, radius: int | None) -> Callable[[], None]:
    """A function that makes the next batch and trains on it."""
    peer, build = SIDES[name]
    network = build(dataset, radius, sort_size(dataset), seed=0)
    optimiser = peer.adam(network)
    batches = peer.batches(peer.prepare(dataset, radius), index_arrays(dataset, seed=0))

    def run() -> None:
        peer.step(network, optimiser, next(batches))

    return run


def main(names: list[str]) -> None:
    """Print one line per dataset and method."""
    torch.set_num_threads(1)
    for name in names:
        dataset = gr.load(name)
        for radius in (2, None):
            method = "DGCNN" if radius is None else f"radius {radius}"
            times = milliseconds({side: one_batch(side, dataset, radius) for side in SIDES})
            print(name, method, *(f"{side} {ms:.1f}" for side, ms in times.items()), sep="  ")


if __name__ == "__main__":
    main(sys.argv[1:] or ["MUTAG"])
