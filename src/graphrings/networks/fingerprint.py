"""Neural fingerprints (Duvenaud et al., 2015): every node writes in every layer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, cast

import torch
from torch import Tensor, nn

from graphrings.fused.fingerprint_stack import fingerprint_stack
from graphrings.fused.lane import takes_fused_lane
from graphrings.fused.row_norm import Seen
from graphrings.layers.activations import ACTIVATIONS
from graphrings.layers.fingerprint_conv import FingerprintConv
from graphrings.layers.row_norm import RowNorm
from graphrings.networks.batches import Batch
from graphrings.networks.fingerprint_by_hand import FingerprintByHand, shown_to_writers
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
        self.activation = activation
        self.head = DenseHead(length, n_outputs, dense, dropout)

    def by_hand(self) -> FingerprintByHand | None:
        """In the fused lane, with the activation that it has in one step with all layers."""
        own = type(self).forward is Fingerprint.forward
        if not own or not self._is_one_step(self.head.out.weight):
            return None
        return FingerprintByHand(self._written_by(), self._seen(), self.head)

    def forward(self, batch: Batch) -> Tensor:
        """Write fingerprints, head."""
        outputs: Tensor = self.head([self.fingerprints(batch)])
        return outputs

    def fingerprints(self, batch: Batch) -> Tensor:
        """What the nodes of every graph have written in all layers, (graphs, length)."""
        if self._is_one_step(batch.features):
            shown = shown_to_writers(batch, self.training)
            return fingerprint_stack(batch.features, shown, self._seen(), self._written_by())
        h, written = batch.features, []
        layers = zip(self.convs, self.norms, self.writes, strict=True)
        for (conv, norm, write), near, counts in zip(
            layers, batch.rows, batch.counts()[1:], strict=True
        ):
            h = ACTIVATIONS[self.activation](norm(conv(h, near), counts))
            written.append(torch.softmax(write(h), dim=1))
        return torch.stack(pooled(written, batch, "sum")).sum(dim=0)

    def _is_one_step(self, features: Tensor) -> bool:
        return self.activation == "relu" and takes_fused_lane(features)

    def _written_by(self) -> list[list[Tensor]]:
        """The parameters of every layer as ``fingerprint_stack`` takes them."""
        layers = zip(self.norms, self.writes, self.convs, strict=True)
        return [[p for part in layer for p in part.parameters()] for layer in layers]

    def _seen(self) -> list[Seen]:
        """What the norms have seen, in the memory of their buffers."""
        return [cast(RowNorm, norm).seen() for norm in self.norms]
