"""One training batch of 50 graphs against the peers: ``make bench``.

CPU time of forward, backward, optimiser and batching, one thread, radius 2, all sides in turns in
one run, after compilation. First it is shown that the sides do the same work: the same start
weights give the same losses over 20 batches, with shared rows and with one row per node.
"""

from __future__ import annotations

import argparse
import math
import subprocess
import sys
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

import graphrings as gr
from benchmarks import ours
from benchmarks.floor import n_multiplications, products_alone, products_of
from benchmarks.peers import hand_tuned
from benchmarks.peers.data import index_arrays, one_hot_features, sort_size
from benchmarks.peers.timing import SIDES, one_batch
from benchmarks.processor import print_processor
from benchmarks.turns import milliseconds
from graphrings.distances.levels import Levels
from graphrings.errors import DatasetNote, GraphRingsError
from graphrings.networks import sort_pool_by_hand
from graphrings.networks.batches import Batch
from graphrings.threads import one_thread

NAMES = ("MUTAG", "NCI1", "PROTEINS", "IMDB-BINARY", "IMDB-MULTI", "COLLAB", "DD")
RADIUS = 2


class GivenOrder(nn.Module):
    """For P2: the nodes that our SortPooling has chosen, in its order.

    Nodes that differ may tie up to rounding, and either order of them is right. Each side would
    choose by its own rounding errors, so that one of them chooses for both.
    """

    def __init__(self, places: np.ndarray, rows: np.ndarray, sizes: np.ndarray) -> None:
        super().__init__()
        bounds = np.concatenate([[0], np.cumsum(sizes)])
        kept, slots = [], []
        for graph, chosen in enumerate(places):
            nodes = defaultdict(list)  # of every row, in reverse
            for node in range(bounds[graph + 1] - 1, bounds[graph] - 1, -1):
                nodes[rows[node]].append(node)
            real = chosen[chosen >= 0]
            kept += [nodes[row].pop() for row in real]
            slots += [graph * len(chosen) + place for place in range(len(real))]
        self.order = torch.tensor(kept), torch.tensor(slots)

    def forward(self, h: Tensor, sizes: Tensor) -> tuple[Tensor, Tensor]:
        """The rows to keep, and the slot of each among the graphs * k of the result."""
        del h, sizes
        return self.order


def largest_difference(dataset: gr.Dataset, radius: int | None, n_batches: int = 20) -> float:
    """Of our losses from P2's, relative to them, with shared rows and with one row per node."""
    k = sort_size(dataset)
    chosen = list(islice(index_arrays(dataset, seed=0), n_batches))
    used = np.unique(chosen)  # one row per node of all of COLLAB would not fit into memory
    dataset, chosen = dataset[used], [np.searchsorted(used, graphs) for graphs in chosen]
    features = one_hot_features(dataset)
    start = hand_tuned.build(dataset, radius, k, seed=0).weights()
    prepared = hand_tuned.prepare(dataset, radius, features)
    differences = []
    for shared in (True, False):
        network, peer = (
            side.build(dataset, radius, k, seed=1, dropout=0.0) for side in (ours, hand_tuned)
        )
        ours.set_weights(network, start)
        peer.set_weights(start)
        trained, optimiser = ours.learner(network, dataset.n_classes), hand_tuned.adam(peer)
        data = ours.prepare(dataset, radius, shared=shared)
        for graphs, batch in zip(chosen, hand_tuned.batches(prepared, chosen), strict=True):
            step = next(ours.batches(data, [graphs]))
            with recorded_places() as places:
                loss = ours.step(trained, step)
            rows = rows_of_nodes(data.batcher.levels, step.batch, graphs, dataset)
            peer.sort_pool = GivenOrder(places[0], rows, dataset.sizes[graphs])
            expected = hand_tuned.step(peer, optimiser, batch)
            differences.append(abs(float(loss / expected) - 1))
    return max(differences)


def rows_of_nodes(
    levels: Levels, batch: Batch, graphs: np.ndarray, dataset: gr.Dataset
) -> np.ndarray:
    """The row of the last level that every node of a batch has."""
    rows = np.empty(levels.n_colours[-1], dtype=np.int64)
    rows[levels.top[np.concatenate([np.arange(*levels.graph_ptr[g : g + 2]) for g in graphs])]] = (
        batch.members
    )
    nodes = np.concatenate([np.arange(*dataset.graph_ptr[g : g + 2]) for g in graphs])
    return rows[levels.colours[-1][nodes]]


