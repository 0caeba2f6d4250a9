"""SortPooling: the rows of a graph in a consistent order, cut or filled up to k."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from graphrings.layers.kernels import pool_backward, pool_forward, sorted_places

Ties = Literal["all", "last"]


class SortPool(nn.Module):
    """SortPooling (Sec. III-A): sort the rows of every graph, keep k, fill up with zero rows.

    Rows are compared by their last column, descending; ties fall to the column before, and so on
    (``ties="last"`` leaves them in the order of the nodes, as most public code does). Zero rows
    come after all real ones, whatever the sign of the keys.
    Shapes: ``h`` is (n, c), ``sizes`` the number of rows of every graph; the result is
    (graphs, k, c). ``multiplicity`` says how many nodes a row stands for.
    """

    def __init__(self, k: int, ties: Ties = "all") -> None:
        super().__init__()
        self.k, self.ties = k, ties

    def forward(self, h: Tensor, sizes: Any, multiplicity: Any = None) -> Tensor:
        """Choose the rows without a gradient, then gather them with one."""
        sizes = np.asarray(sizes, dtype=np.int64)
        bounds = np.concatenate([[0], np.cumsum(sizes)])
        if bounds[-1] != len(h):
            raise ValueError(f"the sizes add up to {bounds[-1]}; there are {len(h)} rows")
        rows = np.arange(len(h), dtype=np.int32)
        counts = np.ones(len(rows)) if multiplicity is None else np.asarray(multiplicity)
        if len(counts) != len(h):
            raise ValueError(f"{len(counts)} multiplicities for {len(h)} rows")
        places = sort_places([h], (), bounds, rows, counts.astype(np.int32), self.k, self.ties)
        padded = torch.cat([h, h.new_zeros((1, h.shape[1]))])  # place -1 is the last row
        return padded[torch.from_numpy(places.astype(np.int64)).to(h.device)]


def sort_places(
    layers: Sequence[Tensor],
    parents: Sequence[NDArray[np.int32]],
    graph_ptr: NDArray[np.int64],
    members: NDArray[np.int32],
    multiplicity: NDArray[np.int32],
    k: int,
    ties: Ties = "all",
) -> NDArray[np.int32]:
    """Which rows of the last layer SortPooling keeps, (graphs, k); -1 stands for a zero row.

    The rows to compare are the concatenation of all layers. It is never made: ``parents[l]`` leads
    from a row of layer l + 1 to the row of layer l that it goes with. Graph i has the rows
    ``members[graph_ptr[i] : graph_ptr[i + 1]]``.
    """
    arrays = tuple(h.detach().cpu().contiguous().numpy() for h in layers)
    keys = np.ascontiguousarray(arrays[-1][:, -1])
    below = tuple(parents) or (members,)  # a tuple must not be empty to be compiled
    return sorted_places(graph_ptr, members, multiplicity, keys, k, ties == "all", arrays, below)


class RowFilter(nn.Module):
    """The head's first 1-D convolution on sorted rows, ReLU, and max-pooling of pairs.

    Kernel and stride are one node row, so that it is a linear map of every row; the row is the
    concatenation of all layers, so that it is a sum of linear maps, one a layer. They are applied
    before the rows are gathered: once a row, not once a place.
    Shapes: layer l is (n_l, c_l), ``places`` (graphs, k); the result is (graphs, k // 2, out).
    """

    def __init__(self, widths: Sequence[int], out_features: int) -> None:
        super().__init__()
        self.widths = list(widths)
        self.filters = nn.Linear(sum(widths), out_features)

    def readouts(self) -> tuple[Tensor, ...]:
        """The weights of every layer: (out, c_l)."""
        return torch.split_with_sizes(self.filters.weight, self.widths, 1)

    def forward(
        self,
        layers: Sequence[Tensor],
        parents: Sequence[NDArray[np.int32]],
        places: NDArray[np.int32],
    ) -> Tensor:
        """Filter the rows of every layer, add them up where SortPooling put them."""
        return self.pool(self.filter(layers), [len(h) for h in layers], parents, places)

    def filter(self, layers: Sequence[Tensor]) -> Tensor:
        """The first half, one linear map a layer: the rows of all layers below each other."""
        return torch.cat([h @ own.t() for h, own in zip(layers, self.readouts(), strict=True)])

    def pool(
        self,
        filtered: Tensor,
        lengths: Sequence[int],
        parents: Sequence[NDArray[np.int32]],
        places: NDArray[np.int32],
    ) -> Tensor:
        """The second half, for layers of these lengths that are filtered already."""
        bias, starts = self.filters.bias, np.cumsum([0, *lengths[:-1]])
        if bias.device.type != "cpu":
            return pooled_rows(bias, filtered, starts, parents, places)
        out: Tensor = PooledRows.apply(bias, filtered, starts, tuple(parents), places)
        return out


class PooledRows(torch.autograd.Function):
    """The sum over layers, ReLU and max-pooling of RowFilter as one step, on the CPU."""

    @staticmethod
    def forward(
        ctx: Any,
        bias: Tensor,
        filtered: Tensor,
        starts: NDArray[np.int64],
        parents: tuple[NDArray[np.int32], ...],
        places: NDArray[np.int32],
    ) -> Tensor:
        """One pass over all places."""
        out = bias.new_empty((len(places), places.shape[1] // 2, bias.shape[0]))
        winner = np.empty(out.shape, dtype=np.int8)
        below = parents or (places[0],)  # a tuple must not be empty to be compiled
        pool_forward(filtered.numpy(), starts, below, places, bias.numpy(), out.numpy(), winner)
        ctx.arrays, ctx.n_rows = (winner, starts, below, places), filtered.shape[0]
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """One pass over all places."""
        winner, starts, below, places = ctx.arrays
        grad = grads[0].contiguous()
        bias = grad.new_zeros(grad.shape[2])
        rows = grad.new_zeros((ctx.n_rows, grad.shape[2]))
        pool_backward(grad.numpy(), winner, starts, below, places, rows.numpy(), bias.numpy())
        return bias, rows, None, None, None


def pooled_rows(
    bias: Tensor,
    filtered: Tensor,
    starts: NDArray[np.int64],
    parents: Sequence[NDArray[np.int32]],
    places: NDArray[np.int32],
) -> Tensor:
    """PooledRows in plain torch, for any device."""
    rows = torch.from_numpy(places.astype(np.int64)).to(bias.device)
    real = (rows >= 0).unsqueeze(-1)
    rows = rows.clamp(min=0)
    total = bias
    for level in range(len(starts) - 1, -1, -1):
        total = total + filtered[starts[level] + rows] * real
        if level > 0:
            parent = torch.from_numpy(parents[level - 1].astype(np.int64)).to(bias.device)
            rows = parent[rows]
    pairs = torch.relu(total)[:, : places.shape[1] // 2 * 2]
    return pairs.view(len(places), -1, 2, len(bias)).amax(2)
