"""Decision trees as flat arrays, and the loop that walks down them.

scikit-learn grows the trees; what is kept of one is what a prediction needs. A file of these arrays
holds no code, and its predictions are scikit-learn's to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled

Reals = NDArray[np.float64]


@dataclass(frozen=True)
class Trees:
    """Trees one after the other, ``starts`` saying where each begins, nodes depth first.

    Node i asks whether ``columns[i]`` of a row is at most ``thresholds[i]``: if so it goes to node
    i + 1, else to ``others[i]``. A leaf has -1 - k for a column, with k its row of ``leaves``.
    """

    starts: NDArray[np.int64]
    columns: NDArray[np.int32]
    thresholds: NDArray[np.float32]
    others: NDArray[np.int32]
    leaves: Reals

    def __len__(self) -> int:
        return len(self.starts)

    def sums(self, rows: NDArray[np.float32]) -> Reals:
        """What all trees say of every row, added up in their order."""
        sums = np.zeros((len(rows), self.leaves.shape[1]))
        walk(self.starts, self.columns, self.thresholds, self.others, self.leaves, rows, sums)
        return sums

    def check(self, n_columns: int, n_outputs: int) -> None:
        """Refuse trees that lead nowhere; ValueError says why."""
        n_nodes, is_leaf = len(self.columns), self.columns < 0
        inner = np.flatnonzero(~is_leaf)
        good = (
            self.leaves.ndim == 2
            and self.leaves.shape[1] == n_outputs
            and len(self.thresholds) == len(self.others) == n_nodes
            and len(self.starts) > 0
            and bool(np.all((self.starts >= 0) & (self.starts < n_nodes)))
            and bool(np.all(self.columns < n_columns))
            and bool(np.all(-1 - self.columns[is_leaf] < len(self.leaves)))
            and bool(np.all((self.others[inner] > inner) & (self.others[inner] < n_nodes)))
            and (len(inner) == 0 or int(inner[-1]) + 1 < n_nodes)
        )
        if not good:
            raise ValueError("its trees do not fit its columns and targets")


def from_scikit_learn(grown: Iterable[Any]) -> Trees:
    """The trees of fitted estimators of scikit-learn, such as ``forest.estimators_``."""
    starts, columns, thresholds, others, leaves, n_nodes, n_leaves = [], [], [], [], [], 0, 0
    for tree in (estimator.tree_ for estimator in grown):
        is_leaf = tree.children_left < 0
        inner = np.flatnonzero(~is_leaf)
        assert np.array_equal(tree.children_left[inner], inner + 1), "trees grow depth first"
        column = tree.feature.astype(np.int32)
        column[is_leaf] = -1 - n_leaves - np.arange(np.count_nonzero(is_leaf))
        starts.append(n_nodes)
        columns.append(column)
        thresholds.append(rounded_down(tree.threshold))
        others.append(np.where(is_leaf, 0, tree.children_right + n_nodes))
        leaves.append(tree.value[is_leaf, 0, :])
        n_nodes, n_leaves = n_nodes + tree.node_count, n_leaves + len(leaves[-1])
    distinct, numbers = np.unique(np.concatenate(leaves), axis=0, return_inverse=True)
    joined = np.concatenate(columns)
    joined[joined < 0] = -1 - numbers.reshape(-1)[-1 - joined[joined < 0]]
    return Trees(
        np.array(starts, dtype=np.int64),
        joined,
        np.concatenate(thresholds),
        np.concatenate(others).astype(np.int32),
        np.ascontiguousarray(distinct, dtype=np.float64),
    )


def rounded_down(thresholds: Reals) -> NDArray[np.float32]:
    """The largest number in single precision below or at each: no row tells the difference."""
    single = thresholds.astype(np.float32)
    return np.where(single > thresholds, np.nextafter(single, np.float32(-np.inf)), single)


@compiled
def walk(
    starts: NDArray[np.int64],
    columns: NDArray[np.int32],
    thresholds: NDArray[np.float32],
    others: NDArray[np.int32],
    leaves: Reals,
    rows: NDArray[np.float32],
    sums: Reals,
) -> None:
    """Add what every tree says of every row to ``sums``, tree after tree."""
    for start in starts:
        for i in range(len(rows)):
            node = start
            while columns[node] >= 0:
                if rows[i, columns[node]] <= thresholds[node]:
                    node += 1
                else:
                    node = np.int64(others[node])
            leaf = -1 - columns[node]
            for k in range(leaves.shape[1]):
                sums[i, k] += leaves[leaf, k]