@contextmanager
def recorded_places() -> Iterator[list[np.ndarray]]:
    """What SortPooling chooses in the meantime."""
    places, sort = [], sort_pool_by_hand.places_of

    def record(*arguments: object) -> np.ndarray:
        places.append(sort(*arguments))
        return places[-1]

    sort_pool_by_hand.places_of = record
    try:
        yield places
    finally:
        sort_pool_by_hand.places_of = sort


def our_batch(dataset: gr.Dataset, radius: int | None) -> Callable[[], object]:
    """A function that makes the next batch and trains on it."""
    network = ours.build(dataset, radius, sort_size(dataset), seed=0)
    trained = ours.learner(network, dataset.n_classes)
    batches = ours.batches(ours.prepare(dataset, radius), index_arrays(dataset, seed=0))
    return lambda: ours.step(trained, next(batches))


def floor_of_a_batch(dataset: gr.Dataset, radius: int | None) -> Callable[[], None]:
    """A function that makes only the dense products of a usual batch: the median one of nine."""
    network = ours.build(dataset, radius, sort_size(dataset), seed=0)
    steps = ours.batches(ours.prepare(dataset, radius), index_arrays(dataset, seed=0))
    batches = [products_of(network, step.batch) for step in islice(steps, 9)]
    return products_alone(sorted(batches, key=n_multiplications)[4])


def compare(name: str, radius: int | None) -> None:
    """One line of the table."""
    dataset = gr.load(name)
    runs = {"ours": our_batch(dataset, radius), "floor": floor_of_a_batch(dataset, radius)}
    runs |= {side: one_batch(side, dataset, radius) for side in SIDES}
    times = milliseconds(runs)
    difference = largest_difference(dataset, radius)
    sides = ["P1", "P2 with SortAggregation", "P2"]
    cells = [f"{times[side]:.1f}" for side in ["floor", "ours", *sides]]
    cells += [f"{times['ours'] / times['floor']:.1f}"]
    cells += [f"{times[side] / times['ours']:.1f}" for side in sides]
    method = "DGCNN" if radius is None else f"r = {radius}"
    print(f"| {name} | {method} | " + " | ".join(cells) + f" | {difference:.0e} |", flush=True)


def same_work(name: str) -> None:
    """The losses alone."""
    dataset = gr.load(name)
    differences = [f"{largest_difference(dataset, radius):.1e}" for radius in (RADIUS, None)]
    print(
        f"{name}: losses differ by {differences[0]} at radius {RADIUS}, {differences[1]} for DGCNN",
        flush=True,
    )


def epoch(name: str) -> None:
    """Time and memory of one epoch, rings and levels included."""
    dataset = gr.load(name)
    start = time.process_time()
    run = our_batch(dataset, RADIUS)
    prepared = time.process_time() - start
    n_batches = len(dataset) // 50
    start = time.process_time()
    with one_thread():
        for _ in range(n_batches):
            run()
    seconds = time.process_time() - start
    print(
        f"{name}: {prepared:.1f} s to prepare, {seconds:.1f} s for an epoch of {n_batches} "
        f"batches, peak memory {peak_memory():.2f} GB"
    )


def peak_memory() -> float:
    """The most memory that this process has used, in GB, where the system tells.

    ``getrusage`` would count what the process that started this one had used before.
    """
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return math.nan
    return int(status.split("VmHWM:")[1].split()[0]) / 1e6


def main() -> None:
    """Print the table, then the epochs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--epoch", action="store_true", help="one epoch of each, in this process")
    parser.add_argument(
        "--losses", action="store_true", help="only check that the work is the same"
    )
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", DatasetNote)
    warnings.filterwarnings("ignore", "Sparse CSR tensor support")
    torch.set_num_threads(1)
    if arguments.epoch or arguments.losses:
        for name in arguments.names:
            (epoch if arguments.epoch else same_work)(name)
        return
    print_processor()
    print("Milliseconds of CPU time per training batch of 50 graphs, and how many times ours it is")
    print(
        "| | | floor | ours | P1 | P2a | P2b | ours / floor "
        "| P1 / ours | P2a / ours | P2b / ours | losses differ |"
    )
    print("|---|---|" + 10 * "---:|")
    for name in arguments.names:
        for radius in (RADIUS, None):
            try:
                compare(name, radius)
            except GraphRingsError as error:
                print(f"{name} is left out: {error}")
                break
    print(
        "Floor: the dense products of ours alone. P1: PyTorch Geometric as written. "
        "P2: hand-tuned, a with its SortAggregation, b without."
    )
    for name in ("COLLAB", "DD"):
        command = [sys.executable, "-m", "benchmarks.training", "--epoch", name]
        subprocess.run(command, check=False)  # noqa: S603


if __name__ == "__main__":
    main()
