"""Machines on graph kernels: the weights of features, on the nodes and distances that carry them.

A machine is linear in the features of its kernel, so that a feature's contribution is its weight
times how often a graph has it, divided by the norm of the graph where the kernel is normalised. The
norm is held as it is: it is a unit, the same for all features of a graph.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.distances.graph_table import with_degree
from graphrings.distances.ring_profile import pair_codes
from graphrings.distances.rings import rings
from graphrings.explanations.colour_kernels import alike, by_distance, seen_by_distance
from graphrings.explanations.machines import (
    Columns,
    Joint,
    class_sums,
    feature_weights,
    machine_of,
    norms,
)
from graphrings.explanations.masking import without_each_node
from graphrings.explanations.pairs import Pairs, on_pairs, pair_terms, pairs_within
from graphrings.explanations.parts import Numbers, Parts, Reals, add_by, collected
from graphrings.graphs.dataset import Dataset
from graphrings.kernels.deep_graph import DeepGraph
from graphrings.kernels.graphlet import Graphlet
from graphrings.kernels.kernel import squares
from graphrings.kernels.nspdk import NSPDK, ball_numbers, pairs_at
from graphrings.kernels.odd_sth import ODDSTh, trees_by_depth, visit
from graphrings.kernels.propagation import Propagation, first_labels
from graphrings.kernels.ring_profile import SCALES, ProfileKernel
from graphrings.kernels.shortest_path import ShortestPath, count_triples
from graphrings.kernels.tables import Occurrences, by_appearance, tabulate
from graphrings.kernels.weisfeiler_lehman import RingWeisfeilerLehman, colours_by_round
from graphrings.kernels.wl_optimal_assignment import WLOptimalAssignment
from graphrings.loops import read_only

NOISE = 1e-9  # of the longest embedding
Explain = Callable[[Any, Any, Joint, Dataset, Reals], Parts]


def kernel_score(model: Any, dataset: Dataset) -> Reals:
    """What the machine decides: for several classes, one sum of margins each; values."""
    decided: Reals = model.decisions(dataset) @ class_sums(model).T
    return decided if hasattr(model, "classes_") else model.coding_.decode(decided)[:, None]


def explain_kernel(model: Any, dataset: Dataset) -> Parts | None:
    """The parts of the decisions; None where the kernel has no features on nodes."""
    kernel = model._fitted_kernel()
    explain = carrier(kernel)
    if explain is None:
        return None
    both, n_graphs = kernel._joined(dataset)
    joint = Joint(both, n_graphs, kernel.graphs_.n_nodes)
    decided = model.decisions(dataset) @ class_sums(model).T
    parts = explain(model, kernel, joint, dataset, decided)
    if hasattr(model, "classes_"):
        return parts
    return parts.scaled(model.coding_.deviation, model.coding_.mean)


def carrier(kernel: Any) -> Explain | None:
    """How the features of a kernel lie on nodes."""
    deep = isinstance(kernel, DeepGraph)
    exact = getattr(kernel, "size", 3) == 3  # larger graphlets are drawn, not counted
    if deep and kernel.base == "wl":
        return deep_colours
    if isinstance(kernel, Graphlet) or (deep and kernel.base == "graphlet"):
        return graphlets if exact and not deep else None
    for kind, explain in CARRIERS.items():
        if isinstance(kernel, kind):
            return explain
    return None


def colours(model: Any, kernel: Any, joint: Joint, dataset: Dataset, score: Reals) -> Parts:
    """A node carries its colour of every round; equal colours in a graph carry equal parts."""
    occurrences = kernel._occurrences(joint.dataset)
    columns = Columns(occurrences, len(joint.dataset))
    weights = feature_weights(model, columns.table, joint)
    height = kernel.height + 1
    worth = weights[columns.of(occurrences.codes)].reshape(-1, height, weights.shape[1])
    start, radius = start_colours(kernel, joint.dataset), getattr(kernel, "radius", 1)
    if isinstance(kernel, WLOptimalAssignment):
        by_round = np.stack(colours_by_round(joint.dataset, radius, kernel.height), axis=1)
        worth = alike(joint.dataset, by_round, worth)
    seen = seen_by_distance(joint.dataset, start, radius, kernel.height)
    placed = by_distance(worth, seen, joint.n_nodes)
    placed /= norms(model, columns.table, joint)[dataset.owner, None, None]
    return finished(model, dataset, score, placed=placed)


def deep_colours(model: Any, kernel: Any, joint: Joint, dataset: Dataset, score: Reals) -> Parts:
    """A deep kernel is linear in the colours of its base: their weights go through M = E E^T."""
    by_round = colours_by_round(joint.dataset, 1, kernel.height)
    embedded = kernel._embedded(joint.dataset)
    lengths = np.linalg.norm(embedded, axis=1) if model.normalize else np.ones(len(embedded))
    lengths = np.where(lengths > 0, lengths, 1.0)
    if model._is_linear:
        direction = model.coef_.T
    else:
        fitted = embedded[: joint.n_graphs] / lengths[: joint.n_graphs, None]
        direction = fitted.T @ machine_of(model).alphas.T
    worth = np.zeros((joint.dataset.n_nodes, len(by_round), direction.shape[1]))
    for i, (codes, embedding) in enumerate(zip(by_round, kernel.embeddings_, strict=True)):
        numbers, n_numbers = by_appearance(codes)
        weights = np.zeros((n_numbers, direction.shape[1]))
        weights[: len(embedding)] = embedding @ direction
        worth[:, i] = weights[numbers]
    seen = seen_by_distance(joint.dataset, by_round[0], 1, kernel.height)
    placed = by_distance(worth, seen, joint.n_nodes)
    own = lengths[joint.n_graphs :]
    own = np.where(own > NOISE * lengths.max(), own, np.inf)  # of the others only rounding is left
    placed /= own[dataset.owner, None, None]
    return finished(model, dataset, score, placed=placed)


def start_colours(kernel: Any, dataset: Dataset) -> NDArray[np.int64]:
    """What nodes show before the first round."""
    if isinstance(kernel, Propagation):
        return first_labels(dataset)[0].astype(np.int64)
    labels = dataset.node_labels
    return (np.zeros(dataset.n_nodes) if labels is None else labels).astype(np.int64)


def shortest_paths(model: Any, kernel: Any, joint: Joint, dataset: Dataset, score: Reals) -> Parts:
    """A feature is a pair of labels at a distance: the pairs of nodes carry it."""
    both = joint.dataset
    labels = np.zeros(both.n_nodes, dtype=np.int32)
    if kernel.labelled and both.node_labels is not None:
        labels = both.node_labels
    order = np.lexsort((labels, both.owner)).astype(np.int32)
    arrays = both.graph_ptr, both.indptr, both.indices, labels, order
    graphs, one, other, distance, counts = count_triples(*read_only(*arrays))
    longest, n_labels = int(distance.max(initial=0)), int(labels.max(initial=0)) + 1

    def codes(a: Numbers, b: Numbers, d: Numbers) -> NDArray[np.int64]:
        return (a.astype(np.int64) * n_labels + b) * (longest + 1) + d

    occurrences = Occurrences(graphs, codes(one, other, distance), counts.astype(np.float64))
    columns = Columns(occurrences, len(both))
    weights = feature_weights(model, columns.table, joint)
    pairs = pairs_within(dataset, longest, least=1)
    ends = [labels[joint.n_nodes :][end] for end in (pairs.one, pairs.other)]
    amounts = np.zeros((len(pairs.one), weights.shape[1]))
    for a, b in (ends, ends[::-1]):  # every pair counts in both directions
        amounts += weights[columns.of(codes(a, b, pairs.distance))]
    amounts /= norms(model, columns.table, joint)[dataset.owner[pairs.one], None]
    names = [str(name) for name in both.label_names] if kernel.labelled else []
    terms = pair_terms(dataset, pairs, [end.astype(np.int64) for end in ends], amounts, names)
    return finished(model, dataset, score, terms=terms, **on_pairs(dataset, pairs, amounts))


def ring_pairs(model: Any, kernel: Any, joint: Joint, dataset: Dataset, score: Reals) -> Parts:
    """A feature is a pair of labels at a distance; the pairs of nodes that have it share its worth.

    Together they are worth f(c), where c is how many they are.
    """
    occurrences = kernel._occurrences(joint.dataset)
    columns = Columns(occurrences, len(joint.dataset))
    weights = feature_weights(model, columns.table, joint)
    words, numbers = kernel.node_words(joint.dataset)
    pairs = pairs_within(dataset, kernel.radius)
    one, other = ends = [numbers[joint.n_nodes :][end].astype(np.int64) for end in pairs[:2]]
    codes = pair_codes(pairs.distance, one, other, len(words))
    places = dataset.owner[pairs.one] * np.int64(codes.max(initial=0) + 1) + codes
    _, place, counts = np.unique(places, return_inverse=True, return_counts=True)
    worth = SCALES[kernel.scale](counts.astype(np.float64)) / counts
    amounts = weights[columns.of(codes)] * worth[place, None]
    amounts /= norms(model, columns.table, joint)[dataset.owner[pairs.one], None]
    names = [with_degree(word) if isinstance(word, tuple) else str(word) for word in words]
    terms = pair_terms(dataset, pairs, ends, amounts, names)
    return finished(model, dataset, score, terms=terms, **on_pairs(dataset, pairs, amounts))


def balls(model: Any, kernel: Any, joint: Joint, dataset: Dataset, score: Reals) -> Parts:
    """A feature is a pair of balls: the pair of their roots carries it, at the roots' distance."""
    both = joint.dataset
    columns = Columns(kernel._occurrences(both), len(both))
    weights = feature_weights(model, columns.table, joint)
    near = rings(both, max(kernel.radius, kernel.distance))
    pairs = [pairs_at(near, d) for d in range(kernel.distance + 1)]
    edge_labels = both.edge_labels if kernel.edge_labels else None
    lists: list[tuple[Pairs, Reals]] = []
    start = 0
    for numbers in ball_numbers(both, near, kernel.radius, edge_labels):
        for d, (v, u) in enumerate(pairs):
            level, worth = ball_pairs(kernel, both, numbers, v, u)
            own = v >= joint.n_nodes
            amounts = weights[columns.of(start + level[own])] * worth[own, None]
            ends = v[own] - joint.n_nodes, u[own] - joint.n_nodes
            lists.append((Pairs(*ends, np.full(len(ends[0]), d)), amounts))
            start += int(level.max(initial=-1)) + 1
    everyone = Pairs(*(np.concatenate(part) for part in zip(*(p for p, _ in lists), strict=True)))
    amounts = np.concatenate([amounts for _, amounts in lists])
    amounts /= norms(model, columns.table, joint)[dataset.owner[everyone.one], None]
    return finished(model, dataset, score, **on_pairs(dataset, everyone, amounts))


