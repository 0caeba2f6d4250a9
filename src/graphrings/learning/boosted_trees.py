"""Boosted trees: each is grown for what those before it have missed.

Friedman (Annals of Statistics 2001), with second derivatives: every tree adds to the scores of all
rows, which start at a constant. With g and h the derivatives of a row's loss by its score, and G
and H their sums over the rows of a node, a leaf adds -G / (H + penalty), and a split gains

    G_l^2 / (H_l + penalty) + G_r^2 / (H_r + penalty) - G^2 / (H + penalty).

Splits are exact. The columns are sorted once for all trees, and of a column only the entries that
are not 0 are looked at, which are few in a ring profile: what is not on one side of a threshold is
on the other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled, inlined
from graphrings.learning.boosting_losses import Loss
from graphrings.learning.trees import Grown
from graphrings.limits import Work, begin
from graphrings.loops import merge_sort

Reals = NDArray[np.float64]
LEAST_CURVATURE = 1e-3  # of a leaf: with less, the quotient means nothing
BYTES_AN_ENTRY = 8  # its row and its value


class Growth(NamedTuple):
    """How trees are grown."""

    n_trees: int
    learning_rate: float
    max_features: float
    max_leaves: int
    min_leaf: int
    penalty: float


class SortedColumns(NamedTuple):
    """The entries of every column that are not 0, in ascending order."""

    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    values: NDArray[np.float32]


def boosted_trees(
    table: NDArray[np.float32], loss: Loss, growth: Growth, random: np.random.RandomState
) -> tuple[list[Grown], Reals]:
    """The trees in their order, and what the splits of every column gain in all.

    Where a row has several scores, every round grows a tree for each.
    """
    columns, n_columns = sorted_columns(table), table.shape[1]
    n_chosen = max(1, round(growth.max_features * n_columns))
    scores = np.tile(loss.start, (len(table), 1))
    trees, gains = list[Grown](), np.zeros(n_columns)
    for _ in range(growth.n_trees):
        slopes, curvatures = loss.derivatives(scores)
        for k in range(scores.shape[1]):
            chosen = np.sort(random.permutation(n_columns)[:n_chosen])
            tree = Growing(table, growth, slopes[:, k].copy(), curvatures[:, k].copy())
            while tree.next_level(columns, chosen):
                pass
            values = tree.values()
            scores[:, k] += values[tree.node_of]
            np.add.at(gains, tree.columns[tree.lefts > 0], tree.gains[tree.lefts > 0])
            trees.append(tree.grown(values, k, scores.shape[1]))
    return trees, gains


class Growing:
    """One tree, grown level by level; ``node_of`` is the node that every row has come to.

    Nodes are numbered as they come. ``lefts`` has the first of a node's two children, the other one
    being the next, and 0 for a leaf; ``first`` is the first node of the last level.
    """

    def __init__(
        self, table: NDArray[np.float32], growth: Growth, slopes: Reals, curvatures: Reals
    ) -> None:
        self.table, self.growth = table, growth
        self.slopes, self.curvatures = slopes, curvatures
        self.n_leaves, self.n_nodes, self.first = 1, 1, 0
        self.most_leaves = min(growth.max_leaves, len(table))
        room = 2 * self.most_leaves - 1
        self.columns = np.zeros(room, dtype=np.int64)
        self.thresholds, self.gains = np.zeros((2, room))
        self.lefts = np.zeros(room, dtype=np.int64)
        self.node_of = np.zeros(len(table), dtype=np.int64)

    def next_level(self, columns: SortedColumns, chosen: NDArray[np.int64]) -> bool:
        """Split the leaves of the last level, those that gain most if there is no room for all."""
        n_open, n_more = self.n_nodes - self.first, self.most_leaves - self.n_leaves
        if n_open == 0 or n_more == 0:
            return False
        totals, best = self.totals()[self.first :], np.zeros((n_open, 3))
        find_splits(
            *columns, chosen, self.node_of - self.first, self.slopes, self.curvatures,
            np.column_stack([totals, totals[:, 0] ** 2 / self._curved(totals)]),
            self.growth.min_leaf, self.growth.penalty, np.empty((n_open, 4)), best,
        )  # fmt: skip
        promising = np.argsort(-best[:, 0], kind="stable")[:n_more]
        split = np.sort(promising[best[promising, 0] > 0])
        nodes = self.first + split
        self.gains[nodes], self.columns[nodes], self.thresholds[nodes] = best[split].T
        self.lefts[nodes] = self.n_nodes + 2 * np.arange(len(split))
        self.first, self.n_leaves = self.n_nodes, self.n_leaves + len(split)
        self.n_nodes += 2 * len(split)
        self._send_down()
        return True

    def _send_down(self) -> None:
        """Rows whose node has been split go to one of its children."""
        rows = np.flatnonzero(self.lefts[self.node_of])
        nodes = self.node_of[rows]
        beyond = self.table[rows, self.columns[nodes]] > self.thresholds[nodes]
        self.node_of[rows] = self.lefts[nodes] + beyond

    def totals(self) -> Reals:
        """G, H and the number of the rows that have come to every node."""
        each = (self.slopes, self.curvatures, None)
        return np.stack([np.bincount(self.node_of, one, self.n_nodes) for one in each], axis=1)

    def values(self) -> Reals:
        """What every leaf adds to the score of its rows; 0 for all other nodes, which have none."""
        totals = self.totals()
        values: Reals = -self.growth.learning_rate * totals[:, 0] / self._curved(totals)
        return values

    def _curved(self, totals: Reals) -> Reals:
        """H + penalty, which is not 0 even where all rows are sure and there is no penalty."""
        curved: Reals = np.maximum(totals[:, 1] + self.growth.penalty, np.finfo(np.float64).eps)
        return curved

    def grown(self, values: Reals, k: int, n_scores: int) -> Grown:
        """The tree with these values for score k of ``n_scores``, its nodes depth first."""
        counts, order, waiting = np.bincount(self.node_of, minlength=self.n_nodes), [], [0]
        for node in range(self.n_nodes - 1, -1, -1):  # children come after their parents
            if left := self.lefts[node]:
                counts[node] = counts[left] + counts[left + 1]
        while waiting:
            node = waiting.pop()
            order.append(node)
            if left := int(self.lefts[node]):
                waiting += [left + 1, left]
        number = np.empty(self.n_nodes, dtype=np.int64)
        number[order] = np.arange(len(order))
        lefts = self.lefts[order]
        is_leaf = lefts == 0
        of_leaves = np.zeros((np.count_nonzero(is_leaf), n_scores))
        of_leaves[:, k] = values[order][is_leaf]
        return Grown(
            self.columns[order],
            self.thresholds[order],
            number[lefts],
            number[np.where(is_leaf, 0, lefts + 1)],
            is_leaf,
            of_leaves,
            counts[order],
        )


def sorted_columns(table: NDArray[np.float32]) -> SortedColumns:
    """Every column in ascending order, without its zeros."""
    n_rows, columns = len(table), np.ascontiguousarray(table.T)
    counts = np.count_nonzero(columns, axis=1)
    starts = np.concatenate([[0], np.cumsum(counts)])
    what = f"{starts[-1]:,} entries of {len(columns):,} sorted columns"
    begin(Work(what, "take a smaller radius or fewer graphs", int(starts[-1]) * BYTES_AN_ENTRY))
    rows = np.empty(starts[-1], dtype=np.int32)
    values = np.empty(starts[-1], dtype=np.float32)
    order, spare = np.empty((2, n_rows), dtype=np.int64)
    sort_columns(columns, starts, rows, values, order, spare)
    return SortedColumns(starts, rows, values)


@compiled
def is_smaller(one: int, other: int, column: NDArray[np.float32]) -> bool:
    """Whether one row of a column has less than another."""
    return bool(column[one] < column[other])


sort_rows = merge_sort(is_smaller)


@compiled
def sort_columns(
    columns: NDArray[np.float32],
    starts: NDArray[np.int64],
    rows: NDArray[np.int32],
    values: NDArray[np.float32],
    order: NDArray[np.int64],
    spare: NDArray[np.int64],
) -> None:
    """Write rows and values of every column's entries behind each other, the smallest first."""
    for c in range(len(columns)):
        column, n_entries = columns[c], 0
        for row in range(len(column)):
            if column[row] != 0:
                order[n_entries] = row
                n_entries += 1
        ascending = sort_rows(order[:n_entries], spare[:n_entries], column)
        for k in range(n_entries):
            rows[starts[c] + k] = ascending[k]
            values[starts[c] + k] = column[ascending[k]]


