"""One training batch of gcn, gin, gat and dcnn against PyTorch Geometric: ``make bench``.

CPU time of forward, backward, optimiser and batching, 50 graphs, one thread, all sides in turns in
one run, after compilation. Then it is shown that the work is the same: from the same weights,
without dropout, ours and theirs have the same losses over 20 batches.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

import graphrings as gr
from benchmarks import ours
from benchmarks.peers import rivals as peers
from benchmarks.peers.data import DEGREE_CAP, index_arrays, n_features
from benchmarks.processor import print_processor
from benchmarks.turns import milliseconds
from graphrings.distances.weights import by_colour
from graphrings.errors import DatasetNote, GraphRingsError
from graphrings.networks.batches import Batcher
from graphrings.networks.names import NETWORKS

KINDS: dict[str, dict[str, Any]] = {
    "gcn": {"k": 10, "channels": peers.CHANNELS},
    "gin": {"channels": peers.CHANNELS, "dropout": 0.0},
    "gat": {"channels": (8, 8, 32), "heads": peers.HEADS},
    "dcnn": {"hops": peers.HOPS},
}


def our_batch(
    kind: str,
    dataset: gr.Dataset,
    chosen: Iterable[NDArray[np.intp]],
    dtype: torch.dtype = torch.float32,
) -> tuple[nn.Module, Callable[[], float]]:
    """Our network, and a function that makes the next batch and trains on it."""
    width = n_features(dataset)
    network = NETWORKS[kind](width, dataset.n_classes, **KINDS[kind]).to(dtype)
    numbers = dataset.node_labels
    numbers = np.minimum(dataset.degrees, DEGREE_CAP) if numbers is None else numbers
    used, start = np.unique(numbers, return_inverse=True)
    levels = network.view(dataset, start)
    rows = used[by_colour(levels, 0, start)]
    batcher = Batcher(levels, np.eye(width, dtype=np.float32)[rows])
    batcher.table = batcher.table.to(dtype)
    targets = torch.from_numpy(dataset.targets.astype(np.int64))
    trained = ours.learner(network, dataset.n_classes)
    steps = ours.batches(ours.Data(batcher, targets), chosen)
    return network, lambda: ours.step(trained, next(steps))


def take_over(kind: str, network: nn.Module, theirs: nn.Module) -> None:
    """Give our network the weights of theirs."""
    weights = theirs.state_dict()
    names = {}
    for name in network.state_dict():
        other = name
        if kind == "gcn":
            other = name.replace("filters.weight", "lin.weight").replace("filters.bias", "bias")
        if kind == "gin":
            other = gin_name(name)
        if kind == "gat":
            other = name.replace("filters.weight", "lin.weight")
        if kind == "dcnn":
            other = name.removeprefix("conv.")
        names[name] = other.removeprefix("head.")
    with torch.no_grad():
        for name, value in network.state_dict().items():
            if name.endswith("theta"):
                source = names[name].removesuffix("theta")
                parts = [weights[f"{source}att_{side}"] for side in ("dst", "src")]
                value.copy_(torch.cat(parts, dim=-1).view_as(value))
            else:
                value.copy_(weights[names[name]])


def gin_name(name: str) -> str:
    """A parameter of a GIN layer by their name."""
    if not name.startswith("layers."):
        return name
    _, place, part, kind = name.replace("conv.filters", "conv").split(".")
    inner = {"conv": 0, "inner_norm": 1, "second": 3}
    return f"convs.{place}.nn.{inner[part]}.{kind}" if part in inner else f"norms.{place}.{kind}"


def largest_difference(kind: str, dataset: gr.Dataset, n_batches: int = 20) -> float:
    """Of our losses from those as written, relative to them, in double precision.

    In single precision the losses of gin drift apart by 1e-3 after some steps: its weights before a
    norm have gradients near zero, whose rounding errors Adam takes for directions.
    """
    chosen = list(islice(index_arrays(dataset, seed=0), n_batches))
    theirs, run = peers.one_batch(kind, dataset, False, chosen, torch.float64)
    network, run_ours = our_batch(kind, dataset, chosen, torch.float64)
    take_over(kind, network, theirs)
    if kind != "gin":  # which has norms to train, and no dropout here
        theirs.eval()
        network.eval()
    return max(abs(run_ours() / float(run()) - 1) for _ in range(n_batches))


def compare(name: str, kind: str) -> None:
    """One line of the table."""
    dataset = gr.load(name)
    runs = {"ours": our_batch(kind, dataset, index_arrays(dataset, seed=0))[1]}
    for side, tuned in (("as written", False), ("hand-tuned", True)):
        runs[side] = peers.one_batch(kind, dataset, tuned, index_arrays(dataset, seed=0))[1]
    times = milliseconds(runs)
    cells = [f"{times[side]:.1f}" for side in runs]
    cells += [f"{times[side] / times['ours']:.1f}" for side in ("as written", "hand-tuned")]
    difference = largest_difference(kind, dataset)
    print(f"| {name} | `{kind}` | " + " | ".join(cells) + f" | {difference:.0e} |", flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=("NCI1", "IMDB-BINARY"))
    parser.add_argument("--method", action="append", choices=list(KINDS), help="all by default")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", DatasetNote)
    warnings.filterwarnings("ignore", "Sparse CSR tensor support")
    torch.set_num_threads(1)
    print_processor()
    print("Milliseconds of CPU time a training batch of 50 graphs, and how many times ours it is")
    print("| | | ours | as written | hand-tuned | written / ours | tuned / ours | losses differ |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    for name in arguments.names:
        for kind in arguments.method or KINDS:
            try:
                compare(name, kind)
            except GraphRingsError as error:
                print(f"{name} is left out: {error}")
                break


if __name__ == "__main__":
    main()
