"""GIN (Xu et al., 2019): sums over neighbours under small perceptrons, read from every layer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, cast

import torch
from torch import Tensor, nn

from graphrings.fused.dense_stack import dense_stack
from graphrings.fused.lane import takes_fused_lane
from graphrings.layers.dropout import kept_factors
from graphrings.layers.gin_layer import GINLayer, gin_layers
from graphrings.networks.batches import Batch
from graphrings.networks.network import Network
from graphrings.networks.pooled_by_hand import GINByHand
from graphrings.networks.readout import Readout, pooled
from graphrings.networks.settings import RADIUS_OR_NONE
from graphrings.networks.views import RingTotals
from graphrings.settings import Settings, switch


class GIN(Network):
    """Stacked layers; the graph's sums (or means) of all, also of the features, give outputs.

    The authors drop outputs of layers at random; we drop what the outputs are made from.
    A ``radius`` makes it parametric: every perceptron sees the sums of all distance rings.
    """

    settings: ClassVar[Settings] = {
        "radius": RADIUS_OR_NONE,
        "learn_epsilon": switch("whether the weight of the node itself is learned"),
    }

    def __init__(
        self,
        n_features: int,
        n_outputs: int,
        *,
        channels: Sequence[int] = (32, 32, 32, 32),
        radius: int | None = None,
        learn_epsilon: bool = False,
        readout: Readout = "sum",
        dropout: float = 0.5,
    ) -> None:
        super().__init__()
        self.view = RingTotals(len(channels), 1 if radius is None else radius)
        widths = [n_features, *channels]
        self.layers = nn.ModuleList(
            GINLayer(width, c, radius, learn_epsilon)
            for width, c in zip(widths[:-1], channels, strict=True)
        )
        self.out = nn.Linear(sum(widths), n_outputs)
        self.readout, self.dropout = readout, dropout

    def by_hand(self) -> GINByHand | None:
        """In the fused lane, with layers that it has in one step."""
        if not self._is_one_step(self.out.weight) or type(self).forward is not GIN.forward:
            return None
        layers = [cast(GINLayer, layer) for layer in self.layers]
        return GINByHand(layers, self.readout, self.out, self.kept)

    def _is_one_step(self, features: Tensor) -> bool:
        alike = all(cast(GINLayer, layer).is_one_step for layer in self.layers)
        return alike and takes_fused_lane(features)

    def forward(self, batch: Batch) -> Tensor:
        """Convolve, add up the nodes of every layer, map."""
        layers = [cast(GINLayer, layer) for layer in self.layers]
        rows = gin_layers(batch.features, layers, batch.rows, batch.counts()[1:])
        x = torch.cat(pooled([batch.features, *rows], batch, self.readout), dim=1)
        kept = self.kept(len(x))
        if self._is_one_step(x):
            return dense_stack(x, [(self.out.weight, self.out.bias)], kept)
        return self.out(x if kept is None else x * kept)  # type: ignore[no-any-return]

    def kept(self, n_graphs: int) -> Tensor | None:
        """Dropout as factors, if there is any."""
        shape = n_graphs, self.out.in_features
        return kept_factors(shape, self.dropout, self.out.weight) if self.training else None
