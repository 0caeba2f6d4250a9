"""Gram matrices against GraKeL, the toolbox that people use: ``make bench``.

Both sides compute the same matrix, which is checked; times are CPU times of the same run, the best
of a few for ours, after compilation, and of one for theirs. Every matrix is made by a process of
its own: its peak memory has Python, the libraries and the dataset in it, and nothing else.

The labelled random walk kernel of NCI1 and DD is timed on random pairs of graphs, or in full:
``python -m benchmarks.kernels --part random-walk --full``.
"""

from __future__ import annotations

import argparse
import importlib.util
import multiprocessing
import resource
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

import graphrings as gr
from benchmarks.processor import print_processor
from graphrings.errors import DatasetNote, GraphRingsError
from graphrings.kernels.names import build
from graphrings.kernels.random_walk import RandomWalk, by_label, sum_walks

REPEATS = 3
LARGE = ("wl", "wl-oa", "graphlet", "shortest-path", "propagation")
WALKS = ("NCI1", "DD")  # "> 3 days" in the paper's Table II
PARTS = ("large", "random-walk", "table")


@dataclass(frozen=True)
class Line:
    """A kernel of ours, the same of GraKeL, a dataset, and how much faster we want to be.

    ``same`` makes of our kernel and its matrix what GraKeL finds, where that differs; entries may
    differ by ``tolerance`` times the largest.
    """

    dataset: str
    kernel: str
    settings: dict[str, Any]
    peer: Callable[[Any, gr.Dataset], Any]
    wanted: float
    same: Callable[[Any, np.ndarray], np.ndarray] = lambda _, gram: gram
    tolerance: float = 1e-8


def subtree(grakel: Any, dataset: gr.Dataset) -> Any:
    del dataset
    return grakel.WeisfeilerLehman(n_iter=5, base_graph_kernel=grakel.VertexHistogram)


def shortest_path(grakel: Any, dataset: gr.Dataset) -> Any:
    del dataset
    return grakel.ShortestPath()


def graphlets(grakel: Any, dataset: gr.Dataset) -> Any:
    del dataset
    return grakel.GraphletSampling(k=3)


def one_more(kernel: Any, gram: np.ndarray) -> np.ndarray:
    """GraKeL counts one more of each graphlet in all graphs but the first that has it."""
    del gram
    counts = kernel.features().toarray()
    has = counts > 0
    counts += has
    counts[has.argmax(axis=0), np.arange(counts.shape[1])] -= 1
    return counts @ counts.T


def random_walk(grakel: Any, dataset: gr.Dataset) -> Any:
    decay = build("random-walk").fit(dataset).decay_  # type: ignore[attr-defined]
    return grakel.RandomWalk(lamda=decay, method_type="fast")


COUNTS = {"connected": True, "shares": False}
LINES = (
    Line("NCI1", "wl", {"height": 5}, subtree, 8),
    Line("NCI1", "shortest-path", {}, shortest_path, 10),
    Line("PROTEINS", "graphlet", COUNTS, graphlets, 100, one_more, 0.01),  # it misses some paths
    Line("MUTAG", "random-walk", {"labelled": False}, random_walk, 20),
)


def as_grakel(dataset: gr.Dataset) -> list[Any]:
    """Every graph as its edges, in both directions, and the labels of nodes."""
    graphs = []
    for graph in dataset:
        edges = {(u, int(v)): 1.0 for u in range(graph.n_nodes) for v in graph.neighbours(u)}
        graphs.append([edges, dict(enumerate(graph.node_labels.tolist()))])
    return graphs


def cpu_seconds(work: Callable[[], Any], repeats: int = 1) -> tuple[float, Any]:
    """The shortest CPU time of a few runs, and what the last one gave."""
    best, result = float("inf"), None
    for _ in range(repeats):
        start = time.process_time()
        result = work()
        best = min(best, time.process_time() - start)
    return best, result


class Cost(NamedTuple):
    """What a matrix costs: CPU time and the most memory of a process, in seconds and GB."""

    seconds: float
    peak: float

    def __str__(self) -> str:
        return f"{self.seconds:.1f} s of CPU time, peak memory {self.peak:.2f} GB"


