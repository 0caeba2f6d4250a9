"""SortPooling: the rows of a graph in a consistent order, cut or filled up to k."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from graphrings.distances.weighted_rows import whole_numbers
from graphrings.errors import LayerError
from graphrings.fused.lane import takes_fused_lane
from graphrings.fused.sorted_places import sort_places
from graphrings.layers.on_device import on_device_of

Ties = Literal["all", "last"]
MOST_ROWS = 2**31 - 1


class SortPool(nn.Module):
    """SortPooling (Sec. III-A): sort the rows of every graph, keep k, fill up with zero rows.

    Rows are compared by their last column, descending. Zero rows come after all real ones, whatever
    the sign of the keys. Shapes: ``h`` is (n, c); the result is (graphs, k, c).

    Args:
        k: how many rows every graph keeps.
        ties: where rows with one key stand: by the columns before it (``all``), or in the order of
            the nodes (``last``), as in most public code.

    """

    def __init__(self, k: int, ties: Ties = "all") -> None:
        super().__init__()
        if isinstance(k, bool) or not isinstance(k, int | np.integer) or not 0 < k < MOST_ROWS:
            raise LayerError(f"k = {k!r}; expected a whole number above 0")
        if ties not in ("all", "last"):
            raise LayerError(f"ties = {ties!r}; expected all or last")
        self.k, self.ties = int(k), ties

    def forward(self, h: Tensor, sizes: Any, multiplicity: Any = None) -> Tensor:
        """Choose the rows without a gradient, then gather them with one.

        Args:
            h: the rows of all graphs, graph after graph.
            sizes: the number of rows of every graph.
            multiplicity: how many nodes every row stands for, by default one.

        """
        sizes, often = self.check(h, sizes, multiplicity)
        if takes_fused_lane(h):
            bounds, rows = np.append(0, np.cumsum(sizes)), np.arange(len(h), dtype=np.int32)
            nodes = bounds, rows, often.astype(np.int32)
            chosen = sort_places([h], (), *nodes, self.k, self.ties == "all")
            places = torch.from_numpy(chosen.astype(np.int64))
        else:
            places = self.places(h.detach(), sizes, often.astype(np.int64))
        padded = torch.cat([h, h.new_zeros((1, h.shape[1]))])  # place -1 is the last row
        return padded[places]

    def check(
        self, h: Tensor, sizes: Any, multiplicity: Any
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The sizes, and how often rows count, at most k times; refuse what fits no rows."""
        if h.dim() != 2 or h.shape[1] == 0:
            raise LayerError(f"rows of shape {tuple(h.shape)}; expected (n, c) with a last column")
        sizes = whole_numbers(sizes, "sizes")
        if np.any((sizes < 0) | (sizes > len(h))):
            raise LayerError(f"sizes that are not from 0 to {len(h)}, the number of rows")
        if (total := int(sizes.sum())) != len(h):
            raise LayerError(f"the sizes add up to {total}; there are {len(h)} rows")
        if multiplicity is None:
            return sizes, np.ones(len(h), dtype=np.int64)
        often = whole_numbers(multiplicity, "multiplicity")
        if len(often) != len(h):
            raise LayerError(f"{len(often)} multiplicities for {len(h)} rows")
        if np.any(often < 1):
            raise LayerError("a row that stands for no nodes; expected multiplicities above 0")
        return sizes, np.minimum(often, self.k)  # more of a row than k are cut anyway

    def places(self, h: Tensor, sizes: NDArray[np.int64], often: NDArray[np.int64]) -> Tensor:
        """The rows of the first k nodes of every graph, (graphs, k); -1 where it has fewer."""
        owner = np.repeat(np.arange(len(sizes)), sizes)
        graph = on_device_of(h, owner)
        order = torch.arange(len(h), device=h.device)
        for key in h.unbind(1) if self.ties == "all" else [h[:, -1]]:  # the last sort counts most
            order = order[torch.argsort(key[order], descending=True, stable=True)]
        order = order[torch.argsort(graph[order], stable=True)]
        # One entry per node, graph after graph: what comes below k does not depend on the order.
        order = order.repeat_interleave(on_device_of(h, often)[order], output_size=int(often.sum()))
        owner = np.repeat(owner, often)
        n_nodes = np.bincount(owner, minlength=len(sizes))
        rank = np.arange(len(owner)) - np.repeat(np.cumsum(n_nodes) - n_nodes, n_nodes)
        kept = np.flatnonzero(rank < self.k)
        places = torch.full((len(sizes), self.k), -1, device=h.device)
        where = on_device_of(h, owner[kept]), on_device_of(h, rank[kept])
        places[where] = order[on_device_of(h, kept)]
        return places

    def extra_repr(self) -> str:
        """The settings."""
        return f"{self.k}, ties={self.ties!r}"
