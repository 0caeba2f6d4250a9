"""Neural fingerprints (Duvenaud et al., 2015): every node writes in every layer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import torch
from torch import Tensor, nn

from graphrings.layers.activations import ACTIVATIONS
from graphrings.layers.fingerprint_conv import FingerprintConv
from graphrings.layers.row_norm import RowNorm
from graphrings.networks.batches import Batch
from graphrings.networks.network import Network
from graphrings.networks.readout import DenseHead, pooled
from graphrings.networks.views import RingTotals
from graphrings.settings import FAR, Settings, whole


class Fingerprint(Network):
    r"""Algorithm 2: the fingerprint of a graph, which a dense head reads.

    .. math:: \sum_l \sum_v \mathrm{softmax}(W^l h_v^l)

    It has ``length`` numbers. ``max_degree`` is 5 as for the atoms of the original; nodes with more
    neighbours share the weights of that degree. Norms over the nodes of a batch stand before the
    activation, which is ReLU, as in the authors' code; their code has one matrix for a node itself
    at all degrees and a write before the first layer, which Algorithm 2 has not. Labels of edges
    are not used.
    """

    settings: ClassVar[Settings] = {
        "length": whole("numbers of a fingerprint"),
        "max_degree": whole("the largest degree with filters of its own", least=0, most=FAR),
    }

    def __init__(
        self,
        n_features: int,
        n_outputs: int,
        *,
        channels: Sequence[int] = (32, 32, 32),
        length: int = 128,
        max_degree: int = 5,
        activation: str = "relu",
        dense: int = 128,
        dropout: float = 0.5,
    ) -> None:
        super().__init__()
        self.view = RingTotals(len(channels), radius=1)
        self.convs = nn.ModuleList(
            FingerprintConv(width, c, max_degree, bias=False)  # the norms bring the biases
            for width, c in zip([n_features, *channels[:-1]], channels, strict=True)
        )
        self.norms = nn.ModuleList(map(RowNorm, channels))
        self.writes = nn.ModuleList(nn.Linear(c, length) for c in channels)
        self.activation = ACTIVATIONS[activation]
        self.head = DenseHead(length, n_outputs, dense, dropout)

    def forward(self, batch: Batch) -> Tensor:
        """Write fingerprints, head."""
        outputs: Tensor = self.head([self.fingerprints(batch)])
        return outputs

    def fingerprints(self, batch: Batch) -> Tensor:
        """What the nodes of every graph have written in all layers, (graphs, length)."""
        h, written = batch.features, []
        layers = zip(self.convs, self.norms, self.writes, strict=True)
        for (conv, norm, write), near, counts in zip(
            layers, batch.rows, batch.counts()[1:], strict=True
        ):
            h = self.activation(norm(conv(h, near), counts))
            written.append(torch.softmax(write(h), dim=1))
        return torch.stack(pooled(written, batch, "sum")).sum(dim=0)
