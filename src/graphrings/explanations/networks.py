"""Networks: integrated gradients over node features, ring by ring, SortPooling's order held."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from graphrings.distances.colours import refine
from graphrings.distances.hashed_nodes import PARTS
from graphrings.distances.rings import rings
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.distances.weights import by_colour
from graphrings.explanations.parts import (
    Parts,
    Reals,
    add_by,
    collected,
    edge_ends,
    joined,
    shared_by_edges,
)
from graphrings.fused.lane import lane
from graphrings.graphs.dataset import Dataset
from graphrings.layers.sort_pool import SortPool
from graphrings.learning.network_estimators import ring_sizes
from graphrings.learning.trainer import reproducible
from graphrings.networks.batches import Batch, Batcher
from graphrings.networks.dcnn import Diffusion
from graphrings.networks.network import Network
from graphrings.networks.patchy_san import Fields

STEPS = 32  # of the integral, by Gauss and Legendre
MOST_NODES = 4000  # explained at once
SYMMETRIC = 3  # radius of the colours that nodes must share to count as symmetric


def network_score(model: Any, dataset: Dataset) -> Reals:
    """An output per class, of two how much the second is ahead; values as they are predicted."""
    if not hasattr(model, "classes_"):
        return np.asarray(model.predict(dataset), dtype=np.float64)[:, None]
    decided = np.asarray(model.decision_function(dataset), dtype=np.float64)
    return decided.reshape(len(dataset), -1)


def explain_network(model: Any, dataset: Dataset) -> Parts:
    r"""Integrated gradients of the networks that see fewer and fewer rings.

    .. math:: C_{ud} = \mathrm{IG}_u(F_d) - \mathrm{IG}_u(F_{d-1}), \quad
              \mathrm{IG}_u(F) = \int \frac{\partial F}{\partial x_u} \cdot dx_u

    where :math:`F_d` is the network whose layers find all rings beyond d empty. SortPooling and
    receptive fields keep the order that they have at X. The path leads from zeros to labels without
    degrees, and from there to X; what u gains on its second part is carried by its edges, half by
    each end. A node that sees nobody has no degree: :math:`F_0` stays at the labels. The sum over d
    and all nodes is F(X) - F(0), up to the error of the integral, which is left over.
    """
    score = network_score(model, dataset)
    with reproducible(0), lane(fused=False):
        chunks = list(some_at_a_time(dataset))
        made = [explain_chunk(model, dataset[chunk], score[chunk]) for chunk in chunks]
    return joined(made)


def some_at_a_time(dataset: Dataset) -> Iterator[NDArray[np.intp]]:
    """The graphs in chunks of not too many nodes."""
    part = np.cumsum(dataset.sizes.astype(np.int64)) // MOST_NODES
    for number in np.unique(part):
        yield np.flatnonzero(part == number)


def explain_chunk(model: Any, dataset: Dataset, score: Reals) -> Parts:
    """The parts of some graphs."""
    network = copy.deepcopy(model.network_).cpu().double().eval().requires_grad_(False)
    numbers, table = model.features_.apply(dataset, ring_sizes, PARTS)
    batch, nodes = one_row_per_node(network, dataset, numbers)
    tables = np.zeros_like(table), model.features_.without_degrees(table), table
    path = Path(*(torch.from_numpy(one[numbers[nodes]]).double() for one in tables))
    scale, shift = (1.0, 0.0)
    if not hasattr(model, "classes_"):
        scale, shift = model.coding_.deviation, model.coding_.mean
    start = scale * outputs(model, network, replace(batch, features=path.nothing)).numpy() + shift
    gains = scale * by_distance(model, network, batch, path, nodes, dataset)
    in_order = np.empty_like(gains)
    in_order[:, nodes] = np.diff(gains, axis=2, prepend=0.0)
    radius = 1 if isinstance(network.view, Fields) else SYMMETRIC
    labels, degrees = (symmetric(dataset, numbers, part, radius) for part in in_order)
    carried, edges = on_neighbours(dataset, degrees)
    placed = labels + carried
    rest = score - start - add_by(dataset.owner, placed.sum(axis=1), len(dataset))
    edges += shared_by_edges(dataset, labels)
    return collected(dataset, score, start, placed=placed, rest=rest, edges=edges)


class Path(NamedTuple):
    """Where the integral begins, where it turns, and where it ends; one row per node."""

    nothing: Tensor
    labels: Tensor
    everything: Tensor


def by_distance(
    model: Any,
    network: Network,
    batch: Batch,
    path: Path,
    nodes: NDArray[np.int64],
    dataset: Dataset,
) -> Reals:
    """Integrated gradients of both parts of the path, (2, rows, farthest distance, outputs)."""
    distances, gains = entry_distances(network.view, batch, nodes, dataset), []
    for d in range(max(1, *(int(part.max(initial=0)) for part in distances)) + 1):
        near = tuple(within(*pair, d) for pair in zip(batch.rows, distances, strict=True))
        shown = replace(batch, rows=near, features=path.everything if d else path.labels)
        hold_orders(network)
        outputs(model, network, shown)  # decides the orders
        ways = (path.nothing, path.labels), (path.labels, shown.features)
        gains.append([integrated(model, network, shown, *way) for way in ways])
    return np.stack([np.stack(part, axis=1) for part in zip(*gains, strict=True)])


def outputs(model: Any, network: Network, batch: Batch) -> Tensor:
    """What is explained of a network's outputs."""
    given: Tensor = network(batch)
    two = len(getattr(model, "classes_", ())) == 2
    return given[:, 1:] - given[:, :1] if two else given


