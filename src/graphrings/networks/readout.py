"""From the rows of nodes to one row a graph: sums and means, and a small dense head."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, cat, nn
from torch.nn import functional

from graphrings.compiled import compiled
from graphrings.distances.rings import Rings
from graphrings.layers.ring_sum import ring_sums
from graphrings.networks.batches import Batch

Readout = Literal["mean", "sum"]


def pooled(layers: Sequence[Tensor], batch: Batch, readout: Readout = "mean") -> list[Tensor]:
    """The mean or sum over the nodes of every graph, layer by layer.

    ``layers`` are the rows of the last levels, up to the top one; of an earlier layer a node has
    the row that its own row leads back to.
    """
    shares = shares_of(batch.graph_ptr, batch.multiplicity, readout == "mean")
    rows = [batch.members]
    for back in range(1, len(layers)):
        rows.insert(0, batch.parents[-back][rows[0]])
    graphs = [Rings(0, batch.graph_ptr, members, shares=shares) for members in rows]
    return list(ring_sums(layers, graphs))


@compiled
def shares_of(
    graph_ptr: NDArray[np.int64], multiplicity: NDArray[np.int32], mean: bool
) -> NDArray[np.float32]:
    """What every member counts for in the sum over its graph, or in the mean."""
    shares = np.empty(len(multiplicity), dtype=np.float32)
    for graph in range(len(graph_ptr) - 1):
        first, last = graph_ptr[graph], graph_ptr[graph + 1]
        size = 0
        for i in range(first, last):
            size += multiplicity[i]
        for i in range(first, last):
            shares[i] = multiplicity[i] / size if mean else multiplicity[i]
    return shares


class DenseHead(nn.Module):
    """From one row a graph to one score a class: dense, ReLU, dropout, dense."""

    def __init__(self, width: int, n_classes: int, dense: int = 128, dropout: float = 0.5) -> None:
        super().__init__()
        self.dropout = dropout
        self.dense = nn.Linear(width, dense)
        self.out = nn.Linear(dense, n_classes)

    def forward(self, parts: Sequence[Tensor]) -> Tensor:
        """The scores of every graph; its row comes in parts."""
        x = functional.relu(self.dense(cat(list(parts), dim=1)))
        scores: Tensor = self.out(functional.dropout(x, self.dropout, self.training))
        return scores
