"""What code of our own brings: a training batch with torch's Adam, and in the plain lane.

``python -m benchmarks.own_code MUTAG NCI1`` from the project's root prints the CPU time of one
batch of 50 graphs (PGC-DGCNN, radius 2) as a ratio to ours, interleaved, on one thread.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable

import torch

import graphrings as gr
from benchmarks import ours
from benchmarks.peers.data import index_arrays, sort_size
from benchmarks.processor import print_processor
from benchmarks.turns import milliseconds
from graphrings.errors import DatasetNote
from graphrings.fused.lane import lane

RADIUS = 2


def one_batch(dataset: gr.Dataset, optimiser: str, fused: bool) -> Callable[[], None]:
    """A function that makes the next batch and trains on it."""
    network = ours.build(dataset, RADIUS, sort_size(dataset), seed=0)
    with lane(fused=fused):
        trained = ours.learner(network, dataset.n_classes)
    if optimiser != "ours":
        theirs = {"foreach": True} if optimiser == "foreach" else {"fused": True}
        trained.optimiser = torch.optim.Adam(network.parameters(), 1e-3, **theirs)
    batches = ours.batches(ours.prepare(dataset, RADIUS), index_arrays(dataset, seed=0))

    def run() -> None:
        with lane(fused=fused):
            ours.step(trained, next(batches))

    return run


def main(names: list[str]) -> None:
    """Print one line per dataset."""
    warnings.simplefilter("ignore", DatasetNote)
    torch.set_num_threads(1)
    print_processor()
    print("| | ours, ms | torch.optim.Adam / ours | its fused form / ours | plain lane / ours |")
    print("|---|---:|---:|---:|---:|")
    for name in names:
        dataset = gr.load(name)
        times = milliseconds(
            {
                "ours": one_batch(dataset, "ours", fused=True),
                "foreach": one_batch(dataset, "foreach", fused=True),
                "fused": one_batch(dataset, "fused", fused=True),
                "plain": one_batch(dataset, "ours", fused=False),
            }
        )
        ratios = (f"{times[side] / times['ours']:.2f}" for side in ("foreach", "fused", "plain"))
        print(f"| {name} | {times['ours']:.1f} | {' | '.join(ratios)} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or ["MUTAG", "NCI1", "PROTEINS", "IMDB-BINARY", "DD"])
