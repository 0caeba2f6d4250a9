"""Estimated counts of the graphlets of four or five nodes, from random sets of nodes."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.errors import SettingError
from graphrings.graphs.dataset import Dataset
from graphrings.kernels.tables import Occurrences
from graphrings.loops import GOLDEN, first_from, mixed, read_only

N_BITS = tuple(number.bit_count() for number in range(32))  # of a set of five nodes


class Shapes(NamedTuple):
    """The graphs on ``size`` numbered nodes as bits, one for each pair (0, 1), (0, 2), ...

    ``moved[p, bits]`` is the graph whose node i is node ``orders[p, i]`` of the old one;
    ``least[bits]`` the smallest of these, which stands for its isomorphism class.
    """

    orders: NDArray[np.int64]
    moved: NDArray[np.int64]
    least: NDArray[np.int64]


@lru_cache
def shapes(size: int) -> Shapes:
    """All graphs on a few nodes."""
    pairs = list(combinations(range(size), 2))
    bit = {frozenset(pair): k for k, pair in enumerate(pairs)}
    orders = list(permutations(range(size)))
    graphs = np.arange(1 << len(pairs))
    moved = np.zeros((len(orders), len(graphs)), dtype=np.int64)
    for p, order in enumerate(orders):
        for k, (i, j) in enumerate(pairs):
            moved[p] |= (graphs >> bit[frozenset((order[i], order[j]))] & 1) << k
    return Shapes(np.array(orders), moved, moved.min(axis=0))


def sample_graphlets(
    dataset: Dataset,
    labels: NDArray[np.int32] | None,
    size: int,
    connected: bool,
    n_samples: int,
    seed: int,
) -> Occurrences:
    """Estimate how often every graph has every graphlet, told apart by labels if there are any.

    A set S drawn with probability p(S) stands for 1 / (n_samples p(S)) sets: estimates have no
    bias, whether all sets are equally likely or connected ones grow from random nodes.
    """
    n_labels = 1 if labels is None else max(dataset.n_labels, 1)
    most = int((2**62 >> size * (size - 1) // 2) ** (1 / size))
    if n_labels > most:
        raise SettingError(f"labelled = True; expected at most {most} labels, found {n_labels}")
    kinds = np.zeros(dataset.n_nodes, dtype=np.int32) if labels is None else labels
    arrays = read_only(dataset.graph_ptr, dataset.indptr, dataset.indices, kinds)
    tables = shapes(size)
    return Occurrences(*sample(*arrays, n_labels, size, connected, n_samples, seed, *tables))


@compiled
def sample(
    graph_ptr: NDArray[np.int32],
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    labels: NDArray[np.int32],
    n_labels: int,
    size: int,
    connected: bool,
    n_samples: int,
    seed: int,
    orders: NDArray[np.int64],
    moved: NDArray[np.int64],
    least: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Parallel arrays (graph, graphlet, estimated number), lexicographic."""
    graphs = np.empty(1024, dtype=np.int64)
    graphlets = np.empty(1024, dtype=np.int64)
    numbers = np.empty(1024, dtype=np.float64)
    codes = np.empty(n_samples, dtype=np.int64)
    weights = np.empty(n_samples, dtype=np.float64)
    nodes = np.empty(size, dtype=np.int64)
    links = np.empty(size, dtype=np.int64)
    chances = np.zeros(1 << size)
    leaving = np.zeros(1 << size, dtype=np.int64)
    state = np.empty(1, dtype=np.uint64)
    total = 0
    for graph in range(len(graph_ptr) - 1):
        first, n_nodes = graph_ptr[graph], graph_ptr[graph + 1] - graph_ptr[graph]
        if n_nodes < size:
            continue
        state[0] = seed
        n_drawn = 0
        for _ in range(n_samples):
            if connected:
                if not grow(first, n_nodes, indptr, indices, state, nodes, links):
                    continue
                chance = chance_to_grow(n_nodes, indptr, nodes, links, chances, leaving)
            else:
                choose(first, n_nodes, state, nodes)
                for k in range(size):
                    link(k, indptr, indices, nodes, links)
                chance = chance_to_choose(n_nodes, size)
            bits = edge_bits(links)
            codes[n_drawn] = graphlet(bits, nodes, labels, n_labels, orders, moved, least)
            weights[n_drawn] = 1 / (n_samples * chance)
            n_drawn += 1
        for k in np.argsort(codes[:n_drawn], kind="mergesort"):
            if total == 0 or graphs[total - 1] != graph or graphlets[total - 1] != codes[k]:
                if total == len(graphs):
                    graphs = np.concatenate((graphs, graphs))
                    graphlets = np.concatenate((graphlets, graphlets))
                    numbers = np.concatenate((numbers, numbers))
                graphs[total], graphlets[total], numbers[total] = graph, codes[k], 0.0
                total += 1
            numbers[total - 1] += weights[k]
    return graphs[:total], graphlets[:total], numbers[:total]


