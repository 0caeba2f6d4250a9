"""Rings against what people use today, and how they grow: ``make bench``.

Every ratio compares CPU times of the same run, the best of a few repetitions, after compilation.
"""

import resource
import time
from collections.abc import Callable
from itertools import pairwise

import networkx as nx
import numpy as np
from scipy.sparse import csr_array, eye_array

import graphrings as gr
from benchmarks.processor import print_processor
from graphrings.errors import GraphRingsError

RADIUS = 3


def cpu_seconds(work: Callable[[], object], repeats: int) -> float:
    """The shortest CPU time of a few runs."""
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def scipy_products(adjacency: csr_array, radius: int) -> list[csr_array]:
    """Rings by sparse products over the block-diagonal adjacency: ball j without ball j - 1."""
    ball = eye_array(adjacency.shape[0], dtype=np.int8, format="csr")
    step = (adjacency + ball).astype(np.int8)
    rings = [ball]
    for _ in range(radius):
        wider = ball @ step
        wider.data[:] = 1
        rings.append(wider - ball)
        rings[-1].eliminate_zeros()
        ball = wider
    return rings


def networkx_search(networks: list[nx.Graph], radius: int) -> None:
    """Rings by networkx, graph by graph."""
    for network in networks:
        dict(nx.all_pairs_shortest_path_length(network, cutoff=radius))


def against_peers(dataset: gr.Dataset) -> None:
    ones = np.ones(len(dataset.indices), dtype=np.int8)
    adjacency = csr_array((ones, dataset.indices, dataset.indptr))
    networks = [nx.Graph(graph.edges.tolist()) for graph in dataset]
    gr.rings(dataset[:1], RADIUS)
    products = scipy_products(adjacency, RADIUS)
    rings = gr.rings(dataset, RADIUS)
    for j in range(RADIUS + 1):  # the same work on both sides
        assert (rings.matrix(j) != products[j]).nnz == 0
    ours = cpu_seconds(lambda: gr.rings(dataset, RADIUS), 10)
    scipy = cpu_seconds(lambda: scipy_products(adjacency, RADIUS), 5)
    peer = cpu_seconds(lambda: networkx_search(networks, RADIUS), 1)
    print(f"Rings of {dataset.name}, radius {RADIUS}, CPU time")
    print(f"  graphrings           {1000 * ours:9.1f} ms")
    print(f"  scipy products       {1000 * scipy:9.1f} ms   {scipy / ours:6.1f} x ours")
    print(f"  networkx, cutoff     {1000 * peer:9.1f} ms   {peer / ours:6.1f} x ours")


def growth() -> None:
    print(f"Rings of synthetic molecules, radius {RADIUS}, CPU time")
    seconds = []
    counts = [1_000, 10_000, 100_000]
    for n_graphs in counts:
        molecules = gr.synthetic.molecules(n_graphs)
        seconds.append(cpu_seconds(lambda m=molecules: gr.rings(m, RADIUS), 3))
        print(
            f"  {n_graphs:7,} graphs {molecules.n_nodes:9,} nodes {1000 * seconds[-1]:9.1f} ms"
            f"  {1e9 * seconds[-1] / molecules.n_nodes:6.0f} ns a node"
        )
    steps = ", ".join(f"{after / before:.1f}" for before, after in pairwise(seconds))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"  ten times the graphs take {steps} times as long; peak memory {peak:.2f} GB")


if __name__ == "__main__":
    print_processor()
    growth()
    try:
        nci1 = gr.load("NCI1")
    except GraphRingsError as error:
        print(f"NCI1 is left out: {error}")
    else:
        against_peers(nci1)
