"""The peers do the same work: the same start weights give the same losses, batch after batch.

``python -m benchmarks.peers.check MUTAG PTC NCI1`` from the project's root prints the largest
relative difference over 20 batches. The features are the one-hot ones plus noise: SortPooling by
the last column alone leaves the order of many nodes to rounding, since different nodes with alike
outer rings tie. With noise only nodes with the very same ring tie, and all sides order these alike.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from itertools import islice

import numpy as np
import torch

import graphrings as gr
from graphrings import Dataset

from . import as_written, hand_tuned
from .data import index_arrays, one_hot_features, sort_size

TOLERANCE = 1e-4


def losses(dataset: Dataset, radius: int | None, n_batches: int = 20) -> dict[str, list[float]]:
    """The losses of P1 and of both forms of P2 from P1's start weights, without dropout."""
    one_hot = one_hot_features(dataset)
    noise = np.random.default_rng(0).normal(0, 0.1, one_hot.shape)
    features = (one_hot + noise).astype(np.float32)
    k = sort_size(dataset)
    start = as_written.build(dataset, radius, k, seed=0).weights()
    sides = {
        "P1": (as_written, as_written.build),
        "P2": (hand_tuned, hand_tuned.build),
        "P2 with SortAggregation": (hand_tuned, partial(hand_tuned.build, sort="pyg")),
    }

    def train(peer, build) -> Iterator[float]:
        network = build(dataset, radius, k, seed=1, dropout=0.0)
        network.set_weights(start)
        optimiser = peer.adam(network)
        for batch in peer.batches(peer.prepare(dataset, radius, features), chosen):
            yield peer.step(network, optimiser, batch).item()

    chosen = list(islice(index_arrays(dataset, seed=0), n_batches))
    return {name: list(train(*side)) for name, side in sides.items()}


def largest_difference(curves: dict[str, list[float]]) -> float:
    """The largest difference of a loss from P1's, relative to it."""
    rows = np.array(list(curves.values()))
    return float(np.max(np.abs(rows[1:] / rows[0] - 1)))


def main(names: list[str]) -> None:
    """Print one line per dataset and method; exit with status 1 if any two sides differ."""
    torch.set_num_threads(1)
    worst = 0.0
    for name in names:
        dataset = gr.load(name)
        for radius in (2, None):
            difference = largest_difference(losses(dataset, radius))
            method = "DGCNN" if radius is None else f"radius {radius}"
            print(f"{name}  {method}  {difference:.1e}")
            worst = max(worst, difference)
    sys.exit(worst > TOLERANCE)


if __name__ == "__main__":
    main(sys.argv[1:] or ["MUTAG"])