@compiled
def below(state: NDArray[np.uint64], n: int) -> int:
    """The next random number out of 0 .. n - 1 (splitmix64)."""
    drawn = mixed(state[0])
    state[0] += GOLDEN
    return int(np.int64(drawn % np.uint64(n)))


@compiled
def choose(first: int, n_nodes: int, state: NDArray[np.uint64], nodes: NDArray[np.int64]) -> None:
    """Draw a set of different nodes, all sets alike."""
    for k in range(len(nodes)):
        nodes[k] = first + below(state, n_nodes)
        while is_among(nodes[k], nodes, k):
            nodes[k] = first + below(state, n_nodes)


@compiled
def chance_to_choose(n_nodes: int, size: int) -> float:
    """The probability of a set: one by the number of sets."""
    likelihood = 1.0
    for k in range(size):
        likelihood *= (k + 1) / (n_nodes - k)
    return likelihood


@compiled
def is_among(node: int, nodes: NDArray[np.int64], n: int) -> bool:
    """Whether a node is one of the first n of some."""
    among = False
    for k in range(n):
        among |= nodes[k] == node
    return among


@compiled
def link(
    k: int,
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    nodes: NDArray[np.int64],
    links: NDArray[np.int64],
) -> None:
    """Set bit j of ``links[i]`` where nodes i and j are joined and one of them is node k."""
    links[k] = 0
    for i in range(k):
        if has_edge(indptr, indices, nodes[i], nodes[k]):
            links[i] |= 1 << k
            links[k] |= 1 << i


@compiled
def grow(
    first: int,
    n_nodes: int,
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    state: NDArray[np.uint64],
    nodes: NDArray[np.int64],
    links: NDArray[np.int64],
) -> bool:
    """Draw a node, and as long as needed an edge that leaves the set, all such edges alike.

    False if the node's component is too small.
    """
    nodes[0], links[0] = first + below(state, n_nodes), 0
    for k in range(1, len(nodes)):
        entries, inner = 0, 0
        for i in range(k):
            entries += indptr[nodes[i] + 1] - indptr[nodes[i]]
            inner += N_BITS[links[i]]
        if entries == inner:
            return False
        nodes[k] = nodes[0]
        while is_among(nodes[k], nodes, k):  # an edge inside the set: draw again
            at, i = below(state, entries), 0
            while at >= indptr[nodes[i] + 1] - indptr[nodes[i]]:
                at -= indptr[nodes[i] + 1] - indptr[nodes[i]]
                i += 1
            nodes[k] = indices[indptr[nodes[i]] + at]
        link(k, indptr, indices, nodes, links)
    return True


@compiled
def chance_to_grow(
    n_nodes: int,
    indptr: NDArray[np.int32],
    nodes: NDArray[np.int64],
    links: NDArray[np.int64],
    chances: NDArray[np.float64],
    leaving: NDArray[np.int64],
) -> float:
    """The probability of a grown set: over its subsets, any node may have been the last.

    ``chances`` and the number of edges ``leaving`` are of subsets, as bits.
    """
    for subset in range(1, 1 << len(nodes)):
        chances[subset] = 0.0
        for v in range(len(nodes)):
            if not subset >> v & 1:
                continue
            rest = subset ^ (1 << v)
            joined = N_BITS[links[v] & rest]
            leaving[subset] = leaving[rest] + indptr[nodes[v] + 1] - indptr[nodes[v]] - 2 * joined
            if rest == 0:
                chances[subset] = 1 / n_nodes
            elif joined > 0:
                chances[subset] += chances[rest] * joined / leaving[rest]
    return float(chances[(1 << len(nodes)) - 1])


@compiled
def has_edge(indptr: NDArray[np.int32], indices: NDArray[np.int32], u: int, v: int) -> bool:
    """Whether v is in the sorted list of the neighbours of u."""
    at = first_from(indices, indptr[u], indptr[u + 1], v)
    return bool(at < indptr[u + 1] and indices[at] == v)


@compiled
def edge_bits(links: NDArray[np.int64]) -> int:
    """The links as bits, one for each pair."""
    bits, k = 0, 0
    for i in range(len(links)):
        for j in range(i + 1, len(links)):
            bits |= (links[i] >> j & 1) << k
            k += 1
    return bits


@compiled
def graphlet(
    bits: int,
    nodes: NDArray[np.int64],
    labels: NDArray[np.int32],
    n_labels: int,
    orders: NDArray[np.int64],
    moved: NDArray[np.int64],
    least: NDArray[np.int64],
) -> int:
    """One number for all isomorphic subgraphs: the smallest bits, then the smallest labels."""
    if n_labels == 1:
        return int(least[bits])
    best = -1
    for p in range(len(orders)):
        if moved[p, bits] == least[bits]:
            code = int(least[bits])
            for i in orders[p]:
                code = code * n_labels + int(labels[nodes[i]])
            if best < 0 or code < best:
                best = code
    return best
