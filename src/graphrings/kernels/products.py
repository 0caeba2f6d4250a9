"""Scalar products of sparse rows, and the cosine of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from graphrings.compiled import compiled
from graphrings.limits import Work, begin
from graphrings.threads import one_thread

COMMON = 0.25  # a column that so many rows have is cheaper in a dense product
STRIP = 128  # rows of such a product
BLOCK = 64  # rows and columns of a tile that fits the cache
MOST_NUMBERS = 1 << 24  # in a dense block


def product(one: csr_array, other: csr_array) -> NDArray[np.float64]:
    """The scalar products of all rows of two tables; of a table with itself only one half is done.

    Columns that many rows have go through dense products, a block at a time, all others through
    lists of the rows that have them.
    """
    held = np.bincount(other.indices, minlength=other.shape[1])
    begin(shared_features(one, held))
    common = held > COMMON * other.shape[0]
    mirrored = one is other
    gram = np.zeros((one.shape[0], other.shape[0]))
    _add_common(gram, one, other, np.flatnonzero(common))
    rare = sparse_parts(other.T.tocsr())
    if mirrored:
        add_half(gram, *sparse_parts(one), *rare, common)
        mirror(gram)
    else:
        add_products(gram, *sparse_parts(one), *rare, common)
    return gram


def shared_features(one: csr_array, held: NDArray[np.int64]) -> Work:
    """What it takes to compare rows by the columns that other rows hold so often."""
    n_steps = float(held @ np.bincount(one.indices, minlength=len(held)))
    what = f"comparing {one.shape[0]:,} graphs"
    instead = "an estimator with linear = True compares no pairs; or take fewer graphs"
    return Work(what, instead, kind="features that two graphs share", n_steps=n_steps)


def cosine(
    gram: NDArray[np.float64], rows: NDArray[np.float64], columns: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Divide by both norms, in place; graphs without any feature are like each other alone."""
    rows, columns = rows.copy(), columns.copy()  # which may be the diagonal
    for top in range(0, len(gram), STRIP):
        strip, own = gram[top : top + STRIP], rows[top : top + STRIP]
        norms = np.sqrt(np.outer(own, columns))
        nothing = np.outer(own == 0, columns == 0)
        strip[:] = np.where(norms > 0, strip / np.where(norms > 0, norms, 1), nothing)
    return gram


def _add_common(
    gram: NDArray[np.float64], one: csr_array, other: csr_array, columns: NDArray[np.intp]
) -> None:
    """Add what common columns give, a strip of rows at a time; of one table only one half."""
    width = max(1, MOST_NUMBERS // max(1, *gram.shape))
    with one_thread():  # more threads may add in another order
        for first in range(0, len(columns), width):
            chosen = columns[first : first + width]
            right = other[:, chosen].toarray()
            left = right if one is other else one[:, chosen].toarray()
            for top in range(0, len(left), STRIP):
                begin = top if one is other else 0
                gram[top : top + STRIP, begin:] += left[top : top + STRIP] @ right[begin:].T


def sparse_parts(
    table: csr_array,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
    """What compiled code takes of a table."""
    return (
        table.indptr.astype(np.int64),
        table.indices.astype(np.int32, copy=False),
        table.data.astype(np.float64, copy=False),
    )


@compiled
def add_products(
    gram: NDArray[np.float64],
    indptr: NDArray[np.int64],
    columns: NDArray[np.int32],
    values: NDArray[np.float64],
    holders_ptr: NDArray[np.int64],
    holders: NDArray[np.int32],
    held: NDArray[np.float64],
    left_out: NDArray[np.bool_],
) -> None:
    """Add the products of rows with those that hold the same columns."""
    for i in range(len(indptr) - 1):
        row = gram[i]
        for e in range(indptr[i], indptr[i + 1]):
            column, value = columns[e], values[e]
            if not left_out[column]:
                for h in range(holders_ptr[column], holders_ptr[column + 1]):
                    row[holders[h]] += value * held[h]


@compiled
def add_half(
    gram: NDArray[np.float64],
    indptr: NDArray[np.int64],
    columns: NDArray[np.int32],
    values: NDArray[np.float64],
    holders_ptr: NDArray[np.int64],
    holders: NDArray[np.int32],
    held: NDArray[np.float64],
    left_out: NDArray[np.bool_],
) -> None:
    """The same for a table with itself, on and right of the diagonal.

    Holders are in order, so a row that is done takes itself off the front of its columns' lists.
    """
    front = holders_ptr[:-1].copy()
    for i in range(len(indptr) - 1):
        row = gram[i]
        for e in range(indptr[i], indptr[i + 1]):
            column, value = columns[e], values[e]
            if not left_out[column]:
                for h in range(front[column], holders_ptr[column + 1]):
                    row[holders[h]] += value * held[h]
                front[column] += 1


@compiled
def mirror(gram: NDArray[np.float64]) -> None:
    """Copy what is right of the diagonal to its left, tile by tile."""
    n = len(gram)
    for top in range(0, n, BLOCK):
        for left in range(0, top + 1, BLOCK):
            for i in range(top, min(top + BLOCK, n)):
                for j in range(left, min(left + BLOCK, i)):
                    gram[i, j] = gram[j, i]
