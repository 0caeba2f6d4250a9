"""P2: the same network hand-tuned, with nothing but torch and PyTorch Geometric.

What an expert would change in P1: no Data objects; the weights of all rings in one Linear; every
ring's mean one product with a normalised CSR matrix (ring 0 is the node itself, so it needs none),
whose backward pass uses the symmetry of the rings instead of a transposed copy; the first 1-D
convolution, which never overlaps, as a Linear, and the second as one over windows of five; the
fused Adam; and a SortPooling that pads and sorts the keys alone. ``sort="pyg"`` brings back PyTorch
Geometric's SortAggregation, which pads and moves whole rows.
"""

from __future__ import annotations

from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, linear
from torch_geometric.nn.aggr import SortAggregation

from graphrings import Dataset

from .data import CHANNELS, n_blocks, n_features
from .packed import Batch, Mean
from .packed import batches as batches
from .packed import prepare as prepare


class RingMeans(torch.autograd.Function):
    """The mean of block j of every row over ring j, for all rings."""

    @staticmethod
    def forward(ctx: Any, h: Tensor, means: list[Mean | None]) -> Tensor:
        """(n, blocks * c) to the same shape."""
        ctx.means = means
        return multiply_blocks([mean and mean.forward for mean in means], h)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        """The transposed products."""
        return multiply_blocks([mean and mean.backward for mean in ctx.means], grad), None


def multiply_blocks(matrices: list[Tensor | None], h: Tensor) -> Tensor:
    """Multiply every block of columns with its own matrix, None being the identity."""
    result = torch.empty_like(h)
    blocks = zip(matrices, h.chunk(len(matrices), 1), result.chunk(len(matrices), 1), strict=True)
    for matrix, block, target in blocks:
        if matrix is None:
            target.copy_(block)
        else:
            torch.mm(matrix, block, out=target)
    return result


class KeySort(nn.Module):
    """SortPooling that pads and sorts the last column alone; whole rows are fetched afterwards.

    The keys are padded and sorted as in SortAggregation, so that equal keys end in the same order.
    Any module that returns rows and slots may take its place as ``network.sort_pool``.
    """

    def __init__(self, k: int) -> None:
        super().__init__()
        self.k = k

    def forward(self, h: Tensor, sizes: Tensor) -> tuple[Tensor, Tensor]:
        """The rows to keep, and the slot of each among the graphs * k of the result."""
        real = torch.arange(int(sizes.max())) < sizes[:, None]
        keys = h.new_full(real.shape, -torch.inf).masked_scatter_(real, h.detach()[:, -1])
        order = keys.sort(dim=1, descending=True).indices[:, : self.k]
        graph, rank = real[:, : self.k].nonzero(as_tuple=True)
        first = sizes.cumsum(0) - sizes
        return order[graph, rank] + first[graph], graph * self.k + rank


class Network(nn.Module):
    """The network of P1; its state dict is the common layout."""

    def __init__(
        self, n_features: int, n_classes: int, blocks: int, k: int, dropout: float, sort: str
    ) -> None:
        super().__init__()
        widths = [n_features, *(blocks * out for out in CHANNELS)]
        self.k = k
        self.layers = nn.ModuleList(map(nn.Linear, widths[:-1], widths[1:]))
        self.sort_pool = SortAggregation(k) if sort == "pyg" else KeySort(k)
        self.rows = nn.Linear(sum(widths[1:]), 16)
        self.conv = nn.Conv1d(16, 32, 5, 1)
        self.dense = nn.Linear(32 * (k // 2 - 4), 128)
        self.dropout = nn.Dropout(dropout)
        self.out = nn.Linear(128, n_classes)

    def forward(self, batch: Batch) -> Tensor:
        """The class scores of every graph of a batch."""
        h, states = batch.x, []
        for layer in self.layers:
            h = torch.tanh(RingMeans.apply(layer(h), batch.means))
            states.append(h)
        h = self.filter_rows(torch.cat(states, dim=1), batch.sizes)
        # Bias and ReLU keep the order, so they may come after the maximum of two rows.
        pairs = h.view(-1, self.k, 16)[:, : self.k // 2 * 2].unflatten(1, (-1, 2))
        h = torch.relu(torch.maximum(pairs[:, :, 0], pairs[:, :, 1]) + self.rows.bias)
        windows = h.unfold(1, 5, 1).flatten(2)  # (graphs, length, 16 * 5)
        h = torch.relu(linear(windows, self.conv.weight.flatten(1), self.conv.bias))
        h = h.transpose(1, 2).flatten(1)
        return self.out(self.dropout(torch.relu(self.dense(h))))

    def filter_rows(self, h: Tensor, sizes: Tensor) -> Tensor:
        """SortPooling and the first 1-D convolution without its bias: (graphs * k, 16)."""
        if isinstance(self.sort_pool, SortAggregation):
            owner = torch.arange(len(sizes)).repeat_interleave(sizes)
            return linear(self.sort_pool(h, owner).view(-1, h.shape[1]), self.rows.weight)
        kept, slots = self.sort_pool(h, sizes)
        rows = linear(h.index_select(0, kept), self.rows.weight)
        return rows.new_zeros(len(sizes) * self.k, 16).index_copy(0, slots, rows)

    def weights(self) -> dict[str, Tensor]:
        """A copy of the parameters in the common layout."""
        return {name: value.clone() for name, value in self.state_dict().items()}

    def set_weights(self, weights: dict[str, Tensor]) -> None:
        """Take over parameters in the common layout."""
        self.load_state_dict(weights)


def build(
    dataset: Dataset,
    radius: int | None,
    k: int,
    seed: int,
    dropout: float = 0.5,
    sort: Literal["keys", "pyg"] = "keys",
) -> Network:
    """The network for a dataset; ``radius=None`` makes DGCNN."""
    torch.manual_seed(seed)
    return Network(n_features(dataset), dataset.n_classes, n_blocks(radius), k, dropout, sort)


def adam(network: Network, learning_rate: float = 1e-3) -> torch.optim.Optimizer:
    """Adam with all parameters updated in one call."""
    return torch.optim.Adam(network.parameters(), lr=learning_rate, fused=True)


def step(network: Network, optimiser: torch.optim.Optimizer, batch: Batch) -> Tensor:
    """Train on one batch; the loss before the step."""
    optimiser.zero_grad()
    loss = cross_entropy(network(batch), batch.y)
    loss.backward()
    optimiser.step()
    return loss.detach()