def ball_pairs(
    kernel: Any, both: Dataset, numbers: Numbers, v: Numbers, u: Numbers
) -> tuple[NDArray[np.int64], Reals]:
    """The column of every pair within its level, and what the pair counts for in its graph."""
    low, high = np.minimum(numbers[v], numbers[u]), np.maximum(numbers[v], numbers[u])
    codes = low * (int(numbers.max(initial=0)) + 1) + high
    worth = np.where(v == u, 1.0, np.where(low == high, 2.0, np.sqrt(2)))
    graphs = both.owner[v].astype(np.int64)
    if kernel.normalize_levels:
        table = tabulate(Occurrences(graphs, codes, worth), len(both))
        worth = worth / np.maximum(np.sqrt(squares(table)), np.finfo(float).tiny)[graphs]
    return by_appearance(codes)[0].astype(np.int64), worth


def subtrees(model: Any, kernel: Any, joint: Joint, dataset: Dataset, score: Reals) -> Parts:
    """A feature is a tree of shortest paths: its root carries it, at the distance of its height."""
    both = joint.dataset
    columns = Columns(kernel._occurrences(both), len(both))
    weights = feature_weights(model, columns.table, joint)
    visits = visit(both, kernel.height)
    placed = np.zeros((dataset.n_nodes, kernel.height + 1, weights.shape[1]))
    mine = visits.root >= joint.n_nodes
    for depth, (trees, sizes) in enumerate(trees_by_depth(both, visits, kernel.height)):
        left = kernel.height - visits.level
        shown = mine & (left >= depth if kernel.every_height else left == depth)
        chosen = trees[shown].astype(np.int64)
        amounts = weights[columns.of(chosen)] * kernel._weights(sizes)[chosen, None]
        root, tall = visits.node[shown] - joint.n_nodes, np.minimum(depth, visits.height[shown])
        places = root.astype(np.int64) * placed.shape[1] + tall
        sums = add_by(places, amounts, placed.shape[0] * placed.shape[1])
        placed += sums.reshape(placed.shape)
    placed /= norms(model, columns.table, joint)[dataset.owner, None, None]
    return finished(model, dataset, score, placed=placed)


