"""What written-out gradients bring: ``python -m benchmarks.gradients MUTAG PROTEINS DD``.

CPU time of a training batch of 50 graphs, cut beforehand, for every network with its usual
settings: by autograd through the same compiled steps, and without it, in turns, on one thread. The
outputs have the same bits either way (``tests/networks``).
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from itertools import cycle

import numpy as np
import torch

import graphrings as gr
from benchmarks import ours
from benchmarks.peers.data import index_arrays
from benchmarks.processor import print_processor
from benchmarks.turns import milliseconds
from graphrings.distances.weights import by_colour
from graphrings.errors import DatasetNote
from graphrings.graphs.features import fit_features
from graphrings.networks.batches import Batcher
from graphrings.networks.names import NETWORKS
from graphrings.networks.network import Network

AUTOGRAD = "autograd"
DISTINCT_BATCHES = 10
ROUNDS, WARM_UP = 15, 3


def prepare(name: str, dataset: gr.Dataset) -> tuple[Network, list[ours.Step]]:
    """A network with fresh weights, and some batches for it."""
    kind = NETWORKS[name]
    features = fit_features(dataset, kind.auto_features(dataset))
    start, table = features.apply(dataset)
    torch.manual_seed(0)
    network = kind(features.width, dataset.n_classes, **kind.measure(dataset))
    levels = network.view(dataset, start)
    batcher = Batcher(levels, table[by_colour(levels, 0, start)])
    targets = torch.from_numpy(dataset.targets.astype(np.int64))
    graphs = index_arrays(dataset, seed=0)
    some = ours.Data(batcher, targets), (next(graphs) for _ in range(DISTINCT_BATCHES))
    return network, list(ours.batches(*some))


def training(name: str, dataset: gr.Dataset, way: str) -> Callable[[], float]:
    """A function that trains on the next batch."""
    network, steps = prepare(name, dataset)
    trained = ours.learner(network, dataset.n_classes)
    assert trained._by_hand is not None
    if way == AUTOGRAD:
        trained._by_hand = None
    following = cycle(steps)
    return lambda: ours.step(trained, next(following))


def row(name: str, datasets: list[gr.Dataset]) -> str:
    """Both times on every dataset."""
    cells = []
    for dataset in datasets:
        sides = {way: training(name, dataset, way) for way in (AUTOGRAD, "without")}
        autograd, without = milliseconds(sides, ROUNDS, WARM_UP).values()
        cells += [f"{autograd:.2f}", f"{without:.2f}", f"{autograd / without:.1f}"]
    return f"| `{name}` | " + " | ".join(cells) + " |"


def main(names: list[str]) -> None:
    """Print a row per network."""
    warnings.simplefilter("ignore", DatasetNote)
    torch.set_num_threads(1)
    print_processor()
    datasets = [gr.load(name) for name in names]
    print("| | " + " | | | ".join(names) + " | | |\n|---|" + "---:|" * (3 * len(names)))
    print("| |" + " autograd | without | ratio |" * len(names))
    for name in NETWORKS:
        print(row(name, datasets), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or ["MUTAG", "PROTEINS", "DD"])
