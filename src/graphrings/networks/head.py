"""What all SortPooling networks share: sorted rows, two 1-D convolutions, two dense layers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from torch import Tensor, nn
from torch.nn import functional

from graphrings.graphs.dataset import Dataset
from graphrings.layers.sort_pool import RowFilter, Ties, sort_places
from graphrings.layers.window_conv import WindowConv
from graphrings.layers.window_stack import window_stack
from graphrings.networks.batches import Batch

KERNEL = 5  # of the second convolution
LEAST_K = 2 * KERNEL  # rows, so that one position is left after both convolutions


def measure_k(training: Dataset, quantile: float | str = "auto", **_: Any) -> dict[str, Any]:
    """The k of SortPooling: a quantile of the training graphs' sizes, enough for convolutions."""
    usual = 0.6 if training.n_labels else 0.9
    share = usual if quantile == "auto" else float(quantile)
    sizes = np.sort(training.sizes)
    return {"k": max(LEAST_K, int(sizes[math.ceil(share * len(sizes)) - 1]))}


class SortPoolHead(nn.Module):
    """From the rows of all layers to one score a class (Zhang et al., 2018).

    SortPooling to k rows; 1-D convolution over one row each; ReLU; max-pooling of pairs; 1-D
    convolution over five positions; ReLU; dense; ReLU; dropout; dense.
    """

    def __init__(
        self,
        widths: Sequence[int],
        n_classes: int,
        k: int,
        *,
        conv_channels: tuple[int, int] = (16, 32),
        dense: int = 128,
        dropout: float = 0.5,
        ties: Ties = "all",
    ) -> None:
        super().__init__()
        self.k, self.ties, self.dropout = k, ties, dropout
        first, second = conv_channels
        self.rows = RowFilter(widths, first)
        self.conv = WindowConv(first, second, KERNEL)
        self.dense = nn.Linear(second * (k // 2 - KERNEL + 1), dense)
        self.out = nn.Linear(dense, n_classes)

    def forward(self, layers: Sequence[Tensor], filtered: Tensor, batch: Batch) -> Tensor:
        """The scores of every graph, (graphs, classes).

        ``filtered`` is what ``rows.filter`` makes of the layers.
        """
        nodes = batch.graph_ptr, batch.members, batch.multiplicity
        parents = batch.parents[1:]  # the features are no layer
        places = sort_places(layers, parents, *nodes, self.k, self.ties)
        x = self.rows.pool(filtered, [len(h) for h in layers], parents, places)
        kept = self._kept(len(x))
        if x.device.type == "cpu":
            return window_stack(x, self.conv, self.dense, self.out, kept)
        x = functional.relu(self.conv(x))
        x = functional.relu(self.dense(x.flatten(1)))
        return self.out(x if kept is None else x * kept)  # type: ignore[no-any-return]

    def _kept(self, n_graphs: int) -> Tensor | None:
        """Dropout as factors, by uniform numbers, which torch draws faster than Bernoulli's."""
        if not self.training or self.dropout == 0:
            return None
        drawn = self.dense.weight.new_empty((n_graphs, self.dense.out_features)).uniform_()
        return drawn.ge_(self.dropout).div_(1 - self.dropout)
