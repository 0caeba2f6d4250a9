"""Weighted rows: for every row and block a list of members with weights."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray


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
        self.width, self.indptr, self.indices, self.weights = width, indptr, indices, weights

    @property
    def n_rows(self) -> int:
        """The number of rows, each of which has ``width`` blocks."""
        return (len(self.indptr) - 1) // self.width

    @property
    def n_members(self) -> int:
        """How many rows there must be to take members from."""
        return int(self.indices.max(initial=-1)) + 1

    @property
    def blocks(self) -> NDArray[np.int64]:
        """The block of every entry of ``indices``."""
        return np.repeat(np.arange(len(self.indptr) - 1), np.diff(self.indptr))

    @property
    def own(self) -> NDArray[np.int32]:
        """The first member of every row: where block 0 holds the node itself, that is the node."""
        return self.indices[self.indptr[: -1 : self.width]]

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
        return WeightedRows(1, self._ends(), self.indices, self.weights)

    def _ends(self) -> NDArray[np.int64]:
        return np.ascontiguousarray(self.indptr[:: self.width])

    def __repr__(self) -> str:
        return (
            f"WeightedRows({self.n_rows:,} rows of width {self.width}, "
            f"{len(self.indices):,} entries)"
        )
