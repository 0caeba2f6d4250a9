"""A support vector machine on a Gram matrix: libsvm's steps, vectorised.

It maximises p' beta - beta' K beta / 2 where sum(beta) = 0 and every beta lies between 0 and a
bound. For two classes p is y, which is 1 or -1, and the bound y C. Regression has every graph
twice, with the ends of what its value may be for p, and with C and -C for bounds. The slope
p - K beta says what a little more of a beta is worth. A step moves as much as is best from one
graph to another: to the steepest, from the one that gains most by second order (Fan, Chen and Lin,
JMLR 2005), until no two slopes differ by more than a tolerance. Rows are of single precision, sums
of double, ties go to the last, and graphs that have settled at a bound are left out for a while,
all as in libsvm, so that the solution has the same bits.
"""

from __future__ import annotations

import threading
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled, inlined
from graphrings.errors import DatasetError
from graphrings.loops import read_only

Reals = NDArray[np.float64]
Rows = NDArray[np.float32]
Numbers = NDArray[np.int64]

TOLERANCE = 1e-3
FLAT = 1e-12  # the curvature where there is none
ROUND = 1_000  # steps, at most, between two looks at what has settled
MOST_HELD = 64 << 20  # bytes of rows in single precision
MAGNITUDE = (1 << 63) - 1  # all bits but the sign

# A problem has one line for each of these, and one column a graph.
BETA = 0
SLOPE = 1
FIXED = 2  # what graphs at their outer bounds take off the slope
START = 3  # the slope where no graph counts for anything: p
BOUND = 4
DIAGONAL = 5
TAKES = 6  # 0, or minus infinity where beta cannot grow
GIVES = 7  # 0, or infinity where beta cannot shrink
N_LINES = 8


class Balance(NamedTuple):
    """What every graph counts for, what is added to their sum, and how many steps it took."""

    beta: Reals
    threshold: float
    n_steps: int