def graphlets(model: Any, kernel: Any, joint: Joint, dataset: Dataset, score: Reals) -> Parts:
    """A feature is a set of three nodes, each of which carries a third.

    How many sets a node is part of is what a graph has more than it has without that node.
    """
    both = joint.dataset
    own = both[np.arange(joint.n_graphs, len(both))]
    masked = without_each_node(own)
    occurrences = kernel._occurrences(both)
    columns = Columns(occurrences, len(both))
    weights = feature_weights(model, columns.table, joint)
    whole, less = kernel._counted(own), kernel._counted(masked.dataset)
    worth = [
        add_by(part.graphs, weights[columns.of(part.codes)] * part.counts[:, None], n)
        for part, n in ((whole, len(own)), (less, len(masked.dataset)))
    ]
    each = worth[0][dataset.owner]
    each[masked.nodes] -= worth[1]
    totals = np.bincount(whole.graphs, whole.counts, len(dataset)) if kernel.shares else 1.0
    scale = norms(model, columns.table, joint) * np.maximum(totals, 1.0) * kernel.size
    return finished(model, dataset, score, nodes=each / scale[dataset.owner, None])


def finished(model: Any, dataset: Dataset, score: Reals, **parts: Any) -> Parts:
    """Parts added to the intercept; a graph without a single feature has its score left over.

    A normalised kernel calls two such graphs equal, which no feature says.
    """
    base = machine_of(model).intercept[None]
    made = collected(dataset, score, base, **parts)
    nothing = ~(made.placed.any(axis=(1, 2)) | made.nodes.any(axis=1))
    empty = np.bincount(dataset.owner, ~nothing, minlength=len(dataset)) == 0
    made.rest[empty] += (score - base)[empty]
    return made


CARRIERS: dict[type[Any], Explain] = {
    RingWeisfeilerLehman: colours,
    Propagation: colours,
    ShortestPath: shortest_paths,
    ProfileKernel: ring_pairs,
    NSPDK: balls,
    ODDSTh: subtrees,
}
