"""Kernels that count a colour of every node after every round: wl, ring-wl, wl-oa, propagation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphrings.distances.colours import refine
from graphrings.distances.rings import rings
from graphrings.explanations.parts import Reals, add_by
from graphrings.graphs.dataset import Dataset


class Seen(NamedTuple):
    """What a node can know of its surroundings up to a distance, and how many rounds that is."""

    colours: NDArray[np.int64]
    rounds: int


def seen_by_distance(
    dataset: Dataset, start: NDArray[np.int64], radius: int, height: int
) -> Iterator[Seen]:
    """Colours that grow finer with every distance from 0 to radius * height.

    Round i sees distances up to i * radius: within it, rings are shown to the nodes one by one.
    """
    near = [rings(dataset, j) for j in range(1, radius + 1)]
    colours = start
    yield Seen(colours, 0)
    for i in range(1, height + 1):
        for j, shown in enumerate(near, start=1):
            finer = refine(shown, colours, rounds=1).astype(np.int64)
            yield Seen(finer, i if j == radius else i - 1)
        colours = finer if near else colours


def by_distance(worth: Reals, seen: Iterator[Seen], known: int) -> Reals:
    r"""What every distance adds to the worth of a node's colours, for all nodes from ``known`` on.

    .. math:: C_{vd} = E[f \mid s_d(v)] - E[f \mid s_{d-1}(v)]

    where f(v) is the sum of ``worth[v]`` over the rounds, s_d(v) what v sees up to distance d, and
    E the mean over the first ``known`` nodes, those of the graphs that the machine compares with.
    The last distance has f itself, so that the sum over all is f(v). A node that sees what none of
    them does is worth what its rounds so far are: all later colours are new, and count nothing.
    """
    total = worth.sum(axis=1)
    expected: list[Reals] = []
    levels = list(seen)
    for colours, rounds in levels[:-1]:
        numbers = np.unique(colours, return_inverse=True)[1]
        n_colours = int(numbers.max(initial=-1)) + 1
        counts = np.bincount(numbers[:known], minlength=n_colours)
        sums = add_by(numbers[:known], total[:known], n_colours)
        means = sums / np.maximum(1, counts)[:, None]
        own = numbers[known:]
        so_far = worth[known:, : rounds + 1].sum(axis=1)
        expected.append(np.where(counts[own, None] > 0, means[own], so_far))
    expected.append(total[known:])
    stacked = np.stack(expected, axis=1)
    return np.diff(stacked, axis=1, prepend=0.0)


def alike(dataset: Dataset, colours: NDArray[np.int64], worth: Reals) -> Reals:
    """The mean over the nodes of a graph that have the same colour, round by round."""
    shared = np.empty_like(worth)
    for i in range(worth.shape[1]):
        codes = dataset.owner * (np.int64(colours[:, i].max(initial=0)) + 1) + colours[:, i]
        numbers = np.unique(codes, return_inverse=True)[1]
        n_groups = int(numbers.max(initial=-1)) + 1
        counts = np.maximum(1, np.bincount(numbers, minlength=n_groups))[:, None]
        shared[:, i] = (add_by(numbers, worth[:, i], n_groups) / counts)[numbers]
    return shared
