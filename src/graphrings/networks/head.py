"""What all SortPooling networks share: sorted rows, two 1-D convolutions, two dense layers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from graphrings.fused.arrays import Floats
from graphrings.fused.lane import takes_fused_lane
from graphrings.fused.members import member_places, pooled_members, window_stacks
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
        kept = self._kept(len(x))
        return self.out(x if kept is None else x * kept)  # type: ignore[no-any-return]

    def _fused(self, layers: Sequence[Tensor], batch: Batch, filtered: Tensor) -> Tensor:
        """The same in compiled steps; the layers are never laid side by side."""
        nodes = batch.graph_ptr, batch.members, batch.multiplicity
        parents = batch.parents[1:]  # the features are no layer
        places = sort_places(layers, parents, *nodes, self.sort.k, self.sort.ties == "all")
        lengths = [len(h) for h in layers]
        x = pooled_rows(filtered, self.rows.filters.bias, lengths, parents, places)
        return self.behind(x, self._kept(len(x)))

    def pooled_answers(self, n_graphs: int, most_nodes: int) -> tuple[PooledAnswers, Floats]:
        """SortPooling up to max-pooling for nodes that share no rows, and where its results go."""
        bias, k = self.rows.filters.bias.numpy(), self.sort.k
        out = np.empty((n_graphs, k // 2, len(bias)), dtype=bias.dtype)
        return PooledAnswers(bias, k, self.sort.ties == "all", most_nodes), out

    def behind(self, x: Tensor, kept: Tensor | None) -> Tensor:
        """The second convolution, and the dense layers."""
        linear = [(part.weight, part.bias) for part in (self.conv.filters, self.dense, self.out)]
        return window_stack(x, self.conv.size, linear, kept)

    def together(
        self,
        layers: Sequence[Tensor],
        batch: Batch,
        filtered: Tensor,
        stacked: Mapping[str, Tensor],
        generators: Sequence[torch.Generator],
    ) -> Tensor:
        """The outputs of several heads of this shape, (members, graphs, outputs).

        Layers, filtered rows and the parameters by name have a leading axis. Dropout draws from the
        generator of every member; without generators there is none.
        """
        nodes = batch.graph_ptr, batch.members, batch.multiplicity
        parents = batch.parents[1:]  # the features are no layer
        places = member_places(layers, parents, *nodes, self.sort.k, self.sort.ties == "all")
        lengths = [h.shape[1] for h in layers]
        x = pooled_members(filtered, stacked["rows.filters.bias"], lengths, parents, places)
        parts = ("conv.filters", "dense", "out")
        linear = [(stacked[f"{part}.weight"], stacked[f"{part}.bias"]) for part in parts]
        kept = None
        if generators and self.dropout > 0:
            kept = torch.stack([self._drawn(x.shape[1], generator) for generator in generators])
        return window_stacks(x, self.conv.size, linear, kept)

    def _kept(self, n_graphs: int) -> Tensor | None:
        """Dropout as factors, if there is any."""
        return self._drawn(n_graphs) if self.training and self.dropout > 0 else None

    def _drawn(self, n_graphs: int, generator: torch.Generator | None = None) -> Tensor:
        """By uniform numbers, which torch draws faster than Bernoulli's."""
        empty = self.dense.weight.new_empty((n_graphs, self.dense.out_features))
        drawn = empty.uniform_(generator=generator)
        return drawn.ge_(self.dropout).div_(1 - self.dropout)
