"""Datasets made by rule and seed: for tests, demonstrations and scaling."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import DatasetError
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.known_answers import one_cycle_or_two as one_cycle_or_two
from graphrings.graphs.known_answers import spiders as spiders
from graphrings.graphs.pack import pack

ATOMS = ("C", "N", "O", "S")
ATOM_SHARES = (0.72, 0.12, 0.11, 0.05)


def molecules(n_graphs: int, seed: int = 0, *, n_nodes: tuple[int, int] = (10, 50)) -> Dataset:
    """Graphs like small molecules: bounded valence, a few cycles, atom labels; any number of them.

    Sizes are uniform between the two bounds. Every atom is bound to one of the two before it, and
    half of the places for a six-cycle are closed, so that no valence exceeds 4. The class is 1
    where more than 28 % of the atoms, the usual share, are no carbon.
    """
    least, most = n_nodes
    _check_count(n_graphs)
    if not 1 <= least <= most:
        raise DatasetError(f"graphs of {least} to {most} nodes; expected 1 or more, ascending")
    rng = np.random.default_rng(seed)
    sizes = rng.integers(least, most + 1, n_graphs)
    graph_ptr = np.concatenate([[0], np.cumsum(sizes)])
    node = np.arange(graph_ptr[-1])
    place = node - np.repeat(graph_ptr[:-1], sizes)  # of an atom in its molecule
    bond = np.flatnonzero(place >= 1)
    parent = bond - 1 - ((rng.random(len(bond)) < 0.5) & (place[bond] >= 2))
    closing = np.flatnonzero((place % 6 == 5) & (rng.random(len(node)) < 0.5))
    atoms = rng.choice(len(ATOMS), size=len(node), p=ATOM_SHARES).astype(np.int32)
    others = np.add.reduceat(atoms != 0, graph_ptr[:-1], dtype=np.int64)
    return pack(
        "molecules",
        graph_ptr,
        np.concatenate([bond, closing]),
        np.concatenate([parent, closing - 5]),
        directed=False,
        targets=((others > (1 - ATOM_SHARES[0]) * sizes).astype(np.int32), (0, 1)),
        node_labels=(atoms, ATOMS),
    )


def bond_shares(n_graphs: int, seed: int = 0, *, n_nodes: tuple[int, int] = (10, 50)) -> Dataset:
    """The graphs of ``molecules`` with values: the percentage of bonds between different atoms.

    It is written in ring 1; counted atoms tell only what to expect. Noise has a deviation of 1.
    """
    graphs = molecules(n_graphs, seed, n_nodes=n_nodes)
    assert graphs.node_labels is not None
    tails = np.repeat(np.arange(graphs.n_nodes), graphs.degrees)
    differ = graphs.node_labels[tails] != graphs.node_labels[graphs.indices]
    n_entries = np.bincount(graphs.owner[tails], minlength=n_graphs)
    n_different = np.bincount(graphs.owner[tails], differ, minlength=n_graphs)
    noise = np.random.default_rng([seed, 1]).normal(size=n_graphs)
    values = 100 * n_different / np.maximum(n_entries, 1) + noise
    return graphs.changed(name="bond-shares", targets=values, class_names=())


def ring_two(n_graphs: int, seed: int = 0) -> Dataset:
    """Labelled cycles whose class is written in ring 2 and nowhere in ring 1.

    Every second node of a cycle is a spacer ``-``; the others are ``x`` or ``y``, as many runs of
    each. In class 0 all runs are 2 long, in class 1 they are 1 and 3 long, equally often. A spacer
    sees xx, yy and xy equally often in both classes, all others see two spacers, and every degree
    is 2: what nodes and their ring 1 show is the same. But ring 2 of an x is xy throughout in
    class 0, and also xx and yy in class 1.
    """
    return _written_in_ring("ring-two", 2, n_graphs, seed)


def ring_three(n_graphs: int, seed: int = 0) -> Dataset:
    """The cycles of ``ring_two`` with two spacers in a row: the class is written in ring 3.

    What lies within a distance of 2 is the same in both classes, so that a receptive field of 3 is
    needed, by one layer of radius 3 or by three of radius 1.
    """
    return _written_in_ring("ring-three", 3, n_graphs, seed)


def _written_in_ring(name: str, distance: int, n_graphs: int, seed: int) -> Dataset:
    """Letters on a cycle, so far from each other."""
    _check_count(n_graphs)
    rng = np.random.default_rng(seed)
    targets = rng.permutation(np.arange(n_graphs, dtype=np.int32) % 2)
    half_runs = rng.integers(1, 4, n_graphs)
    labels, tails, heads, bounds = [], [], [], [0]
    for target, half in zip(targets, half_runs, strict=True):
        lengths = np.full((2, 2 * half), 2)
        if target:
            lengths[:, :half], lengths[:, half:] = 1, 3
        runs = rng.permuted(lengths, axis=1).T.ravel()  # x, y, x, y, ...
        around = np.zeros(distance * runs.sum(), dtype=np.int32)
        around[1::distance] = 1 + np.repeat(np.arange(len(runs)) % 2, runs)
        number = rng.permutation(len(around))  # where on the cycle a node stands tells nothing
        cycle = np.empty_like(around)
        cycle[number] = around
        labels.append(cycle)
        tails.append(number + bounds[-1])
        heads.append(np.roll(number, 1) + bounds[-1])
        bounds.append(bounds[-1] + len(around))
    return pack(
        name,
        np.array(bounds),
        np.concatenate(tails),
        np.concatenate(heads),
        directed=False,
        targets=(targets, (0, 1)),
        node_labels=(np.concatenate(labels), ("-", "x", "y")),
    )


def ego_networks(n_graphs: int, seed: int = 0) -> Dataset:
    """Ego networks without labels, rich in twins: cliques that share nobody but the ego.

    Class 0 has four to seven cliques of two to four people, class 1 two or three of five to nine.
    """
    _check_count(n_graphs)
    rng = np.random.default_rng(seed)
    targets = rng.permutation(np.arange(n_graphs, dtype=np.int32) % 2)
    edges: list[NDArray[np.int64]] = []
    bounds = [0]
    for target in targets:
        cliques = rng.integers(5, 10, rng.integers(2, 4))
        if target == 0:
            cliques = rng.integers(2, 5, rng.integers(4, 8))
        ego = member = bounds[-1]
        for size in cliques.tolist():
            clique = np.concatenate([[ego], np.arange(member + 1, member + 1 + size)])
            edges.append(np.stack([clique[side] for side in np.triu_indices(size + 1, 1)]))
            member += size
        bounds.append(member + 1)
    tails, heads = np.concatenate(edges, axis=1)
    graph_ptr = np.array(bounds)
    return pack("ego-networks", graph_ptr, tails, heads, directed=False, targets=(targets, (0, 1)))


def _check_count(n_graphs: int) -> None:
    if n_graphs < 1:
        raise DatasetError(f"{n_graphs} graphs; expected at least one")