class Spare(threading.local):
    """Room for rows that stays from one machine to the next.

    The first touch of fresh memory takes longer than all that is written to it.
    """

    def __init__(self) -> None:
        self._room = np.empty(0, np.float32)

    def rows(self, n: int) -> Rows:
        """As many rows of ``n`` numbers as may be held, but no more than ``n``."""
        n_rows = max(2, min(n, MOST_HELD // (4 * n)))
        if len(self._room) < n_rows * n:
            self._room = np.empty(n_rows * n, np.float32)
        return self._room[: n_rows * n].reshape(n_rows, n)


SPARE = Spare()


def balance(
    gram: Reals, graphs: Numbers, slopes: Reals, bounds: Reals, most_steps: int = -1
) -> Balance:
    """Weigh some graphs of a Gram matrix, which have these slopes at the start.

    With a limit to its steps it may end before it is done.
    """
    n = len(graphs)
    problem, columns = np.zeros((N_LINES, n)), np.arange(n)
    problem[SLOPE], problem[START], problem[BOUND] = slopes, slopes, bounds
    problem[DIAGONAL] = gram[graphs, graphs]
    problem[TAKES, bounds < 0], problem[GIVES, bounds > 0] = -np.inf, np.inf
    (values,) = read_only(np.ascontiguousarray(gram))
    n_steps = move(values, graphs.copy(), problem, columns, SPARE.rows(n), most_steps)
    if not np.isfinite(problem[SLOPE]).all():
        raise DatasetError("the kernel of some graphs is no finite number; expected one per pair")
    beta = np.empty(n)
    beta[columns] = problem[BETA]
    return Balance(beta, threshold(problem), n_steps)


def threshold(problem: Reals) -> float:
    """The mean slope of graphs between their bounds, or else the middle of what is possible."""
    slope, (takes_no, gives_no) = problem[SLOPE], np.isinf(problem[[TAKES, GIVES]])
    between = slope[~(takes_no | gives_no)]
    if len(between):
        return float(np.add.accumulate(between)[-1] / len(between))
    return float((slope[takes_no].min() + slope[gives_no].max()) / 2)


@compiled
def move(
    gram: Reals, graphs: Numbers, problem: Reals, columns: Numbers, rows: Rows, most_steps: int
) -> int:
    """Move weights between graphs until all is balanced; how many steps that took.

    ``order`` has the active graphs first; only ties and the order of sums depend on it. When half
    of the columns are looked at in vain they are put into this order, as ``columns`` tells then.
    """
    n = n_active = span = len(graphs)  # all, the active ones, and the columns that are looked at
    order, rank, found = np.arange(n), np.arange(n), np.empty(n)
    places, owners = np.full(n, -1), np.full(len(rows) + 1, -1)
    n_steps, was_widened, countdown = 0, False, min(n, ROUND) + 1
    while n_steps != most_steps:
        countdown -= 1
        if countdown == 0:
            countdown = min(n, ROUND)
            highest, lowest = extremes(problem, span)
            if not was_widened and highest - lowest <= 10 * TOLERANCE:
                was_widened = True
                take_back(gram, graphs, problem, order, rows, places, owners, n_active, span)
                n_active = span = n
            n_active = leave_out(problem, order, rank, highest, lowest, n_active)
            if 2 * n_active <= span:
                put_in_order(problem, graphs, columns, order, rank)
                places[:], span = -1, max(1, n_active)
        i, j = best_pair(gram, graphs, problem, order, rank, rows, places, owners, found, span)
        if j < 0:
            if n_active == n:
                break
            take_back(gram, graphs, problem, order, rows, places, owners, n_active, span)
            n_active = span = n
            countdown = 2  # the next step, and then a look at what has settled
            continue
        other = row_of(j, gram, graphs, rows, places, owners, span)
        own = row_of(i, gram, graphs, rows, places, owners, span)  # it may have had to make room
        shift(gram, graphs, problem, i, j, own, other, span)
        n_steps += 1
    take_back(gram, graphs, problem, order, rows, places, owners, n_active, span)
    put_in_order(problem, graphs, columns, order, rank)
    return n_steps


@compiled
def best_pair(
    gram: Reals,
    graphs: Numbers,
    problem: Reals,
    order: Numbers,
    rank: Numbers,
    rows: Rows,
    places: Numbers,
    owners: Numbers,
    found: Reals,
    span: int,
) -> tuple[int, int]:
    """The graph to move weight to, and the one to take it from; -1 if nothing is to be gained."""
    slope, takes, gives = problem[SLOPE], problem[TAKES], problem[GIVES]
    for k in range(span):
        found[k] = slope[k] + takes[k]
    i = order[last_greatest(found, rank, span)]
    highest = found[i]
    if highest == -np.inf:
        return -1, -1
    row, diagonal = row_of(i, gram, graphs, rows, places, owners, span), problem[DIAGONAL]
    own, is_wide = diagonal[i], 0
    for k in range(span):
        gap = highest - (slope[k] + gives[k])
        is_wide |= gap >= TOLERANCE
        curvature = own + diagonal[k] - 2 * np.float64(row[k])
        gain = gap * gap / (curvature if curvature > 0 else FLAT)
        found[k] = gain if gap > 0 else -1.0
    if not is_wide:
        return i, -1
    return i, order[last_greatest(found, rank, span)]


@compiled
def last_greatest(values: Reals, rank: Numbers, span: int) -> int:
    """The rank of the greatest value, of the last one if there are several; none is -0.

    Values are compared by their bits as whole numbers, with those behind a minus turned round: such
    a loop is vectorised, one over real numbers is not.
    """
    bits = values.view(np.int64)
    greatest, last = ordered(bits[0]), 0
    for k in range(span):
        greatest = max(greatest, ordered(bits[k]))
    for k in range(span):
        last = max(last, rank[k] if ordered(bits[k]) == greatest else 0)
    return last


@inlined
def ordered(bits: int) -> int:
    """The bits of a real number as a whole number, so that the order stays."""
    return bits ^ ((bits >> 63) & MAGNITUDE)


@compiled
def row_of(
    k: int,
    gram: Reals,
    graphs: Numbers,
    rows: Rows,
    places: Numbers,
    owners: Numbers,
    span: int,
) -> Rows:
    """The row of a graph; where it is not held it takes the place of the oldest one.

    ``owners`` tells whose row is in which place, and last which place was taken last.
    """
    if places[k] < 0:
        place = (owners[-1] + 1) % len(rows)
        if owners[place] >= 0 and places[owners[place]] == place:
            places[owners[place]] = -1
        owners[-1], owners[place], places[k] = place, k, place
        row, values = rows[place], gram[graphs[k]]
        for m in range(span):
            row[m] = values[graphs[m]]
    held: Rows = rows[places[k]]
    return held


@compiled
def shift(
    gram: Reals,
    graphs: Numbers,
    problem: Reals,
    i: int,
    j: int,
    row: Rows,
    other: Rows,
    span: int,
) -> None:
    """Move weight to one graph from another, as much as is best and as their bounds allow."""
    beta, slope, bound = problem[BETA], problem[SLOPE], problem[BOUND]
    was_i, was_j = beta[i], beta[j]
    total, most, least = was_i + was_j, max(0.0, bound[i]), min(0.0, bound[j])
    curvature = problem[DIAGONAL, i] + problem[DIAGONAL, j] - 2 * np.float64(row[j])
    change = (slope[i] - slope[j]) / (curvature if curvature > 0 else FLAT)
    beta[i], beta[j] = was_i + change, was_j - change
    # Which of the two comes to its bound first; where both do, what rounding leaves is libsvm's.
    if total > most + least or (total == most + least and bound[i] < 0):
        if beta[i] > most:
            beta[i], beta[j] = most, total - most
    elif beta[j] < least:
        beta[i], beta[j] = total - least, least
    to_i, to_j = beta[i] - was_i, beta[j] - was_j
    for k in range(span):
        slope[k] -= row[k] * to_i + other[k] * to_j
    for k, was in ((i, was_i), (j, was_j)):
        set_limits(problem, k)
        is_fixed = abs(beta[k]) >= abs(bound[k])
        if is_fixed != (abs(was) >= abs(bound[k])):
            values, step, fixed = (
                gram[graphs[k]],
                bound[k] if is_fixed else -bound[k],
                problem[FIXED],
            )
            for m in range(len(fixed)):
                fixed[m] += step * np.float64(np.float32(values[graphs[m]]))


@compiled
def set_limits(problem: Reals, k: int) -> None:
    """Note whether a graph can still take and give."""
    beta, bound = problem[BETA, k], problem[BOUND, k]
    problem[TAKES, k] = 0.0 if beta < max(0.0, bound) else -np.inf
    problem[GIVES, k] = 0.0 if beta > min(0.0, bound) else np.inf


@compiled
def extremes(problem: Reals, span: int) -> tuple[float, float]:
    """The highest slope of a graph that can take, and the lowest of one that can give."""
    highest, lowest = -np.inf, np.inf
    for k in range(span):
        highest = max(highest, problem[SLOPE, k] + problem[TAKES, k])
        lowest = min(lowest, problem[SLOPE, k] + problem[GIVES, k])
    return highest, lowest


@compiled
def leave_out(
    problem: Reals, order: Numbers, rank: Numbers, highest: float, lowest: float, n_active: int
) -> int:
    """Put graphs behind the others that have settled at a bound; how many others there are."""
    n_before, k = n_active, 0
    while k < n_active:
        if has_settled(problem, highest, lowest, order[k]):
            n_active -= 1
            while n_active > k and has_settled(problem, highest, lowest, order[n_active]):
                n_active -= 1
            order[k], order[n_active] = order[n_active], order[k]
        k += 1
    for k in range(n_before):
        rank[order[k]] = k
        if k >= n_active:
            problem[TAKES, order[k]], problem[GIVES, order[k]] = -np.inf, np.inf
    return n_active


@compiled
def has_settled(problem: Reals, highest: float, lowest: float, k: int) -> bool:
    """Whether a graph lies at a bound and would rather go beyond it."""
    slope: float = problem[SLOPE, k]
    if problem[TAKES, k] < 0:
        return slope > highest
    return slope < lowest and bool(problem[GIVES, k] > 0)


@compiled
def put_in_order(
    problem: Reals, graphs: Numbers, columns: Numbers, order: Numbers, rank: Numbers
) -> None:
    """Move the columns to where they stand in the order."""
    for line in range(N_LINES):
        problem[line] = problem[line][order]
    graphs[:], columns[:] = graphs[order], columns[order]
    for k in range(len(order)):
        order[k] = rank[k] = k


@compiled
def take_back(
    gram: Reals,
    graphs: Numbers,
    problem: Reals,
    order: Numbers,
    rows: Rows,
    places: Numbers,
    owners: Numbers,
    n_active: int,
    span: int,
) -> None:
    """Find the slopes of graphs that were left out, and make all active."""
    n = len(order)
    if n_active == n:
        return
    if span < n:
        places[:] = -1  # rows are too short
    slopes = problem[START] - problem[FIXED]
    for i in order[:n_active]:
        if problem[TAKES, i] == 0 and problem[GIVES, i] == 0:
            row, beta = row_of(i, gram, graphs, rows, places, owners, n), problem[BETA, i]
            for k in range(n):
                slopes[k] -= beta * row[k]
    for k in order[n_active:]:
        problem[SLOPE, k] = slopes[k]
        set_limits(problem, k)