@compiled
def find_splits(
    starts: NDArray[np.int64],
    rows: NDArray[np.int32],
    values: NDArray[np.float32],
    chosen: NDArray[np.int64],
    leaf_of: NDArray[np.int64],
    slopes: Reals,
    curvatures: Reals,
    totals: Reals,
    min_leaf: int,
    penalty: float,
    beside: Reals,
    best: Reals,
) -> None:
    """Write gain, column and threshold of every leaf's best split over the zeros in ``best``.

    ``totals`` has G, H, number and G^2 / (H + penalty) of all rows of every leaf.
    ``leaf_of`` is negative for rows whose leaf is not split any more. Negative entries are added up
    from the smallest, positive ones from the largest: ``beside`` has for every leaf G, H and number
    of the rows so far, and the last of their values. All others are nearer to 0 or beyond it.
    """
    for column in chosen:
        low, high = starts[column], starts[column + 1]
        middle = low
        while middle < high and values[middle] < 0:
            middle += 1
        for step, first, n_entries in ((1, low, middle - low), (-1, high - 1, high - middle)):
            if n_entries < min_leaf:
                continue
            beside[:] = 0
            for k in range(n_entries):
                entry = first + k * step
                row, value = rows[entry], values[entry]
                leaf = leaf_of[row]
                if leaf < 0:
                    continue
                if beside[leaf, 2] >= min_leaf and value != beside[leaf, 3]:
                    consider(leaf, column, value, totals, min_leaf, penalty, beside, best)
                beside[leaf, 0] += slopes[row]
                beside[leaf, 1] += curvatures[row]
                beside[leaf, 2] += 1
                beside[leaf, 3] = value
            for leaf in range(len(best)):
                if beside[leaf, 2] >= min_leaf:
                    consider(leaf, column, 0.0, totals, min_leaf, penalty, beside, best)


@inlined
def consider(
    leaf: int,
    column: int,
    value: float,
    totals: Reals,
    min_leaf: int,
    penalty: float,
    beside: Reals,
    best: Reals,
) -> None:
    """Keep the split of a leaf between the last of its values and this one, if it is the best."""
    g, h, last = beside[leaf, 0], beside[leaf, 1], beside[leaf, 3]
    other_g, other_h = totals[leaf, 0] - g, totals[leaf, 1] - h
    if totals[leaf, 2] - beside[leaf, 2] >= min_leaf and min(h, other_h) >= LEAST_CURVATURE:
        gain = g * g / (h + penalty) + other_g * other_g / (other_h + penalty) - totals[leaf, 3]
        if gain > best[leaf, 0]:
            below, above = min(last, value), max(last, value)
            between = below + (above - below) / 2
            best[leaf, 0] = gain
            best[leaf, 1] = column
            best[leaf, 2] = between if between < above else below
