"""From the rows of nodes to one row per graph: sums and means, and a small dense head."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, cat, nn
from torch.nn import functional

from graphrings.compiled import compiled
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.dense_stack import dense_stack
from graphrings.fused.lane import takes_fused_lane
from graphrings.layers.dropout import kept_factors
from graphrings.layers.weighted_sum import weighted_sums
from graphrings.networks.batches import Batch

Readout = Literal["mean", "sum"]


def pooled(layers: Sequence[Tensor], batch: Batch, readout: Readout = "mean") -> list[Tensor]:
    """The mean or sum over the nodes of every graph, layer by layer.

    ``layers`` are the rows of the last levels, up to the top one; of an earlier layer a node has
    the row that its own row leads back to.
    """
    return list(weighted_sums(layers, graph_rows(batch, len(layers), readout)))


def graph_rows(batch: Batch, n_layers: int, readout: Readout) -> list[WeightedRows]:
    """A row for every graph, of the nodes that it has in each of the last layers."""
    weights = node_weights(batch.graph_ptr, batch.multiplicity, readout == "mean")
    return [
        WeightedRows.trusted(1, batch.graph_ptr, members, weights)
        for members in batch.members_by_level(n_layers)
    ]


@compiled
def node_weights(
    graph_ptr: NDArray[np.int64], multiplicity: NDArray[np.int32], mean: bool
) -> NDArray[np.float32]:
    """What every member counts for in the sum over its graph, or in the mean."""
    weights = np.empty(len(multiplicity), dtype=np.float32)
    for graph in range(len(graph_ptr) - 1):
        first, last = graph_ptr[graph], graph_ptr[graph + 1]
        size = 0
        for i in range(first, last):
            size += multiplicity[i]
        for i in range(first, last):
            weights[i] = multiplicity[i] / size if mean else multiplicity[i]
    return weights


class DenseHead(nn.Module):
    """From one row per graph to its outputs: dense, ReLU, dropout, dense."""

    def __init__(self, width: int, n_outputs: int, dense: int = 128, dropout: float = 0.5) -> None:
        super().__init__()
        self.dropout = dropout
        self.dense = nn.Linear(width, dense)
        self.out = nn.Linear(dense, n_outputs)

    def forward(self, parts: Sequence[Tensor]) -> Tensor:
        """The outputs of every graph; its row comes in parts."""
        x = cat(list(parts), dim=1)
        kept = self.kept(len(x))
        if takes_fused_lane(x):
            layers = [(part.weight, part.bias) for part in (self.dense, self.out)]
            return dense_stack(x, layers, kept)
        x = functional.relu(self.dense(x))
        return self.out(x if kept is None else x * kept)  # type: ignore[no-any-return]

    def parameters_in_order(self) -> list[Tensor]:
        """Weight and bias of both maps."""
        return [p for part in (self.dense, self.out) for p in (part.weight, part.bias)]

    def kept(self, n_graphs: int) -> Tensor | None:
        """Dropout as factors, if there is any."""
        shape = n_graphs, self.dense.out_features
        return kept_factors(shape, self.dropout, self.dense.weight) if self.training else None