def one_row_per_node(
    network: Network, dataset: Dataset, numbers: NDArray[np.int64]
) -> tuple[Batch, NDArray[np.int64]]:
    """All graphs in a batch that shares no rows, and the node of every row of features.

    Fields keep the order that features decide, whose numbers are given.
    """
    everyone, view = np.arange(dataset.n_nodes), network.view
    if isinstance(view, Fields):
        levels = view.ordered_by(dataset, numbers, everyone)
    else:
        levels = view(dataset, everyone)
    named = by_colour(levels, 0, everyone)[:, None]
    batch = Batcher(levels, named)(np.arange(len(dataset)))
    return batch, batch.features.numpy()[:, 0]


def hold_orders(network: Network) -> None:
    """Let every SortPooling decide on an order once more, and then keep it."""
    for pool in network.modules():
        if isinstance(pool, SortPool):
            held = Held(partial(SortPool.places, pool))
            pool.places = held  # type: ignore[assignment, method-assign]


class Held:
    """A function that goes on giving its first result."""

    def __init__(self, function: Callable[..., Tensor]) -> None:
        self.function, self.result = function, list[Tensor]()

    def __call__(self, *arguments: Any) -> Tensor:
        """That result."""
        if not self.result:
            self.result.append(self.function(*arguments))
        return self.result[0]


def entry_distances(
    view: Any, batch: Batch, nodes: NDArray[np.int64], dataset: Dataset
) -> list[NDArray[np.int64]]:
    """The distance between a row's node and each of its members, for all entries of all levels.

    Where a row stands for a whole graph, it is the number of the block, a number of steps.
    """
    if isinstance(view, Diffusion):
        return [near.blocks % near.width for near in batch.rows]
    distances, below = [], nodes
    for near, parents in zip(batch.rows, batch.parents, strict=True):
        above = below[parents]
        ends = above[near.blocks // near.width], below[near.indices]
        distances.append(node_distances(dataset, *ends))
        below = above
    return distances


def node_distances(
    dataset: Dataset, one: NDArray[np.int64], other: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The distances of some pairs of nodes that a path joins."""
    codes = one * np.int64(dataset.n_nodes) + other
    distances = np.where(one == other, 0, -1)
    for radius in count(1):
        open_ones = np.flatnonzero(distances < 0)
        if len(open_ones) == 0:
            return distances
        ring = rings(dataset, radius).matrix(radius).tocoo()
        assert ring.nnz, "somebody sees a node that no path leads to"
        there = np.isin(codes[open_ones], ring.row.astype(np.int64) * dataset.n_nodes + ring.col)
        distances[open_ones[there]] = radius
    raise AssertionError


def within(near: WeightedRows, distances: NDArray[np.int64], most: int) -> WeightedRows:
    """The same rows without members that are farther away."""
    kept = distances <= most
    lengths = np.add.reduceat(np.append(kept, False), near.indptr[:-1], dtype=np.int64)
    lengths[np.diff(near.indptr) == 0] = 0
    bounds = np.concatenate([[0], np.cumsum(lengths)])
    return WeightedRows(near.width, bounds, near.indices[kept], near.weights[kept])


def integrated(model: Any, network: Network, batch: Batch, start: Tensor, end: Tensor) -> Reals:
    """The integrated gradient of every row of features on the way, a column per output."""
    way, total = end - start, Tensor()
    points, weights = np.polynomial.legendre.leggauss(STEPS if way.any() else 1)
    for k, (point, weight) in enumerate(zip((points + 1) / 2, weights / 2, strict=True)):
        shown = (start + point * way).requires_grad_()
        given = outputs(model, network, replace(batch, features=shown))
        columns = [
            torch.autograd.grad(column.sum(), shown, retain_graph=True)[0]
            for column in given.unbind(1)
        ]
        step = weight * torch.stack([(g * way).sum(dim=1) for g in columns], dim=1)
        total = total + step if k else step
    return total.numpy()


def on_neighbours(dataset: Dataset, degrees: Reals) -> tuple[Reals, Reals]:
    """What the degrees of nodes did, on the pairs that a degree counts: half to each of the two.

    Then what edges carry of it. An isolated node keeps what its degree did.
    """
    tails = np.repeat(np.arange(dataset.n_nodes), dataset.degrees)
    halves = degrees / (2 * np.maximum(1, dataset.degrees))[:, None, None]
    alone = (dataset.degrees == 0)[:, None, None]
    carried = np.where(alone, degrees, degrees / 2)
    carried += add_by(dataset.indices, halves[tails], dataset.n_nodes)
    one, other = edge_ends(dataset)
    return carried, 2 * (halves[one, 1] + halves[other, 1])


def symmetric(dataset: Dataset, numbers: NDArray[np.int64], placed: Reals, radius: int) -> Reals:
    """The means over symmetric nodes of a graph, between which an order can only choose by luck.

    Those are nodes of one stable colour. Fields know no more of it than neighbours do.
    """
    colours = refine(rings(dataset, radius), numbers)
    codes = dataset.owner * (np.int64(colours.max(initial=0)) + 1) + colours
    groups = np.unique(codes, return_inverse=True)[1]
    counts = np.bincount(groups)[:, None, None]
    return np.asarray((add_by(groups, placed, len(counts)) / counts)[groups])
