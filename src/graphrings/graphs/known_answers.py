"""Tasks whose answer is known: what a filter must see, and what no stack of layers replaces."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graphrings.errors import DatasetError
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.pack import pack

SHORTEST, LONGEST = 3, 5  # the two cycles of `one_cycle_or_two`
BODY, LEGS, FEET = "body", ("a", "b", "c"), ("-", "+")  # labels of spiders
SPIDERS = (((1, 0, 0), (0, 1, 1)), ((0, 1, 0), (1, 0, 1)))  # the feet of a pair, by class
BYSTANDER = (0, 0, 0)


def one_cycle_or_two(n_graphs: int, seed: int = 0) -> Dataset:
    """One cycle of 2 m nodes (class 0) or two of m (class 1), m = 3, 4 or 5; nothing else differs.

    Every node has two neighbours, so that neighbours of neighbours, and walks of any length, show
    the same everywhere: no number of layers of radius 1 tells the classes apart, and no power of A.
    Ring 3 does: it is empty in the small cycles only.
    """
    rng, targets = _begin(n_graphs, seed)
    halves = rng.integers(SHORTEST, LONGEST + 1, n_graphs)
    edges, bounds = [], [0]
    for target, m in zip(targets, halves, strict=True):
        around = np.arange(2 * m)
        after = np.where(around % m == m - 1, around - m + 1, around + 1)
        after = after if target else np.roll(around, -1)
        names = bounds[-1] + rng.permutation(2 * m)
        edges.append(np.stack([names, names[after]]))
        bounds.append(bounds[-1] + 2 * m)
    tails, heads = np.concatenate(edges, axis=1)
    kept = (targets, (0, 1))
    return pack("cycles", np.array(bounds), tails, heads, directed=False, targets=kept)


def spiders(n_graphs: int, seed: int = 0) -> Dataset:
    """Spiders with legs a, b and c and feet + or -: +-- with -++ (class 0), -+- with +-+ (class 1).

    A body sees three legs and how many feet are +, a leg sees its own foot, and both are the same
    in the two classes: one filter of radius 2 cannot tell them apart, though all lies in its reach.
    Two layers of sums over neighbours can (GIN): the second sees which leg has which foot. Eq. (10)
    lays its rings side by side, so that leg and foot meet one layer later: radius 1 takes three
    layers. One or two pairs and up to three spiders --- make a graph.
    """
    rng, targets = _begin(n_graphs, seed)
    n_pairs, n_others = rng.integers(1, 3, n_graphs), rng.integers(0, 4, n_graphs)
    labels, edges, bounds = [], [], [0]
    for target, pairs, others in zip(targets, n_pairs, n_others, strict=True):
        kinds = [*SPIDERS[target] * pairs, *[BYSTANDER] * others]
        names = rng.permutation(7 * len(kinds))
        own = np.empty(len(names), dtype=np.int32)
        own[names] = np.concatenate([_spider(feet) for feet in kinds])
        start = np.repeat(7 * np.arange(len(kinds)), 6)
        tails = start + np.tile([0, 0, 0, 1, 2, 3], len(kinds))
        heads = start + np.tile([1, 2, 3, 4, 5, 6], len(kinds))
        labels.append(own)
        edges.append(bounds[-1] + names[np.stack([tails, heads])])
        bounds.append(bounds[-1] + len(names))
    tails, heads = np.concatenate(edges, axis=1)
    return pack(
        "spiders",
        np.array(bounds),
        tails,
        heads,
        directed=False,
        targets=(targets, (0, 1)),
        node_labels=(np.concatenate(labels), (BODY, *LEGS, *FEET)),
    )


def _spider(feet: Sequence[int]) -> np.ndarray:
    """The labels of a body, three legs and their feet."""
    return np.array([0, 1, 2, 3, *(4 + foot for foot in feet)], dtype=np.int32)


def _begin(n_graphs: int, seed: int) -> tuple[np.random.Generator, np.ndarray]:
    if n_graphs < 1:
        raise DatasetError(f"{n_graphs} graphs; expected at least one")
    rng = np.random.default_rng(seed)
    return rng, rng.permutation(np.arange(n_graphs, dtype=np.int32) % 2)
