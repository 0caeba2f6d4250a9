"""Decision trees as flat arrays, and the loop that walks down them.

scikit-learn grows the trees; what is kept of one is what a prediction needs. A file of these arrays
holds no code, and its predictions are scikit-learn's to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled

Reals = NDArray[np.float64]
SIDE_BY_SIDE = 16  # rows
STEPS = 4  # before it is asked whether all of these rows have come to a leaf
IN_CACHE = 64  # rows that all trees see before the next ones come


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
        arrays = self.starts, self._asked, self.thresholds, self._children, self.columns
        walk(*arrays, self.leaves, np.ascontiguousarray(rows), sums)
        return sums

    @cached_property
    def _asked(self) -> NDArray[np.int32]:
        """The column that every node looks at; a leaf may look at any."""
        return np.maximum(self.columns, 0)

    @cached_property
    def _children(self) -> NDArray[np.int32]:
        """Where every node leads, a pair each; a leaf leads to itself."""
        nodes = np.arange(len(self.columns), dtype=np.int32)
        pairs = np.stack([nodes + 1, self.others], axis=1)
        return np.where((self.columns < 0)[:, None], nodes[:, None], pairs).astype(np.int32).ravel()

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


def from_boosting(model: Any, n_columns: int) -> tuple[Trees, Reals]:
    """The trees of a fitted HistGradientBoosting model, and the gain of every column in shares.

    The trees of one round stand one after the other, each with its own column of the sums.
    """
    grown, gains = [], np.zeros(n_columns)
    start = np.reshape(model._baseline_prediction, -1).astype(np.float64)
    for of_round in model._predictors:
        for k, predictor in enumerate(of_round):
            nodes = predictor.nodes
            is_leaf = nodes["is_leaf"].astype(bool)
            values = np.zeros((np.count_nonzero(is_leaf), len(start)))
            values[:, k] = nodes["value"][is_leaf]
            links = nodes["left"].astype(np.int64), nodes["right"].astype(np.int64)
            columns = nodes["feature_idx"].astype(np.int64)
            asked = columns, nodes["num_threshold"]
            grown.append(Grown(*asked, *links, is_leaf, values, nodes["count"]))
            np.add.at(gains, columns[~is_leaf], nodes["gain"][~is_leaf])
    return replace(joined(grown), start=start), gains / (gains.sum() or 1.0)


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
def walk(
    starts: NDArray[np.int64],
    asked: NDArray[np.int32],
    thresholds: NDArray[np.float32],
    children: NDArray[np.int32],
    columns: NDArray[np.int32],
    leaves: Reals,
    rows: NDArray[np.float32],
    sums: Reals,
) -> None:
    """Add what every tree says of every row to ``sums``, tree after tree.

    A few rows walk down a tree side by side: while one waits for memory the others go on. Nothing
    branches on where a row goes, which a processor cannot guess; who has come to a leaf stays.
    """
    nodes = np.empty(SIDE_BY_SIDE, dtype=np.uint64)  # unsigned: not counted from the end
    width, values = np.uint64(rows.shape[1]), rows.ravel()
    for top in range(0, len(rows), IN_CACHE):
        end = min(top + IN_CACHE, len(rows))
        for start in starts:
            for first in range(top, end, SIDE_BY_SIDE):
                n = min(SIDE_BY_SIDE, end - first)
                for k in range(n):
                    nodes[k] = start
                moved = np.uint64(1)
                while moved != 0:
                    for _ in range(STEPS):
                        moved = np.uint64(0)
                        for k in range(n):
                            node = nodes[k]
                            value = values[np.uint64(first + k) * width + np.uint64(asked[node])]
                            side = np.uint64(not value <= thresholds[node])
                            child = np.uint64(children[np.uint64(2) * node + side])
                            moved |= child ^ node
                            nodes[k] = child
                for k in range(n):
                    leaf = -1 - columns[nodes[k]]
                    for c in range(leaves.shape[1]):
                        sums[first + k, c] += leaves[leaf, c]
