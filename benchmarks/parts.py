"""Where a training batch of PGC-DGCNN goes, in microseconds: ``python -m benchmarks.parts``.

CPU time of every pass of a batch of 50 graphs (radius 2), one thread, the medians of a hundred
batches, after compilation. What no pass accounts for is a row of its own.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from time import process_time
from typing import Any, NamedTuple

import numpy as np
import torch

import graphrings as gr
from benchmarks import ours
from benchmarks.peers.data import index_arrays, sort_size
from benchmarks.processor import print_processor
from graphrings.errors import DatasetNote
from graphrings.fused.pooled_rows import PoolPass
from graphrings.fused.ring_stack import RingPass
from graphrings.fused.window_stack import WindowPass
from graphrings.learning.adam import FlatAdam
from graphrings.learning.learner import Objective
from graphrings.networks import sort_pool_by_hand
from graphrings.networks.batches import Batcher
from graphrings.networks.head import SortPoolHead
from graphrings.threads import one_thread

NAMES = ("MUTAG", "NCI1", "DD")
RADIUS, BATCHES, WARM_UP = 2, 100, 10


class Part(NamedTuple):
    """A pass: where its function stands."""

    owner: Any
    function: str


PARTS = {
    "cutting the batch": Part(Batcher, "__call__"),
    "ring convolutions, forwards": Part(RingPass, "forward"),
    "the order of SortPooling": Part(sort_pool_by_hand, "places_of"),
    "pooling, forwards": Part(PoolPass, "forward"),
    "dropout": Part(SortPoolHead, "kept"),
    "head, forwards": Part(WindowPass, "forward"),
    "loss": Part(Objective, "gradient"),
    "head, backwards": Part(WindowPass, "backward"),
    "pooling, backwards": Part(PoolPass, "backward"),
    "ring convolutions, backwards": Part(RingPass, "backward"),
    "Adam": Part(FlatAdam, "step"),
}
REST = "between them"


@contextmanager
def timed() -> Iterator[dict[str, float]]:
    """The seconds that every part has taken in the meantime."""
    seconds = dict.fromkeys(PARTS, 0.0)
    functions = {name: getattr(*part) for name, part in PARTS.items()}

    def call(name: str, *arguments: Any) -> Any:
        start = process_time()
        result = functions[name](*arguments)
        seconds[name] += process_time() - start
        return result

    for name, part in PARTS.items():
        setattr(*part, as_method(partial(call, name)))
    try:
        yield seconds
    finally:
        for name, part in PARTS.items():
            setattr(*part, functions[name])


def as_method(call: Callable[..., Any]) -> Callable[..., Any]:
    """A function, which a class binds to its objects as it does not bind a partial."""
    return lambda *arguments: call(*arguments)


def microseconds(name: str) -> dict[str, float]:
    """The median time of every part of a batch, and of the whole."""
    dataset = gr.load(name)
    trained = ours.learner(
        ours.build(dataset, RADIUS, sort_size(dataset), seed=0), dataset.n_classes
    )
    data, of_batches = ours.prepare(dataset, RADIUS), []
    with one_thread(), timed() as seconds:
        batches = ours.batches(data, index_arrays(dataset, seed=0))
        for _ in range(WARM_UP + BATCHES):
            seconds.update(dict.fromkeys(PARTS, 0.0))
            start = process_time()
            ours.step(trained, next(batches))
            whole = process_time() - start
            of_batches.append([*seconds.values(), whole - sum(seconds.values()), whole])
    medians = 1e6 * np.median(of_batches[WARM_UP:], axis=0)
    return dict(zip([*PARTS, REST, "together"], medians.tolist(), strict=True))


def main(names: list[str]) -> None:
    """Print a column per dataset."""
    warnings.simplefilter("ignore", DatasetNote)
    torch.set_num_threads(1)
    print_processor()
    columns = [microseconds(name) for name in names]
    print("| | " + " | ".join(names) + " |\n|---|" + "---:|" * len(names))
    for row in columns[0]:
        print(f"| {row} | " + " | ".join(f"{column[row]:,.0f}" for column in columns) + " |")


if __name__ == "__main__":
    main(sys.argv[1:] or list(NAMES))
