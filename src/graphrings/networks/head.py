"""What all SortPooling networks share: sorted rows, two 1-D convolutions, two dense layers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from graphrings.fused.arrays import Floats
from graphrings.fused.lane import takes_fused_lane
from graphrings.fused.pooled_answers import PooledAnswers
from graphrings.fused.pooled_rows import filtered_rows, pooled_rows
from graphrings.fused.sorted_places import sort_places
from graphrings.fused.window_stack import window_stack
from graphrings.graphs.dataset import Dataset
from graphrings.layers.on_device import rows_at
from graphrings.layers.sort_pool import SortPool, Ties
from graphrings.layers.window_conv import WindowConv
from graphrings.networks.batches import Batch

WINDOW = 5  # of the second convolution
LEAST_K = 2 * WINDOW  # rows, so that one position is left after both convolutions


def measure_k(training: Dataset, quantile: float | str = "auto", **_: Any) -> dict[str, Any]:
    """The k of SortPooling: a quantile of the training graphs' sizes, enough for convolutions."""
    usual = 0.6 if training.n_labels else 0.9
    share = usual if quantile == "auto" else float(quantile)
    sizes = np.sort(training.sizes)
    return {"k": max(LEAST_K, int(sizes[math.ceil(share * len(sizes)) - 1]))}


class SortPoolHead(nn.Module):
    """From the rows of all layers to the outputs of every graph (Zhang et al., 2018).

    SortPooling to k rows; 1-D convolution over one row each; ReLU; max-pooling of pairs; 1-D
    convolution over five positions; ReLU; dense; ReLU; dropout; dense.
    """

    def __init__(
        self,
        widths: Sequence[int],
        n_outputs: int,
        k: int,
        *,
        conv_channels: tuple[int, int] = (16, 32),
        dense: int = 128,
        dropout: float = 0.5,
        ties: Ties = "all",
    ) -> None:
        super().__init__()
        self.sort, self.dropout = SortPool(k, ties), dropout
        first, second = conv_channels
        self.rows = WindowConv(sum(widths), first, 1)
        self.conv = WindowConv(first, second, WINDOW)
        self.dense = nn.Linear(second * (k // 2 - WINDOW + 1), dense)
        self.out = nn.Linear(dense, n_outputs)

    def forward(
        self, layers: Sequence[Tensor], batch: Batch, filtered: Tensor | None = None
    ) -> Tensor:
        """Lay the layers side by side, sort, convolve twice, map; (graphs, outputs).

        In the fused lane ``filtered`` is what ``rows`` makes of the layers, if that is known.
        """
        if takes_fused_lane(layers[-1]):
            if filtered is None:
                filtered = filtered_rows(layers, self.rows.filters.weight)
            return self._fused(layers, batch, filtered)
        members = zip(layers, batch.members_by_level(len(layers)), strict=True)
        rows = torch.cat([rows_at(h, places) for h, places in members], dim=1)
        x = self.sort(rows, np.diff(batch.graph_ptr), batch.multiplicity)
        x = functional.relu(self.rows(x))
        x = functional.max_pool1d(x.transpose(1, 2), 2).transpose(1, 2)
        x = functional.relu(self.conv(x))
        x = functional.relu(self.dense(x.flatten(1)))
        kept = self.kept(len(x))
        return self.out(x if kept is None else x * kept)  # type: ignore[no-any-return]

    def _fused(self, layers: Sequence[Tensor], batch: Batch, filtered: Tensor) -> Tensor:
        """The same in compiled steps; the layers are never laid side by side."""
        nodes = batch.graph_ptr, batch.members, batch.multiplicity
        parents = batch.parents[1:]  # the features are no layer
        places = sort_places(layers, parents, *nodes, self.sort.k, self.sort.ties == "all")
        return self.of_places(filtered, [len(h) for h in layers], parents, places)

    def of_places(
        self,
        filtered: Tensor,
        lengths: Sequence[int],
        parents: Sequence[NDArray[np.int32]],
        places: NDArray[np.int32],
    ) -> Tensor:
        """What follows SortPooling, in compiled steps; see ``pooled_rows``."""
        x = pooled_rows(filtered, self.rows.filters.bias, lengths, parents, places)
        return self.behind(x, self.kept(len(x)))

    def pooled_answers(self, n_graphs: int, most_nodes: int) -> tuple[PooledAnswers, Floats]:
        """SortPooling up to max-pooling for nodes that share no rows, and where its results go."""
        bias, k = self.rows.filters.bias.numpy(), self.sort.k
        out = np.empty((n_graphs, k // 2, len(bias)), dtype=bias.dtype)
        return PooledAnswers(bias, k, self.sort.ties == "all", most_nodes), out

    def behind(self, x: Tensor, kept: Tensor | None) -> Tensor:
        """The second convolution, and the dense layers."""
        linear = [(part.weight, part.bias) for part in (self.conv.filters, self.dense, self.out)]
        return window_stack(x, self.conv.size, linear, kept)

    def kept(self, n_graphs: int) -> Tensor | None:
        """Dropout as factors, if there is any: by uniform numbers, quicker than Bernoulli's."""
        if not self.training or self.dropout == 0:
            return None
        drawn = self.dense.weight.new_empty((n_graphs, self.dense.out_features))
        return drawn.uniform_().ge_(self.dropout).div_(1 - self.dropout)
