"""gcn, gin, gat and dcnn in PyTorch Geometric, as users write them and hand-tuned.

As written: Data objects, a DataLoader, the layers of PyTorch Geometric, its pooling, Adam as it
comes. Hand-tuned: flat arrays cut into batches, one CSR product for every sum over neighbours,
sums over graphs as one product too, the fused Adam. Attention has no such product: there the layer
of PyTorch Geometric stays, on flat arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from torch_geometric.nn import (
    GATConv,
    GCNConv,
    GINConv,
    SimpleConv,
    global_add_pool,
    global_mean_pool,
)

from graphrings import Dataset

from . import as_written, packed
from .data import n_features, one_hot_features

CHANNELS = (32, 32, 32)
HEADS = 4
HOPS = 3


class Rows(NamedTuple):
    """A batch of flat arrays: nodes, the graph of each, and both ways to say who is near whom."""

    x: Tensor
    y: Tensor
    batch: Tensor
    near: Tensor  # CSR, weighted as the network has it
    edge_index: Tensor
    members: Tensor  # CSR, one row per graph
    sizes: Tensor


class Network(nn.Module):
    """One of the four; the state dict is the same for both ways of computing it."""

    def __init__(self, kind: str, width: int, n_classes: int, tuned: bool) -> None:
        super().__init__()
        self.kind, self.tuned = kind, tuned
        widths = [width, *CHANNELS]
        if kind == "gcn":
            pairs = zip(widths[:-1], CHANNELS, strict=True)
            self.convs = nn.ModuleList(GCNConv(i, o) for i, o in pairs)
        if kind == "gin":
            pairs = zip(widths[:-1], CHANNELS, strict=True)
            self.convs = nn.ModuleList(GINConv(perceptron(i, o)) for i, o in pairs)
            self.norms = nn.ModuleList(nn.BatchNorm1d(o) for o in CHANNELS)
            self.out = nn.Linear(sum(widths), n_classes)
        if kind == "gat":
            c = CHANNELS[0] // HEADS
            self.convs = nn.ModuleList(
                [
                    GATConv(width, c, HEADS, add_self_loops=not tuned),
                    GATConv(HEADS * c, c, HEADS, add_self_loops=not tuned),
                    GATConv(HEADS * c, CHANNELS[0], HEADS, False, add_self_loops=not tuned),
                ]
            )
        if kind == "dcnn":
            self.mean = SimpleConv(aggr="mean")
            self.weight = nn.Parameter(torch.ones((HOPS + 1) * width))
            self.out = nn.Linear((HOPS + 1) * width, n_classes)
        if kind in ("gcn", "gat"):
            self.dense, self.out = nn.Linear(sum(CHANNELS), 128), nn.Linear(128, n_classes)

    def forward(self, batch: Any) -> Tensor:
        """The class scores of every graph of a batch."""
        h, rows = batch.x, [batch.x]
        if self.kind == "dcnn":
            for _ in range(HOPS):
                rows.append(self._near(batch, rows[-1], self.mean))
            return self.out(torch.tanh(self._mean(torch.cat(rows, 1), batch) * self.weight))
        for place, conv in enumerate(self.convs):
            h = self._layer(place, conv, h, batch)
            rows.append(h)
        if self.kind == "gin":
            return self.out(torch.cat([self._sum(part, batch) for part in rows], 1))
        x = functional.relu(self.dense(self._mean(torch.cat(rows[1:], 1), batch)))
        return self.out(functional.dropout(x, 0.5, self.training))

    def _layer(self, place: int, conv: nn.Module, h: Tensor, batch: Any) -> Tensor:
        if self.kind == "gat":
            return functional.elu(conv(h, batch.edge_index))
        if self.kind == "gcn":
            if not self.tuned:
                return functional.relu(conv(h, batch.edge_index))
            return functional.relu(Near.apply(conv.lin(h), batch.near) + conv.bias)
        x = conv.nn(Near.apply(h, batch.near)) if self.tuned else conv(h, batch.edge_index)
        return functional.relu(self.norms[place](x))

    def _near(self, batch: Any, h: Tensor, conv: nn.Module) -> Tensor:
        return batch.near @ h if self.tuned else conv(h, batch.edge_index)

    def _sum(self, h: Tensor, batch: Any) -> Tensor:
        return Sum.apply(h, batch) if self.tuned else global_add_pool(h, batch.batch)

    def _mean(self, h: Tensor, batch: Any) -> Tensor:
        if not self.tuned:
            return global_mean_pool(h, batch.batch)
        return Sum.apply(h, batch) / batch.sizes[:, None]


def perceptron(width: int, out: int) -> nn.Sequential:
    """The perceptron of a GIN layer."""
    return nn.Sequential(
        nn.Linear(width, out, bias=False),
        nn.BatchNorm1d(out),
        nn.ReLU(),
        nn.Linear(out, out, bias=False),
    )


class Near(torch.autograd.Function):
    """A product with a symmetric matrix: the way back is the same."""

    @staticmethod
    def forward(ctx: Any, h: Tensor, near: Tensor) -> Tensor:
        """Add up the neighbours."""
        ctx.near = near
        return near @ h

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        """The same matrix."""
        return ctx.near @ grad, None


class Sum(torch.autograd.Function):
    """The sum over the nodes of every graph."""

    @staticmethod
    def forward(ctx: Any, h: Tensor, batch: Rows) -> Tensor:
        """One sparse product."""
        ctx.batch = batch
        return batch.members @ h

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        """Every node gets the gradient of its graph."""
        return grad[ctx.batch.batch], None


class Flat:
    """A dataset as flat arrays, and its batches."""

    def __init__(self, dataset: Dataset, kind: str) -> None:
        self.graph_ptr, self.x = dataset.graph_ptr, one_hot_features(dataset)
        self.y = torch.from_numpy(dataset.targets.astype(np.int64))
        lengths, columns = dataset.degrees.astype(np.int32), dataset.indices
        rows = np.repeat(np.arange(dataset.n_nodes), lengths)
        if kind != "dcnn":  # with the node itself
            own = np.arange(dataset.n_nodes)
            order = np.lexsort((np.concatenate([columns, own]), np.concatenate([rows, own])))
            columns = np.concatenate([columns, own])[order]
            rows, lengths = np.concatenate([rows, own])[order], lengths + 1
        root = 1 / np.sqrt(np.maximum(lengths, 1))
        weights = {"gcn": root[rows] * root[columns], "dcnn": root[rows] ** 2}
        self.values = weights.get(kind, np.ones(len(rows))).astype(np.float32)
        first = np.repeat(dataset.graph_ptr[:-1], dataset.sizes)[rows]
        self.lengths, self.columns = lengths, (columns - first).astype(np.int32)
        self.bounds = np.concatenate([[0], np.cumsum(lengths)])[dataset.graph_ptr]

    def batch(self, chosen: NDArray[np.intp]) -> Rows:
        """Lay the chosen graphs side by side."""
        nodes, entries = (packed.cuts(b, chosen) for b in (self.graph_ptr, self.bounds))
        sizes = self.graph_ptr[chosen + 1] - self.graph_ptr[chosen]
        ptr = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
        indptr = np.zeros(ptr[-1] + 1, dtype=np.int32)
        np.cumsum(packed.join(self.lengths, nodes), out=indptr[1:])
        columns = packed.join(self.columns, entries)
        columns = columns + np.repeat(ptr[:-1], np.diff(indptr[ptr]))
        rows = np.repeat(np.arange(ptr[-1]), np.diff(indptr))
        values = torch.from_numpy(packed.join(self.values, entries))
        everyone = torch.arange(int(ptr[-1]), dtype=torch.int32)
        return Rows(
            torch.from_numpy(packed.join(self.x, nodes)),
            self.y[chosen],
            torch.from_numpy(np.repeat(np.arange(len(chosen)), sizes)),
            packed.csr(torch.from_numpy(indptr), torch.from_numpy(columns), values),
            torch.from_numpy(np.stack([columns, rows]).astype(np.int64)),
            torch.sparse_csr_tensor(
                torch.from_numpy(ptr), everyone, torch.ones(len(everyone)), (len(chosen), ptr[-1])
            ),
            torch.from_numpy(sizes.astype(np.float32)),
        )


def as_users_write(dataset: Dataset) -> list[Any]:
    """Data objects with an edge index and features."""
    graphs = as_written.prepare(dataset, 1)
    for data in graphs:
        data.edge_index = data.edge_index_1
        del data.edge_index_0, data.edge_index_1
    return graphs


def one_batch(
    kind: str,
    dataset: Dataset,
    tuned: bool,
    chosen: Iterable[NDArray[np.intp]],
    dtype: torch.dtype = torch.float32,
) -> tuple[Network, Callable[[], Tensor]]:
    """A network, and a function that makes the next batch and trains on it.

    Only what is as users write it also comes in double precision.
    """
    torch.manual_seed(0)
    network = Network(kind, n_features(dataset), dataset.n_classes, tuned).to(dtype)
    optimiser = torch.optim.Adam(network.parameters(), lr=1e-3, fused=tuned)
    batches: Iterator[Any]
    if tuned:
        flat = Flat(dataset, kind)
        batches = (flat.batch(graphs) for graphs in chosen)
    else:
        data = as_users_write(dataset)
        for graph in data:
            graph.x = graph.x.to(dtype)
        batches = as_written.batches(data, chosen)

    def run() -> Tensor:
        batch = next(batches)
        optimiser.zero_grad()
        loss = functional.cross_entropy(network(batch), batch.y)
        loss.backward()
        optimiser.step()
        return loss.detach()

    return network, run
