"""Weighted rows: for every row and block a list of members with weights."""

from __future__ import annotations

import operator
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.errors import LayerError

WIDEST = 2**31 - 1


def checked_rows(
    width: Any, indptr: Any, indices: Any
) -> tuple[int, NDArray[np.int64], NDArray[np.int32]]:
    """Width, bounds and members as compiled code takes them for granted, or a LayerError."""
    try:
        width = operator.index(width)
    except TypeError:
        width = 0
    if not 0 < width <= WIDEST:
        raise LayerError("rows of no width; expected a whole number of blocks, 1 or more")
    ptr, members = whole_numbers(indptr, "indptr"), whole_numbers(indices, "indices")
    rising = len(ptr) > 0 and ptr[0] == 0 and ptr[-1] == len(members)
    if not (rising and np.all(ptr[1:] >= ptr[:-1])):
        raise LayerError(f"indptr does not rise from 0 to {len(members):,}, the number of entries")
    if (len(ptr) - 1) % width:
        raise LayerError(f"indptr bounds {len(ptr) - 1:,} blocks; expected {width} for every row")
    if len(members) and not (members.min() >= 0 and members.max() <= WIDEST):
        raise LayerError("indices has numbers of rows below 0 or beyond 32 bits")
    return width, ptr, members.astype(np.int32, copy=False)


def whole_numbers(values: Any, name: str) -> NDArray[np.int64]:
    """A list of whole numbers as an array of 64 bits, or a LayerError."""
    array = as_column(values, name)
    if array.dtype.kind not in "iu" and len(array):
        raise LayerError(f"{name} is an array of {array.dtype}; expected whole numbers")
    if array.dtype == np.uint64 and len(array) and array.max() > np.iinfo(np.int64).max:
        raise LayerError(f"{name} has numbers beyond 64 bits")
    return np.ascontiguousarray(array, dtype=np.int64)


def as_column(values: Any, name: str) -> NDArray[Any]:
    """An array of one dimension, or a LayerError."""
    try:
        array = np.asarray(values)
    except (TypeError, ValueError) as error:
        raise LayerError(f"{name} is no array ({error})") from error
    if array.ndim != 1:
        raise LayerError(f"{name} has {array.ndim} dimensions; expected one")
    return array


def checked_column(values: Any, length: int, name: str, of: str) -> NDArray[Any]:
    """One finite number for each of some things, or a LayerError."""
    array = as_column(values, name)
    if array.dtype.kind not in "iuf" or len(array) != length or not np.isfinite(array).all():
        raise LayerError(f"{name} are not {length:,} finite numbers, one for each of the {of}")
    known = array.dtype in (np.int32, np.float32, np.float64)  # what compiled code is made for
    return np.ascontiguousarray(array, dtype=array.dtype if known else np.float64)


class WeightedRows:
    """What a layer adds up: every row has ``width`` blocks, and every block members with weights.

    Block j of row v is ``indices[indptr[b] : indptr[b + 1]]`` with ``b = v * width + j``, and
    ``weights`` has one weight per member. Distance rings are the case where blocks are distances;
    the rows of a pooling, the edge labels of a node and the places of a receptive field are others.
    """

    weights: NDArray[Any]

    def __init__(
        self,
        width: int,
        indptr: NDArray[np.int64],
        indices: NDArray[np.int32],
        weights: NDArray[Any],
    ) -> None:
        self.width, self.indptr, self.indices = checked_rows(width, indptr, indices)
        self.weights = checked_column(weights, len(self.indices), "weights", "entries")

    @classmethod
    def trusted(
        cls,
        width: int,
        indptr: NDArray[np.int64],
        indices: NDArray[np.int32],
        weights: NDArray[Any],
    ) -> WeightedRows:
        """The same without the check, for code that has made its arrays such that they fit."""
        made = WeightedRows.__new__(WeightedRows)
        made.width, made.indptr, made.indices, made.weights = width, indptr, indices, weights
        return made

    @property
    def n_rows(self) -> int:
        """The number of rows, each of which has ``width`` blocks."""
        return (len(self.indptr) - 1) // self.width

    @property
    def n_members(self) -> int:
        """How many rows there must be to take members from; a negative member asks for too many."""
        unsigned = self.indices.view(np.uint32)
        return int(unsigned.max()) + 1 if len(unsigned) else 0

    @property
    def blocks(self) -> NDArray[np.int64]:
        """The block of every entry of ``indices``."""
        return np.repeat(np.arange(len(self.indptr) - 1), np.diff(self.indptr))

    @property
    def own(self) -> NDArray[np.int32]:
        """The first member of every row: where block 0 holds the node itself, that is the node."""
        first = first_members(self.indptr, self.indices, self.width)
        if len(first) < self.n_rows:
            raise LayerError(f"{self!r} has a row with an empty block 0; expected the node itself")
        return first

    def weights_as(self, dtype: Literal["float32", "float64"]) -> NDArray[Any]:
        """The weights in the precision of a layer."""
        return self._double_weights if dtype == "float64" else self._single_weights

    @cached_property
    def _single_weights(self) -> NDArray[np.float32]:
        return self.weights.astype(np.float32, copy=False)

    @cached_property
    def _double_weights(self) -> NDArray[np.float64]:
        return self.weights.astype(np.float64, copy=False)

    def joined(self) -> WeightedRows:
        """All blocks of a row as its only block."""
        return WeightedRows.trusted(1, self._ends(), self.indices, self.weights)

    def _ends(self) -> NDArray[np.int64]:
        return np.ascontiguousarray(self.indptr[:: self.width])

    def __repr__(self) -> str:
        return (
            f"WeightedRows({self.n_rows:,} rows of width {self.width}, "
            f"{len(self.indices):,} entries)"
        )


@compiled
def first_members(
    indptr: NDArray[np.int64], indices: NDArray[np.int32], width: int
) -> NDArray[np.int32]:
    """The first member of block 0 of every row, up to the first row where that is empty."""
    first = np.empty((len(indptr) - 1) // width, dtype=np.int32)
    for v in range(len(first)):
        if indptr[v * width] == indptr[v * width + 1]:
            return first[:v]
        first[v] = indices[indptr[v * width]]
    return first
