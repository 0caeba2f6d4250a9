"""P1: Eq. (10) and its network as the users of PyTorch Geometric write them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch_geometric.data import Batch, Data
from torch_geometric.loader import DataLoader
from torch_geometric.nn import MessagePassing
from torch_geometric.nn.aggr import SortAggregation

from graphrings import Dataset

from .data import CHANNELS, n_blocks, n_features, one_hot_features, patterns


class MeanConv(MessagePassing):
    """The mean of (h W + b) over the neighbours in one edge index; zeros where there are none."""

    def __init__(self, in_features: int, out_features: int) -> None:
        super().__init__(aggr="mean")
        self.linear = nn.Linear(in_features, out_features)

    def forward(self, h: Tensor, edge_index: Tensor) -> Tensor:
        """(n, in) to (n, out)."""
        return self.propagate(edge_index, x=self.linear(h))


class Network(nn.Module):
    """Graph convolutions, SortPooling by the last column, 1-D convolutions, dense layers."""

    def __init__(
        self, n_features: int, n_classes: int, blocks: int, k: int, dropout: float = 0.5
    ) -> None:
        super().__init__()
        widths = [n_features, *(blocks * out for out in CHANNELS)]
        self.layers = nn.ModuleList(
            nn.ModuleList(MeanConv(width, out) for _ in range(blocks))
            for width, out in zip(widths, CHANNELS, strict=False)
        )
        width = sum(widths[1:])
        self.sort_pool = SortAggregation(k)
        self.rows = nn.Conv1d(1, 16, width, width)
        self.max_pool = nn.MaxPool1d(2, 2)
        self.conv = nn.Conv1d(16, 32, 5, 1)
        self.dense = nn.Linear(32 * (k // 2 - 4), 128)
        self.dropout = nn.Dropout(dropout)
        self.out = nn.Linear(128, n_classes)

    def forward(self, batch: Batch) -> Tensor:
        """The class scores of every graph of a batch."""
        h, states = batch.x, []
        for layer in self.layers:
            rings = [conv(h, batch[f"edge_index_{j}"]) for j, conv in enumerate(layer)]
            h = torch.cat([torch.tanh(ring) for ring in rings], dim=-1)
            states.append(h)
        h = self.sort_pool(torch.cat(states, dim=-1), batch.batch)
        h = self.max_pool(torch.relu(self.rows(h.unsqueeze(1))))
        h = torch.relu(self.conv(h)).flatten(1)
        return self.out(self.dropout(torch.relu(self.dense(h))))

    def weights(self) -> dict[str, Tensor]:
        """A copy of the parameters in the common layout."""
        weights = {}
        for i, layer in enumerate(self.layers):
            for name in ("weight", "bias"):
                blocks = [getattr(conv.linear, name) for conv in layer]
                weights[f"layers.{i}.{name}"] = torch.cat(blocks).detach().clone()
        for head in ("rows", "conv", "dense", "out"):
            for name, value in getattr(self, head).state_dict().items():
                weights[f"{head}.{name}"] = value.clone()
        weights["rows.weight"] = weights["rows.weight"].flatten(1)
        return weights

    @torch.no_grad()
    def set_weights(self, weights: dict[str, Tensor]) -> None:
        """Take over parameters in the common layout."""
        for i, layer in enumerate(self.layers):
            for name in ("weight", "bias"):
                blocks = weights[f"layers.{i}.{name}"].chunk(len(layer))
                for conv, block in zip(layer, blocks, strict=True):
                    getattr(conv.linear, name).copy_(block)
        for head in ("rows", "conv", "dense", "out"):
            for name, value in getattr(self, head).named_parameters():
                value.copy_(weights[f"{head}.{name}"].view_as(value))


def prepare(
    dataset: Dataset, radius: int | None, features: NDArray[np.float32] | None = None
) -> list[Data]:
    """One Data object per graph, one edge index per distance; features are one-hot by default."""
    x = torch.from_numpy(one_hot_features(dataset) if features is None else features)
    graphs = [
        Data(x=x[first:last], y=torch.tensor([target]))
        for first, last, target in zip(
            dataset.graph_ptr[:-1], dataset.graph_ptr[1:], dataset.targets.tolist(), strict=True
        )
    ]
    for j, matrix in enumerate(patterns(dataset, radius)):
        target, source = (torch.from_numpy(ends).long() for ends in matrix.tocoo().coords)
        edges, bounds = torch.stack([source, target]), matrix.indptr[dataset.graph_ptr]
        for i, data in enumerate(graphs):
            # PyTorch Geometric shifts every attribute named *index* when it makes a batch.
            data[f"edge_index_{j}"] = edges[:, bounds[i] : bounds[i + 1]] - dataset.graph_ptr[i]
    return graphs


def batches(data: list[Data], chosen: Iterable[NDArray[np.intp]]) -> Iterator[Batch]:
    """The batches made of the chosen graphs, one after the other."""
    return iter(DataLoader(data, batch_sampler=chosen))


def build(dataset: Dataset, radius: int | None, k: int, seed: int, dropout: float = 0.5) -> Network:
    """The network for a dataset; ``radius=None`` makes DGCNN."""
    torch.manual_seed(seed)
    return Network(n_features(dataset), dataset.n_classes, n_blocks(radius), k, dropout)


def adam(network: Network, learning_rate: float = 1e-3) -> torch.optim.Optimizer:
    """Adam as it comes."""
    return torch.optim.Adam(network.parameters(), lr=learning_rate)


def step(network: Network, optimiser: torch.optim.Optimizer, batch: Batch) -> Tensor:
    """Train on one batch; the loss before the step."""
    optimiser.zero_grad()
    loss = nn.functional.cross_entropy(network(batch), batch.y)
    loss.backward()
    optimiser.step()
    return loss.detach()
