"""Contributions of pairs of nodes at a distance: half to each, and to the edge between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from graphrings.distances.ring_profile import pair_codes
from graphrings.distances.rings import rings
from graphrings.explanations.parts import Numbers, Reals, Term, add_by, edge_ends, named_terms
from graphrings.graphs.dataset import Dataset


class Pairs(NamedTuple):
    """Pairs of nodes, the first not above the second, and their distance."""

    one: Numbers
    other: Numbers
    distance: Numbers


def pairs_within(dataset: Dataset, radius: int, least: int = 0) -> Pairs:
    """All pairs of nodes at distances ``least`` to ``radius``; at 0 a node is alone."""
    near = rings(dataset, max(radius, 0))
    blocks = near.blocks
    one, distance = np.divmod(blocks, near.width)
    other = near.indices.astype(np.int64)
    kept = (one <= other) & (distance >= least)
    return Pairs(one[kept], other[kept], distance[kept])


def on_pairs(dataset: Dataset, pairs: Pairs, amounts: Reals) -> dict[str, Reals]:
    """The amounts of pairs on nodes by distance, and on edges where the distance is 1."""
    width = int(pairs.distance.max(initial=0)) + 1
    placed = np.zeros((dataset.n_nodes * width, amounts.shape[1]))
    for end in (pairs.one, pairs.other):
        placed += add_by(end.astype(np.int64) * width + pairs.distance, amounts / 2, len(placed))
    tails, heads = edge_ends(dataset)
    near = (pairs.distance == 1) & (pairs.one != pairs.other)
    codes = tails * np.int64(dataset.n_nodes) + heads
    wanted = pairs.one[near] * np.int64(dataset.n_nodes) + pairs.other[near]
    edges = add_by(np.searchsorted(codes, wanted), amounts[near], len(tails))
    return {"placed": placed.reshape(dataset.n_nodes, width, -1), "edges": edges}


def pair_terms(
    dataset: Dataset,
    pairs: Pairs,
    labels: Sequence[Numbers],
    amounts: Reals,
    names: Sequence[str],
) -> tuple[Term, ...]:
    """What pairs of labels at every distance do together; ``labels`` are those of both ends."""
    n_names = max(1, len(names))
    one, other = labels
    codes = pair_codes(pairs.distance, one, other, n_names)
    distinct, numbers = np.unique(codes, return_inverse=True)
    words = []
    for code in distinct.tolist():
        rest, b = divmod(code, n_names)
        distance, a = divmod(rest, n_names)
        pair = f"{names[a]}-{names[b]}" if names else "nodes"
        words.append(f"{pair} at distance {distance}")
    places = dataset.owner[pairs.one].astype(np.int64) * len(distinct) + numbers
    sums = add_by(places, amounts, len(dataset) * len(distinct))
    return named_terms(words, sums.reshape(len(dataset), len(distinct), -1))
