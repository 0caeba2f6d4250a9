"""Trees of a forest for classes, grown apart: scikit-learn's to the last bit, in less time.

Every tree grows until its leaves are pure. A node draws some columns, and splits where the Gini
impurity falls most: between any two values of a column (random forests, Breiman 2001, each tree on
a sample of the rows), or at one threshold drawn between the smallest and the largest (extremely
randomised trees, Geurts et al. 2006). Numbers are drawn in the order of scikit-learn. Of a value
only its rank in the column is looked at, and rows are counted by class in whole numbers, so that no
sum depends on its order.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.learning.boosted_trees import sorted_columns
from graphrings.learning.chunks import n_threads
from graphrings.learning.trees import Grown
from graphrings.limits import Work, begin
from graphrings.loops import ONE, ZERO, U, read_only

Reals = NDArray[np.float64]
Numbers = NDArray[np.int64]
Words = NDArray[np.uint64]

MOST_DRAWN = 2**31 - 1
MOST_RANKS = 2**16  # in two bytes
SAME = np.float32(1e-7)  # values of a column that differ by no more are not told apart
NO_THRESHOLD = -2.0  # of a leaf, as scikit-learn has it, so that files have the same bytes
EPSILON = float(np.finfo(np.float64).eps)
SLACK = 1e-9  # of a gain by inverses, far more than it may be off
COUNT = 1 << 32  # a bin adds up weights, and above them counts rows

# The place of a single bit, by the highest bits of its product with a de Bruijn number.
DE_BRUIJN = 0x03F79D71B4CB0A89
PLACES = np.empty(64, dtype=np.uint64)
PLACES[[(DE_BRUIJN << place) % 2**64 >> 58 for place in range(64)]] = range(64)

# What is known of the best split of a node.
GAIN, COLUMN, RANK, THRESHOLD = 0, 1, 2, 3
# What waits to be grown: some rows, the node whose right child they are or -1, constant columns.
FIRST, LAST, PARENT, N_CONSTANT = 0, 1, 2, 3


class Growth(NamedTuple):
    """How trees are grown."""

    n_trees: int
    max_features: float | str
    min_leaf: int
    is_random: bool  # one threshold a column, and all rows for every tree

    def n_drawn(self, n_columns: int) -> int:
        """How many columns a node draws, constant ones among them."""
        share = self.max_features
        return max(1, int(np.sqrt(n_columns) if share == "sqrt" else float(share) * n_columns))


class Ranked(NamedTuple):
    """A table: the rank of every value in its column, column by column, and the values by rank."""

    ranks: NDArray[Any]
    starts: Numbers
    values: NDArray[np.float32]


class Tree(NamedTuple):
    """A tree, nodes depth first; ``others`` are the right children, 0 for a leaf."""

    columns: NDArray[Any]
    thresholds: NDArray[Any]
    others: NDArray[Any]
    impurities: NDArray[Any]
    passed: NDArray[Any]
    shares: NDArray[Any]

    def grown(self) -> Grown:
        """What is kept of it."""
        is_leaf = self.others == 0
        lefts = np.where(is_leaf, 0, np.arange(1, len(is_leaf) + 1))
        links = self.columns, self.thresholds, lefts, self.others
        return Grown(*links, is_leaf, self.shares[is_leaf], self.passed)

    def importances(self, n_columns: int) -> Reals:
        """How much of the impurity every column takes away."""
        sums, inner = np.zeros(n_columns), np.flatnonzero(self.others)
        before = self.passed * self.impurities
        falls = before[inner] - before[inner + 1] - before[self.others[inner]]
        np.add.at(sums, self.columns[inner], falls)
        sums /= self.passed[0]
        total = sums.sum()
        return sums / total if total > 0 else sums


def forest_trees(
    ranked: Ranked, goals: Numbers, growth: Growth, seed: int, n_jobs: int = 1
) -> tuple[list[Grown], Reals]:
    """The trees in their order, and the importance of every column."""
    seeds = np.random.RandomState(seed).randint(MOST_DRAWN, size=growth.n_trees).tolist()
    grow_one = partial(one_tree, ranked, goals, growth)
    if n_jobs == 1:
        trees = [grow_one(seed) for seed in seeds]
    else:
        with ThreadPoolExecutor(n_threads() if n_jobs == -1 else n_jobs) as pool:
            trees = list(pool.map(grow_one, seeds))
    n_columns = len(ranked.starts) - 1
    each = [tree.importances(n_columns) for tree in trees if len(tree.columns) > 1]
    importances: Reals = np.mean(each, axis=0) if each else np.zeros(n_columns)
    return [tree.grown() for tree in trees], importances / (importances.sum() or 1.0)


def ranked_columns(table: NDArray[np.float32]) -> Ranked:
    """The ranks of all values in their columns."""
    columns, (n_rows, n_columns) = sorted_columns(table), table.shape
    counts = np.empty(n_columns, np.int64)
    count_values(columns.starts, columns.values, n_rows, counts)
    starts = np.concatenate([[0], np.cumsum(counts)])
    kind = np.uint16 if counts.max(initial=0) <= MOST_RANKS else np.uint32
    what = f"ranks of {n_rows:,} rows in {n_columns:,} columns"
    n_bytes = n_rows * n_columns * np.dtype(kind).itemsize
    begin(Work(what, "take a smaller radius or fewer graphs", n_bytes))
    ranks, values = np.empty((n_columns, n_rows), kind), np.empty(starts[-1], np.float32)
    rank_values(*columns, starts, ranks, values)
    return Ranked(*read_only(ranks.ravel(), starts, values))


def one_tree(ranked: Ranked, goals: Numbers, growth: Growth, seed: int) -> Tree:
    """A tree from its seed."""
    n_rows, n_classes, n_columns = len(goals), int(goals.max()) + 1, len(ranked.starts) - 1
    counts = np.ones(n_rows, np.int32)
    if not growth.is_random:
        drawn = np.random.RandomState(seed).randint(0, n_rows, n_rows)
        counts = np.bincount(drawn, minlength=n_rows).astype(np.int32)
    rows = np.flatnonzero(counts).astype(np.uint32)
    state = np.array([np.random.RandomState(seed).randint(0, MOST_DRAWN)])
    room = 2 * len(rows) - 1
    thresholds, (impurities, passed) = np.full(room, NO_THRESHOLD), np.zeros((2, room))
    columns, others = np.zeros((2, room), np.int32)
    tree = Tree(columns, thresholds, others, impurities, passed, np.zeros((room, n_classes)))
    n_nodes = grow(
        *ranked, n_rows, rows, goals[rows].astype(np.uint32), counts[rows],
        growth.n_drawn(n_columns), growth.min_leaf, growth.is_random, state, *tree,
    )  # fmt: skip
    return Tree(*(array[:n_nodes].copy() for array in tree))


@compiled
def count_values(
    begins: Numbers, entries: NDArray[np.float32], n_rows: int, counts: Numbers
) -> None:
    """Write how many values every column has, from its entries that are not 0 in their order."""
    for column in range(len(counts)):
        first, last = begins[column], begins[column + 1]
        counts[column] = 1 if last - first < n_rows else 0
        for entry in range(first, last):
            counts[column] += entry == first or entries[entry] != entries[entry - 1]


@compiled
def rank_values(
    begins: Numbers,
    rows: NDArray[np.int32],
    entries: NDArray[np.float32],
    starts: Numbers,
    ranks: NDArray[Any],
    values: NDArray[np.float32],
) -> None:
    """Write the ranks of all values, and the values by rank."""
    n_rows = ranks.shape[1]
    for column in range(len(ranks)):
        first, last, start = begins[column], begins[column + 1], starts[column]
        has_zero, zero, rank = last - first < n_rows, 0, -1
        for entry in range(first, last):
            zero += entries[entry] < 0 and (entry == first or entries[entry] != entries[entry - 1])
        if has_zero:
            values[start + zero] = 0.0
            for row in range(n_rows):
                ranks[column, row] = zero
        for entry in range(first, last):
            if entry == first or entries[entry] != entries[entry - 1]:
                rank += 1
                if has_zero and rank == zero:
                    rank += 1
                values[start + rank] = entries[entry]
            ranks[column, rows[entry]] = rank


@compiled
def grow(
    ranks: NDArray[Any],
    starts: Numbers,
    values: NDArray[np.float32],
    n_ranks: int,
    rows: NDArray[np.uint32],
    classes: NDArray[np.uint32],
    weights: NDArray[np.int32],
    n_drawn: int,
    min_leaf: int,
    is_random: bool,
    state: Numbers,
    columns: NDArray[np.int32],
    thresholds: Reals,
    others: NDArray[np.int32],
    impurities: Reals,
    passed: Reals,
    shares: Reals,
) -> int:
    """Grow a tree on some rows with their classes and weights; returns the number of its nodes.

    A column has ``n_ranks``, one for every row of the table. Rows, classes and weights change
    places as nodes are split, so that those of a node stand together.
    """
    n_rows, n_classes, n_columns = len(rows), shares.shape[1], len(starts) - 1
    whole, n_values = np.float64(weights.sum()), 1
    for column in range(n_columns):
        n_values = max(n_values, starts[column + 1] - starts[column])
    order, constants = np.arange(n_columns), np.empty(n_columns, np.int64)
    found = np.empty(n_rows, np.int32)
    bins, marks = np.zeros(n_values * n_classes, np.int64), np.zeros(n_values // 64 + 1, np.uint64)
    inverses = np.ones(1 if is_random else np.int64(whole) + 1)
    for k in range(2, len(inverses)):
        inverses[k] = 1.0 / k
    totals, left, best = np.zeros(n_classes), np.zeros(n_classes), np.zeros(4)
    waiting, n_waiting, n_nodes = np.empty((n_rows + 1, 4), np.int64), 1, 0
    waiting[0, FIRST], waiting[0, LAST] = 0, n_rows
    waiting[0, PARENT], waiting[0, N_CONSTANT] = -1, 0
    while n_waiting > 0:
        n_waiting -= 1
        first, last = waiting[n_waiting, FIRST], waiting[n_waiting, LAST]
        node, parent, mass = n_nodes, waiting[n_waiting, PARENT], 0.0
        n_nodes += 1
        if parent >= 0:
            others[parent] = node
        add_up(classes, weights, first, last, totals)
        for c in range(n_classes):
            mass += totals[c]
        for c in range(n_classes):
            shares[node, c] = totals[c] / mass
        impurity = gini(totals, mass)
        impurities[node], passed[node] = impurity, mass
        if last - first < max(2, 2 * min_leaf) or impurity <= EPSILON:
            continue
        best[GAIN] = -np.inf
        n_constant = find_split(
            ranks, starts, values, n_ranks, rows, classes, weights, first, last, order, constants,
            waiting[n_waiting, N_CONSTANT], n_drawn, min_leaf, is_random, state, totals, mass,
            found, bins, marks, inverses, left, best,
        )  # fmt: skip
        if best[GAIN] == -np.inf:
            continue
        column, base = int(best[COLUMN]), U(best[COLUMN]) * U(n_ranks)
        middle = part(ranks, base, int(best[RANK]), rows, classes, weights, first, last)
        add_up(classes, weights, first, middle, left)
        mass_left, mass_right, one, other = sides(totals, mass, left)
        fall = impurity - mass_right / mass * other - mass_left / mass * one
        if mass / whole * fall + EPSILON < 0:
            continue
        columns[node], thresholds[node] = column, best[THRESHOLD]
        waiting[n_waiting, FIRST], waiting[n_waiting, LAST] = middle, last
        waiting[n_waiting, PARENT], waiting[n_waiting, N_CONSTANT] = node, n_constant
        waiting[n_waiting + 1, FIRST], waiting[n_waiting + 1, LAST] = first, middle
        waiting[n_waiting + 1, PARENT], waiting[n_waiting + 1, N_CONSTANT] = -1, n_constant
        n_waiting += 2
    return n_nodes


@compiled
def find_split(
    ranks: NDArray[Any],
    starts: Numbers,
    values: NDArray[np.float32],
    n_ranks: int,
    rows: NDArray[np.uint32],
    classes: NDArray[np.uint32],
    weights: NDArray[np.int32],
    first: int,
    last: int,
    order: Numbers,
    constants: Numbers,
    n_known: int,
    n_drawn: int,
    min_leaf: int,
    is_random: bool,
    state: Numbers,
    totals: Reals,
    mass: float,
    found: NDArray[np.int32],
    bins: Numbers,
    marks: Words,
    inverses: Reals,
    left: Reals,
    best: Reals,
) -> int:
    """Write the best split of a node to ``best``; returns how many columns are constant in it.

    ``order`` has the constant columns first, the ``n_known`` of the parent as they stand in
    ``constants`` too. What is drawn of them goes to the front, what turns out to be constant behind
    them, all else that is drawn to the end. One column at least is drawn that is not constant.
    """
    n_open, n_constant, n_found, n_vain, n_visited = len(order), n_known, 0, 0, 0
    while n_open > n_constant and (n_visited < n_drawn or n_visited <= n_found + n_vain):
        n_visited += 1
        place = n_vain + draw(state) % (n_open - n_found - n_vain)
        if place < n_known:
            order[n_vain], order[place] = order[place], order[n_vain]
            n_vain += 1
            continue
        place += n_found
        column = order[place]
        start = starts[column]
        lowest, highest = read(ranks, U(column) * U(n_ranks), rows, U(first), last - first, found)
        if values[start + highest] <= values[start + lowest] + SAME:
            order[place], order[n_constant] = order[n_constant], column
            n_found, n_constant = n_found + 1, n_constant + 1
            continue
        n_open -= 1
        order[n_open], order[place] = column, order[n_open]
        if is_random:
            try_one(
                values, start, lowest, highest, column, found, classes, weights, U(first),
                last - first, min_leaf, state, totals, mass, left, best,
            )  # fmt: skip
        else:
            try_all(
                values, start, lowest, highest, column, found, classes, weights, U(first),
                last - first, min_leaf, totals, mass, bins, marks, inverses, left, best,
            )  # fmt: skip
    order[:n_known] = constants[:n_known]
    constants[n_known:n_constant] = order[n_known:n_constant]
    return n_constant


@compiled
def draw(state: Numbers) -> int:
    """The next number of a XorShift generator of 32 bits, without its highest bit."""
    x = state[0] if state[0] else 1
    x ^= (x << 13) & 0xFFFFFFFF
    x ^= x >> 17
    x ^= (x << 5) & 0xFFFFFFFF
    state[0] = x
    return int(x & MOST_DRAWN)


@compiled
def read(
    ranks: NDArray[Any],
    base: np.uint64,
    rows: NDArray[np.uint32],
    first: np.uint64,
    n: int,
    found: NDArray[np.int32],
) -> tuple[int, int]:
    """Write the ranks of some rows to ``found``; returns the lowest and the highest of them."""
    for k in range(n):
        found[k] = ranks[base + U(rows[first + U(k)])]
    lowest = highest = found[0]
    for k in range(n):
        lowest = min(lowest, found[k])
        highest = max(highest, found[k])
    return int(lowest), int(highest)


@compiled
def try_one(
    values: NDArray[np.float32],
    start: int,
    lowest: int,
    highest: int,
    column: int,
    found: NDArray[np.int32],
    classes: NDArray[np.uint32],
    weights: NDArray[np.int32],
    first: np.uint64,
    n: int,
    min_leaf: int,
    state: Numbers,
    totals: Reals,
    mass: float,
    left: Reals,
    best: Reals,
) -> None:
    """Consider the split of a column at a threshold that is drawn."""
    low, high = np.float64(values[start + lowest]), np.float64(values[start + highest])
    threshold = (high - low) * np.float64(draw(state)) / MOST_DRAWN + low
    if threshold == high:
        threshold = low
    below, above = lowest, highest  # ranks of values up to the threshold, and beyond it
    while above - below > 1:
        middle = (below + above) // 2
        if values[start + middle] <= threshold:
            below = middle
        else:
            above = middle
    n_left, limit = 0, np.int32(below)
    for k in range(n):
        n_left += found[k] <= limit
    if min(n_left, n - n_left) < min_leaf:
        return
    for c in range(len(left)):
        total, own = 0, np.uint32(c)
        for k in range(n):
            if found[k] <= limit and classes[first + U(k)] == own:
                total += weights[first + U(k)]
        left[c] = total
    consider(column, U(below), threshold, totals, mass, left, best)


@compiled
def try_all(
    values: NDArray[np.float32],
    start: int,
    lowest: int,
    highest: int,
    column: int,
    found: NDArray[np.int32],
    classes: NDArray[np.uint32],
    weights: NDArray[np.int32],
    first: np.uint64,
    n: int,
    min_leaf: int,
    totals: Reals,
    mass: float,
    bins: Numbers,
    marks: Words,
    inverses: Reals,
    left: Reals,
    best: Reals,
) -> None:
    """Consider the splits of a column between any two of its values.

    A bin is of a rank and a class; a mark, one bit, is of a rank that there is. With sums of
    squares s and weights w of both sides, a split gains s / w + s' / w' less the weight of all.
    Only where that, by inverses of whole numbers, may be the best, is it computed as scikit-learn
    does.
    """
    n_classes, before, n_left, mass_left = U(len(left)), U(lowest), 0, 0.0
    for k in range(n):
        rank, place = U(found[k]), first + U(k)
        bins[rank * n_classes + U(classes[place])] += COUNT + np.int64(weights[place])
        marks[rank >> U(6)] |= ONE << (rank & U(63))
    squares, others = 0.0, 0.0  # of what is to the left, and of all else
    for c in range(len(left)):
        left[c] = 0.0
        others += totals[c] * totals[c]
    for word in range(lowest >> 6, (highest >> 6) + 1):
        bits = marks[word]
        marks[word] = ZERO
        while bits != ZERO:
            bit = bits & (~bits + ONE)
            bits ^= bit
            rank = U(word) * U(64) + PLACES[(bit * U(DE_BRUIJN)) >> U(58)]
            if n_left > 0 and min(n_left, n - n_left) >= min_leaf:
                gain = squares * inverses[U(mass_left)] + others * inverses[U(mass - mass_left)]
                if gain - mass >= best[GAIN] - SLACK * mass:
                    low, high = values[U(start) + before], values[U(start) + rank]
                    if high > low + SAME:
                        middle = low / 2.0 + high / 2.0
                        consider(column, before, middle, totals, mass, left, best)
            for c in range(n_classes):
                held = bins[rank * n_classes + U(c)]
                if held != 0:
                    weight = np.float64(held & (COUNT - 1))
                    squares += weight * (2 * left[c] + weight)
                    others -= weight * (2 * (totals[c] - left[c]) - weight)
                    left[c] += weight
                    mass_left += weight
                    n_left += held >> 32
                    bins[rank * n_classes + U(c)] = 0
            before = rank


@compiled
def consider(
    column: int,
    rank: np.uint64,
    threshold: float,
    totals: Reals,
    mass: float,
    left: Reals,
    best: Reals,
) -> None:
    """Keep a split if it is the best so far; ``left`` has what goes to its left."""
    mass_left, mass_right, one, other = sides(totals, mass, left)
    gain = -mass_right * other - mass_left * one
    if gain > best[GAIN]:
        best[GAIN], best[COLUMN], best[RANK], best[THRESHOLD] = gain, column, rank, threshold


@compiled
def sides(totals: Reals, mass: float, left: Reals) -> tuple[float, float, float, float]:
    """What both sides of a split count for, and the impurity of each."""
    mass_left = squares_left = squares_right = 0.0
    for c in range(len(totals)):
        mass_left += left[c]
        squares_left += left[c] * left[c]
        squares_right += (totals[c] - left[c]) * (totals[c] - left[c])
    mass_right = mass - mass_left
    one = 1.0 - squares_left / (mass_left * mass_left)
    return mass_left, mass_right, one, 1.0 - squares_right / (mass_right * mass_right)


@compiled
def gini(totals: Reals, mass: float) -> float:
    """The probability that two draws are of different classes."""
    squares = 0.0
    for total in totals:
        squares += total * total
    return 1.0 - squares / (mass * mass)


@compiled
def add_up(
    classes: NDArray[np.uint32], weights: NDArray[np.int32], first: int, last: int, sums: Reals
) -> None:
    """What some rows count for, by class."""
    for c in range(len(sums)):
        sums[c] = 0.0
    for k in range(first, last):
        sums[classes[k]] += weights[k]


@compiled
def part(
    ranks: NDArray[Any],
    base: np.uint64,
    rank: int,
    rows: NDArray[np.uint32],
    classes: NDArray[np.uint32],
    weights: NDArray[np.int32],
    first: int,
    last: int,
) -> int:
    """Put rows up to a rank before the others; returns where these begin."""
    while first < last:
        if ranks[base + U(rows[first])] <= rank:
            first += 1
            continue
        last -= 1
        rows[first], rows[last] = rows[last], rows[first]
        classes[first], classes[last] = classes[last], classes[first]
        weights[first], weights[last] = weights[last], weights[first]
    return last
