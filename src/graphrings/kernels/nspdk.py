"""The neighbourhood subgraph pairwise distance kernel: pairs of balls, counted by distance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, hstack

from graphrings.compiled import compiled
from graphrings.distances.rings import Rings, rings
from graphrings.errors import DatasetError
from graphrings.graphs.carried import EDGE_LABELS
from graphrings.graphs.dataset import Dataset
from graphrings.kernels.kernel import FeatureKernel, Occurrences, unit_rows
from graphrings.kernels.tables import by_appearance, tabulate
from graphrings.limits import Work, begin
from graphrings.loops import mixed
from graphrings.settings import FAR, Settings, switch, whole

N_IMAGES = 2  # of a ball, 64 bits each
WHOLE = 0.05  # of the time of a ball, for one that is a whole graph
BYTES_A_PAIR = 90  # of nodes
BYTES_A_FEATURE = 25  # one for each pair and radius, at the most
Numbered = dict[bool, list[NDArray[np.int64]]]  # with and without edge labels, by radius
NUMBERED: WeakKeyDictionary[Dataset, Numbered] = WeakKeyDictionary()  # the balls of datasets


class NSPDK(FeatureKernel):
    r"""Neighbourhood subgraph pairwise distance kernel (Costa and De Grave, 2010).

    .. math:: k(G, G') = \sum_{r=0}^{R} \sum_{d=0}^{D} \hat\kappa_{r,d}(G, G'), \quad
              \kappa_{r,d}(G, G') = \sum_{u, v : \, d(u, v) = d} \; \sum_{u', v' : \, d(u', v') = d}
              [N_r(u) \cong N_r(u')] \, [N_r(v) \cong N_r(v')]

    over ordered pairs of nodes, where :math:`N_r(v)` is the subgraph of the nodes within r of v,
    rooted at v, and :math:`\hat\kappa` is the cosine of :math:`\kappa`, or :math:`\kappa` itself
    with ``normalize_levels=False``. A graph without pairs at a distance has nothing in common with
    any graph there, not even with itself.

    Balls count as isomorphic if the authors' invariant agrees: every node of a ball is described
    by its label, its distance from the root, and the multiset of distances inside the ball and
    labels of all its nodes; the ball by the multisets of its nodes and of its edges with the
    descriptions of both ends (and their label, with ``edge_labels=True``). Descriptions are
    compared by 128 bits. Unlabelled nodes are all alike.

    GraKeL describes a ball without its root, by distances in the whole graph, and in the order of
    node numbers, so that it tells isomorphic balls apart. From 3 on its distances and radii grow
    too fast: its 3 is 3 or 4. With radius 0 it looks at distance 0 alone. A graph without pairs at
    a distance counts 1 there on its diagonal.
    """

    settings: ClassVar[Settings] = {
        "radius": whole("the largest radius of a ball", 0, FAR),
        "distance": whole("the largest distance between the roots of two balls", 0, FAR),
        "normalize_levels": switch("whether to normalise for every radius and distance by itself"),
        "edge_labels": switch("whether balls have to agree in the labels of their edges, too"),
    }

    def __init__(
        self,
        radius: int = 3,
        distance: int = 5,
        normalize_levels: bool = True,
        edge_labels: bool = False,
        normalize: bool = False,
    ) -> None:
        self.radius = radius
        self.distance = distance
        self.normalize_levels = normalize_levels
        self.edge_labels = edge_labels
        self.normalize = normalize

    @property
    def sees(self) -> tuple[str, ...]:
        """Edge labels, too, if they are asked for."""
        return (*super().sees, *([EDGE_LABELS] if self.edge_labels else []))

    def _occurrences(self, dataset: Dataset) -> Occurrences:
        """Graph after graph its pairs, by radius and distance."""
        near = rings(dataset, max(self.radius, self.distance))
        check_size(near, self.radius, self.distance)
        pairs = [pairs_at(near, d) for d in range(self.distance + 1)]
        edge_labels = dataset.edge_labels if self.edge_labels else None
        if self.edge_labels and edge_labels is None:
            raise DatasetError(f"{dataset.name}: edges without labels, which edge_labels asks for")
        levels = [
            self._level(dataset, balls, v, u)
            for balls in ball_numbers(dataset, near, self.radius, edge_labels)
            for v, u in pairs
        ]
        table = hstack(levels, format="csr")
        graphs = np.repeat(np.arange(len(dataset)), np.diff(table.indptr))
        return Occurrences(graphs, table.indices.astype(np.int64), table.data)

    def _level(
        self,
        dataset: Dataset,
        balls: NDArray[np.int64],
        v: NDArray[np.int64],
        u: NDArray[np.int64],
    ) -> csr_array:
        """The pairs of balls of one radius around nodes v and u, which are at one distance."""
        low, high = np.minimum(balls[v], balls[u]), np.maximum(balls[v], balls[u])
        codes = low * (int(balls.max(initial=0)) + 1) + high
        # Of two ordered pairs of balls only one is kept: as two features, or once counted twice.
        weights = np.where(v == u, 1.0, np.where(low == high, 2.0, np.sqrt(2)))
        graphs = dataset.owner[v].astype(np.int64)
        table = tabulate(Occurrences(graphs, codes, weights), len(dataset))
        return unit_rows(table) if self.normalize_levels else table


def check_size(near: Rings, radius: int, distance: int) -> None:
    """Refuse more pairs of balls than would fit."""
    sizes = near.sizes
    n_pairs = (int(sizes[:, : distance + 1].sum()) + near.n_nodes) // 2
    what = f"{n_pairs:,} pairs of nodes at most {distance} apart"
    needed = n_pairs * (BYTES_A_PAIR + (radius + 1) * BYTES_A_FEATURE)
    begin(Work(what, "take a smaller distance or fewer graphs", needed))


def pairs_at(near: Rings, distance: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The nodes v, ascending, and u >= v that are at one distance."""
    ring = near.matrix(distance)
    v, u = np.repeat(np.arange(near.n_nodes), np.diff(ring.indptr)), ring.indices.astype(np.int64)
    return v[u >= v], u[u >= v]


def ball_numbers(
    dataset: Dataset, near: Rings, radius: int, edge_labels: NDArray[np.int32] | None
) -> list[NDArray[np.int64]]:
    """For radius 0, 1, ... a number for the ball of every node: isomorphic balls have the same.

    Kernels of a grid ask for the same balls again, which are kept as long as the dataset is.
    """
    kept, labelled = NUMBERED.setdefault(dataset, {}), edge_labels is not None
    if len(kept.get(labelled, [])) <= radius:
        kept[labelled] = list(number_balls(dataset, near, radius, edge_labels))
    return kept[labelled][: radius + 1]


def number_balls(
    dataset: Dataset, near: Rings, radius: int, edge_labels: NDArray[np.int32] | None
) -> Iterator[NDArray[np.int64]]:
    """The numbers of all balls, made anew."""
    labels = labels_or_zeros(dataset.node_labels, dataset.n_nodes)
    bonds = labels_or_zeros(edge_labels, len(dataset.indices))
    graph = dataset.indptr, dataset.indices, labels, bonds
    twins = first_twins(*graph)
    roots = np.flatnonzero(twins == np.arange(len(twins)))
    announce(near, radius, roots, dataset.sizes[dataset.owner[roots]])
    images = np.empty((radius + 1, N_IMAGES, dataset.n_nodes), dtype=np.uint64)
    describe_balls(near.indptr, near.indices, near.radius + 1, *graph, twins, images)
    for one, other in images.view(np.int64):
        numbers, _ = by_appearance(one)
        others, n_others = by_appearance(other)
        joint = by_appearance(numbers * np.int64(n_others) + others)[0].astype(np.int64)
        joint.setflags(write=False)
        yield joint


def announce(near: Rings, radius: int, roots: NDArray[np.int64], sizes: NDArray[np.int32]) -> None:
    """Say so where balls around some nodes, of graphs of such sizes, take long, or refuse them."""
    rings_of = near.sizes[roots, : radius + 1].astype(np.float64)
    balls = np.cumsum(rings_of, axis=1)
    share = np.where(balls == sizes[:, None], WHOLE, 1.0) * (rings_of > 0)
    what = f"the balls up to radius {radius} of {near.n_nodes:,} nodes"
    instead = "take a smaller radius, smaller or fewer graphs, or the kernel wl"
    n_steps = (share * np.square(balls)).sum()
    begin(Work(what, instead, kind="nodes of balls, squared", n_steps=n_steps))


def labels_or_zeros(labels: NDArray[np.int32] | None, n: int) -> NDArray[np.int32]:
    """The labels, or one label for all; an own array, so that there is one type to compile for."""
    return np.zeros(n, dtype=np.int32) if labels is None else labels.copy()


@compiled
def first_twins(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    labels: NDArray[np.int32],
    edge_labels: NDArray[np.int32],
) -> NDArray[np.int32]:
    """The first neighbour of every node that could take its place, or the node itself.

    Both have the same label and the same other neighbours, by edges of the same labels, so that
    their balls are isomorphic. In a network of cliques most nodes have such twins.
    """
    n_nodes = len(labels)
    keys = np.empty(n_nodes, dtype=np.uint64)  # of a node with its neighbours
    for v in range(n_nodes):
        keys[v] = mixed(np.uint64(v))
        for e in range(indptr[v], indptr[v + 1]):
            keys[v] += mixed(np.uint64(indices[e]))
    twins = np.arange(n_nodes).astype(np.int32)
    for v in range(n_nodes):
        for e in range(indptr[v], indptr[v + 1]):
            w = indices[e]
            if w >= v:
                break
            if keys[w] == keys[v] and are_twins(v, w, indptr, indices, labels, edge_labels):
                twins[v] = w
                break
    return twins


@compiled
def are_twins(
    v: int,
    w: int,
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    labels: NDArray[np.int32],
    edge_labels: NDArray[np.int32],
) -> bool:
    """Whether two neighbours differ in nothing; neighbours are sorted."""
    if labels[v] != labels[w] or degree(v, indptr) != degree(w, indptr):
        return False
    d, e = indptr[v], indptr[w]
    for _ in range(degree(v, indptr) - 1):
        d += indices[d] == w
        e += indices[e] == v
        if indices[d] != indices[e] or edge_labels[d] != edge_labels[e]:
            return False
        d, e = d + 1, e + 1
    return True


@compiled
def describe_balls(
    ring_indptr: NDArray[np.int64],
    ring_indices: NDArray[np.int32],
    width: int,
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    labels: NDArray[np.int32],
    edge_labels: NDArray[np.int32],
    twins: NDArray[np.int32],
    images: NDArray[np.uint64],
) -> None:
    """Write an image of every ball to ``images[r, which, v]``; images differ in how they mix."""
    n_nodes = images.shape[2]
    nodes = np.empty((images.shape[1], n_nodes), dtype=np.uint64)  # images of a ball's nodes
    inside = np.empty_like(nodes)  # images of all that a node sees in a ball
    anywhere = np.empty_like(nodes)  # the same in a ball that is all of a component
    known = np.zeros(n_nodes, dtype=np.bool_)  # there, whatever the root
    depth = np.full(n_nodes, n_nodes, dtype=np.int32)  # distance from the root, inside the ball
    seen = np.full(n_nodes, -1, dtype=np.int64)
    queue = np.empty(n_nodes, dtype=np.int32)
    alike = np.empty(n_nodes, dtype=np.int32)  # the first node of a ball that is described so
    sums = np.empty(n_nodes, dtype=np.uint64)  # over the edges of a node in a ball
    hues = np.empty_like(nodes)  # images of labels
    for which in range(len(nodes)):
        for v in range(n_nodes):
            hues[which, v] = mixed(np.uint64(labels[v]) * np.uint64(N_IMAGES) + np.uint64(which))
    searches = 0
    for v in range(n_nodes):
        if twins[v] < v:
            images[:, :, v] = images[:, :, twins[v]]
            continue
        start, stop = ring_indptr[v * width], ring_indptr[v * width]
        for r in range(images.shape[0]):
            inner, stop = stop, ring_indptr[v * width + r + 1]
            ball = ring_indices[start:stop]
            if inner == stop:  # nothing new since the last radius
                images[r, :, v] = images[r - 1, :, v]
                continue
            for x in ring_indices[inner:stop]:
                depth[x] = r
            whole = is_whole(ring_indices[inner:stop], indptr, indices, depth)
            sights = anywhere if whole else inside
            heir = n_nodes  # the first twin of the root, which is not like the root in its ball
            for x in ball:
                alike[x] = x if x == v else twins[x]
                if alike[x] == v and x != v:
                    heir = min(heir, x)
                    alike[x] = heir
                y = alike[x]
                if y == x and not (whole and known[x]):
                    look_around(
                        x, len(ball), indptr, indices, hues, depth, searches, seen, queue, sights
                    )
                    searches, known[x] = searches + 1, known[x] or whole
                for which in range(images.shape[1]):
                    way = mixed(np.uint64(depth[x]) * np.uint64(N_IMAGES) + np.uint64(which))
                    nodes[which, x] = way + sights[which, y]
            for which in range(images.shape[1]):
                images[r, which, v] = joined(
                    ball,
                    alike,
                    indptr,
                    indices,
                    edge_labels,
                    depth,
                    nodes[which],
                    sums,
                    np.uint64(which),
                )
        for x in ring_indices[start:stop]:
            depth[x] = n_nodes


@compiled
def is_whole(
    ring: NDArray[np.int32],
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    depth: NDArray[np.int32],
) -> bool:
    """Whether no edge leaves a ball by its outermost ring: it is all of a component then."""
    for x in ring:
        for e in range(indptr[x], indptr[x + 1]):
            if depth[indices[e]] == len(depth):
                return False
    return True


@compiled
def look_around(
    x: int,
    n_ball: int,
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    hues: NDArray[np.uint64],
    depth: NDArray[np.int32],
    search: int,
    seen: NDArray[np.int64],
    queue: NDArray[np.int32],
    sights: NDArray[np.uint64],
) -> None:
    """Write images of the multiset of labels that x sees in a ball, with their distances."""
    outside = len(depth)
    for which in range(len(sights)):
        sights[which, x] = np.uint64(0)
    queue[0], seen[x] = x, search
    start, size, distance = 0, 1, 0
    while start < size:
        stop = size
        for k in range(start, stop):
            y = queue[k]
            for which in range(len(sights)):
                sights[which, x] += mixed(hues[which, y] + np.uint64(distance))
            if size == n_ball:  # nobody is left to be found
                continue
            for e in range(indptr[y], indptr[y + 1]):
                z = indices[e]
                if depth[z] < outside and seen[z] != search:
                    seen[z] = search
                    queue[size] = z
                    # The node with most neighbours comes first: it may find all others at once.
                    if degree(z, indptr) > degree(queue[stop], indptr):
                        queue[stop], queue[size] = z, queue[stop]
                    size += 1
        start, distance = stop, distance + 1


@compiled
def degree(x: int, indptr: NDArray[np.int32]) -> int:
    """The number of neighbours, in the whole graph."""
    return int(indptr[x + 1] - indptr[x])


@compiled
def joined(
    ball: NDArray[np.int32],
    alike: NDArray[np.int32],
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    edge_labels: NDArray[np.int32],
    depth: NDArray[np.int32],
    nodes: NDArray[np.uint64],
    sums: NDArray[np.uint64],
    which: np.uint64,
) -> np.uint64:
    """An image of a ball: of the multisets of its nodes and of its edges in both directions.

    The images of its nodes are mixed in place.
    """
    outside = len(depth)
    image = which
    for x in ball:
        image += mixed(nodes[x])
        nodes[x] = mixed(nodes[x] + which)
    for x in ball:
        if alike[x] == x:
            edges = np.uint64(0)
            for e in range(indptr[x], indptr[x + 1]):
                y = indices[e]
                if depth[y] < outside:
                    edge = nodes[x] + np.uint64(2) * nodes[y]
                    edges += mixed(edge ^ mixed(np.uint64(edge_labels[e]) + which))
            sums[x] = edges
        image += sums[alike[x]]
    return image
