"""The weighted sum over every block, without filters: what most convolutions are made of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.lane import takes_fused_lane
from graphrings.fused.row_sums import row_sums
from graphrings.layers.on_device import on_device_of


def weighted_sum(rows: Tensor, near: WeightedRows, *, blocks: bool = False) -> Tensor:
    r"""Add up the members of every block by their weights; the blocks stand side by side.

    .. math:: H'_v = \Vert_{j} \sum_{u \in B_j(v)} w_{vu} H_u

    The result has the shape (rows of ``near``, width * c). An empty block gives zeros.

    Args:
        rows: what members look like, (n, c); with ``blocks`` (n, width * c), what they look like
            from every block.
        near: the members and weights of every block.
        blocks: whether every block sees columns of its own.

    """
    return weighted_sums([rows], [near], blocks=blocks)[0]


def weighted_sums(
    rows: Sequence[Tensor], near: Sequence[WeightedRows], *, blocks: bool = False
) -> tuple[Tensor, ...]:
    """Several sums at once, which start sooner than one after the other in the fused lane."""
    if takes_fused_lane(rows[0]):
        return row_sums(rows, near, blocks)
    return tuple(plain_sum(h, own, blocks) for h, own in zip(rows, near, strict=True))


def plain_sum(rows: Tensor, near: WeightedRows, blocks: bool) -> Tensor:
    """The weighted sum in plain torch."""
    members = near.indices.astype(np.int64)
    if blocks:
        rows = rows.reshape(len(rows) * near.width, -1)  # row (u, j): u seen from block j
        members = members * near.width + near.blocks % near.width
    sums = functional.embedding_bag(
        on_device_of(rows, members),
        rows,
        on_device_of(rows, near.indptr.copy()),
        mode="sum",
        per_sample_weights=torch.from_numpy(near.weights.copy()).to(rows),
        include_last_offset=True,
    )
    return sums.view(near.n_rows, near.width * rows.shape[1])
