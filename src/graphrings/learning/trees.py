"""Decision trees as flat arrays, and the loop that walks down them.

What is kept of a tree is what a prediction needs. A file of these arrays holds no code, and the
predictions of a forest that scikit-learn has grown are its own to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.loops import ONE, ZERO, U

Reals = NDArray[np.float64]
AT_ONCE = 4_000  # rows that go down a tree together: many enough for a node, few enough for a cache


@dataclass(frozen=True)
class Trees:
    """Trees one after the other, ``starts`` saying where each begins, nodes depth first.

    Node i asks whether ``columns[i]`` of a row is at most ``thresholds[i]``: if so it goes to node
    i + 1, else to ``others[i]``. A leaf has -1 - k for a column, with k its row of ``leaves``.
    ``start`` is what the trees' answers are added to. ``passed`` says how much of the training
    graphs came by every node, which only explanations ask for; files of old models lack it.
    """

    starts: NDArray[np.int64]
    columns: NDArray[np.int32]
    thresholds: NDArray[np.float32]
    others: NDArray[np.int32]
    leaves: Reals
    start: Reals
    passed: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.starts)

    def sums(self, rows: NDArray[np.float32]) -> Reals:
        """What all trees say of every row, added to ``start`` in their order."""
        sums = np.tile(self.start, (len(rows), 1))
        arrays = self.starts, self.columns, self.thresholds, self.others, self.leaves
        rooms = np.empty((2, AT_ONCE), dtype=np.uint16)
        waiting = np.empty((AT_ONCE, 4), dtype=np.int64)
        for first in range(0, len(rows), AT_ONCE):
            part = slice(first, first + AT_ONCE)
            hand_down(*arrays, np.ascontiguousarray(rows[part].T), rooms, waiting, sums[part])
        return sums

    def check(self, n_columns: int, n_sums: int) -> None:
        """Refuse trees that lead nowhere; ValueError says why."""
        n_nodes, is_leaf = len(self.columns), self.columns < 0
        inner = np.flatnonzero(~is_leaf)
        good = (
            self.leaves.ndim == 2
            and self.leaves.shape[1] == n_sums
            and self.start.shape == (n_sums,)
            and bool(np.isfinite(self.start).all())
            and len(self.thresholds) == len(self.others) == n_nodes
            and len(self.passed) in (0, n_nodes)
            and len(self.starts) > 0
            and bool(np.all((self.starts >= 0) & (self.starts < n_nodes)))
            and bool(np.all(self.columns < n_columns))
            and bool(np.all(-1 - self.columns[is_leaf] < len(self.leaves)))
            and bool(np.all((self.others[inner] > inner) & (self.others[inner] < n_nodes)))
            and (len(inner) == 0 or int(inner[-1]) + 1 < n_nodes)
        )
        if not good:
            raise ValueError("its trees do not fit its columns and targets")


class Grown(NamedTuple):
    """One tree: where nodes go, depth first; ``values`` has a row for every leaf."""

    columns: NDArray[Any]
    thresholds: Reals
    lefts: NDArray[Any]
    rights: NDArray[Any]
    is_leaf: NDArray[np.bool_]
    values: Reals
    passed: NDArray[Any]


def from_forest(estimators: Iterable[Any]) -> Trees:
    """The trees of fitted estimators of scikit-learn, such as ``forest.estimators_``."""
    return joined([_of_forest(estimator.tree_) for estimator in estimators])


def _of_forest(tree: Any) -> Grown:
    is_leaf = tree.children_left < 0
    values = tree.value[is_leaf, 0, :]
    links = tree.children_left, tree.children_right
    passed = tree.weighted_n_node_samples
    return Grown(tree.feature, tree.threshold, *links, is_leaf, values, passed)


def joined(grown: Sequence[Grown]) -> Trees:
    """Trees one after the other; leaves that say the same are one."""
    starts, columns, others, n_nodes, n_leaves = [], [], [], 0, 0
    for tree in grown:
        inner = np.flatnonzero(~tree.is_leaf)
        assert np.array_equal(tree.lefts[inner], inner + 1), "trees grow depth first"
        column = tree.columns.astype(np.int32)
        column[tree.is_leaf] = -1 - n_leaves - np.arange(len(tree.values))
        starts.append(n_nodes)
        columns.append(column)
        others.append(np.where(tree.is_leaf, 0, tree.rights + n_nodes))
        n_nodes, n_leaves = n_nodes + len(column), n_leaves + len(tree.values)
    leaves = np.concatenate([tree.values for tree in grown])
    distinct, numbers = np.unique(leaves, axis=0, return_inverse=True)
    places = np.concatenate(columns)
    places[places < 0] = -1 - numbers.reshape(-1)[-1 - places[places < 0]]
    return Trees(
        np.array(starts, dtype=np.int64),
        places,
        rounded_down(np.concatenate([tree.thresholds for tree in grown])),
        np.concatenate(others).astype(np.int32),
        np.ascontiguousarray(distinct, dtype=np.float64),
        np.zeros(leaves.shape[1]),
        np.concatenate([tree.passed for tree in grown]).astype(np.float32),
    )


def rounded_down(thresholds: Reals) -> NDArray[np.float32]:
    """The largest number in single precision below or at each: no row tells the difference."""
    single = thresholds.astype(np.float32)
    return np.where(single > thresholds, np.nextafter(single, np.float32(-np.inf)), single)


@compiled
def hand_down(
    starts: NDArray[np.int64],
    columns: NDArray[np.int32],
    thresholds: NDArray[np.float32],
    others: NDArray[np.int32],
    leaves: Reals,
    table: NDArray[np.float32],
    rooms: NDArray[np.uint16],
    waiting: NDArray[np.int64],
    sums: Reals,
) -> None:
    """Add what every tree says of every row to ``sums``, tree after tree.

    All rows go down a tree together: a node is looked at once, and nothing branches on where a row
    goes, which a processor cannot guess. ``table`` has the rows as its columns. Those of a node
    stand in one of two ``rooms``, from which its children take them to the other. ``waiting`` has
    room for as many nodes as there are rows; no more can wait, since each has rows of its own.
    """
    n_rows = len(sums)
    values = table.ravel()
    for start in starts:
        for k in range(n_rows):
            rooms[0, k] = k
        node, first, last, room = np.int64(start), np.int64(0), np.int64(n_rows), np.int64(0)
        n_waiting = 0
        while True:
            column = columns[node]
            if column >= 0:
                middle = split(
                    values, U(column) * U(n_rows), thresholds[node],
                    U(first), U(last), rooms[room], rooms[1 - room],
                )  # fmt: skip
                room = 1 - room
                if middle == first:
                    node = np.int64(others[node])
                else:
                    if middle < last:
                        waiting[n_waiting, 0], waiting[n_waiting, 1] = others[node], middle
                        waiting[n_waiting, 2], waiting[n_waiting, 3] = last, room
                        n_waiting += 1
                    node, last = node + 1, middle
                continue
            for k in range(first, last):
                for c in range(leaves.shape[1]):
                    sums[rooms[room, k], c] += leaves[-1 - column, c]
            if n_waiting == 0:
                break
            n_waiting -= 1
            node, first = waiting[n_waiting, 0], waiting[n_waiting, 1]
            last, room = waiting[n_waiting, 2], waiting[n_waiting, 3]


@compiled
def split(
    values: NDArray[np.float32],
    start: np.uint64,
    threshold: np.float32,
    first: np.uint64,
    last: np.uint64,
    here: NDArray[np.uint16],
    there: NDArray[np.uint16],
) -> np.int64:
    """Write ``here[first:last]`` to ``there`` by the side that they go to, the others from behind.

    Row k has the value ``values[start + k]``. Returns where the others begin.
    """
    low, left = first, last - first
    for k in range(first, last):
        left -= ONE
        row = here[k]
        below = values[start + U(row)] <= threshold
        there[low + (ZERO if below else left)] = row
        low += ONE if below else ZERO
    return np.int64(low)