def alone(work: Callable[..., Any], *arguments: Any) -> Any:
    """What a function gives in a fresh process, with one thread."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, context, prepare) as pool:
        return pool.submit(limited, work, *arguments).result()


def prepare() -> None:
    warnings.simplefilter("ignore", DatasetNote)


def limited(work: Callable[..., Any], *arguments: Any) -> Any:
    with threadpool_limits(1):
        return work(*arguments)


def cost(seconds: float) -> Cost:
    """The time, and the most memory that this process has had so far."""
    return Cost(seconds, peak_memory())


def peak_memory() -> float:
    """In GB. On Linux not by getrusage, which begins with what the parent had."""
    status = Path("/proc/self/status")
    if status.exists():
        words = status.read_text().split()
        return int(words[words.index("VmHWM:") + 1]) * 1024 / 1e9
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e9  # in bytes on macOS


def our_cost(name: str, kernel: str, settings: dict[str, Any], repeats: int = 1) -> Cost:
    dataset = gr.load(name)
    build(kernel, **settings).fit_transform(dataset[:20])  # compiles
    work = build(kernel, **settings)
    seconds, _ = cpu_seconds(lambda: work.fit_transform(dataset), repeats)
    return cost(seconds)


def their_cost(name: str, peer: Callable[[Any, gr.Dataset], Any]) -> tuple[Cost, np.ndarray]:
    from grakel import kernels as grakel

    dataset = gr.load(name)
    graphs = as_grakel(dataset)
    seconds, gram = cpu_seconds(lambda: peer(grakel, dataset).fit_transform(graphs))
    return cost(seconds), gram


def compare(line: Line) -> str:
    """One row of the table; the matrices are equal, or it is an error."""
    ours = alone(our_cost, line.dataset, line.kernel, line.settings, REPEATS)
    theirs, expected = alone(their_cost, line.dataset, line.peer)
    kernel = build(line.kernel, **line.settings)
    gram = kernel.fit_transform(gr.load(line.dataset))
    scale = max(1.0, float(np.abs(gram).max()))
    assert np.allclose(expected, line.same(kernel, gram), rtol=0, atol=line.tolerance * scale), (
        "the matrices differ"
    )
    return (
        f"| {line.dataset} | {line.kernel} | {1000 * ours.seconds:.0f} "
        f"| {1000 * theirs.seconds:.0f} | {theirs.seconds / ours.seconds:.1f} "
        f"| {line.wanted:.0f} | {ours.peak:.2f} | {theirs.peak:.2f} |"
    )


def table() -> None:
    """Ours against GraKeL's."""
    if importlib.util.find_spec("grakel") is None:
        print("GraKeL is not installed: pip install 'graphrings[dev]'")
        return
    print("| dataset | kernel | ours, ms | GraKeL, ms | ratio | wanted | ours, GB | GraKeL, GB |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    for line in LINES:
        try:
            print(compare(line), flush=True)
        except (GraphRingsError, AssertionError) as error:
            print(f"{line.kernel} on {line.dataset} is left out: {error}")


def large_sets() -> None:
    """Ours alone, where the toolbox takes too long or too much memory."""
    for name in ("DD", "COLLAB"):
        for kernel in LARGE:
            try:
                print(f"{kernel} of {name}: {alone(our_cost, name, kernel, {})}", flush=True)
            except GraphRingsError as error:
                print(f"{kernel} of {name} is left out: {error}")


def random_walks(n_pairs: int | None) -> None:
    """The labelled random walk kernel, in full or from as many random pairs of graphs."""
    for name in WALKS:
        try:
            if n_pairs is None:
                text = str(alone(our_cost, name, "random-walk", {}))
            else:
                text = alone(sampled_walks, name, n_pairs)
            print(f"random-walk of {name}: {text}", flush=True)
        except GraphRingsError as error:
            print(f"random-walk of {name} is left out: {error}")


def sampled_walks(name: str, n_pairs: int) -> str:
    """The time of all pairs of graphs, from that of some, with twice its standard error."""
    dataset = gr.load(name)
    RandomWalk().fit_transform(dataset[:20])  # compiles
    kernel = RandomWalk().fit(dataset)
    arrays, ratio = by_label(dataset), kernel._ratio(dataset)

    def walk(one: int, other: int) -> None:
        sum_walks(*arrays, one, np.array([other]), kernel.decay_, ratio)

    pairs = np.sort(np.random.default_rng(0).integers(0, len(dataset), (n_pairs, 2)))
    seconds = [cpu_seconds(lambda p=pair: walk(*p))[0] for pair in pairs]
    n_all = len(dataset) * (len(dataset) + 1) // 2
    minutes = n_all * np.mean(seconds) / 60
    error = 2 * n_all * np.std(seconds) / np.sqrt(n_pairs) / 60
    return (
        f"{minutes:.1f} +- {error:.1f} minutes of CPU time for {n_all:,} pairs of graphs, from "
        f"{n_pairs:,} random ones; peak memory {cost(0).peak:.2f} GB"
    )


def main() -> None:
    """Print what is asked for, by default everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=PARTS, action="append", help="only this one")
    parser.add_argument("--pairs", type=int, default=10_000, help="of graphs, for random walks")
    parser.add_argument("--full", action="store_true", help="all pairs of graphs instead")
    words = parser.parse_args()
    prepare()
    print_processor()
    parts = words.part or PARTS
    if "large" in parts:
        large_sets()
    if "random-walk" in parts:
        random_walks(None if words.full else words.pairs)
    if "table" in parts:
        with threadpool_limits(1):
            table()


if __name__ == "__main__":
    main()
