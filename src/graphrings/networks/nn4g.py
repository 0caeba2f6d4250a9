"""NN4G (Micheli, 2009): every layer sees the features and the neighbours in all layers before."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import ClassVar, cast

import torch
from torch import Tensor, nn

from graphrings.fused.dense_stack import dense_stack
from graphrings.fused.lane import takes_fused_lane
from graphrings.fused.nn4g_stack import nn4g_stack
from graphrings.fused.ring_filter import WITHIN
from graphrings.layers.activations import ACTIVATIONS
from graphrings.layers.nn4g_conv import NN4GConv
from graphrings.layers.on_device import rows_at
from graphrings.networks.batches import Batch
from graphrings.networks.network import Network
from graphrings.networks.nn4g_by_hand import NN4GByHand
from graphrings.networks.readout import Readout, pooled
from graphrings.networks.views import RingTotals
from graphrings.settings import Settings, switch


class NN4G(Network):
    """Eq. (3), then Eq. (5) stacked; the mean (or sum) over nodes of every layer, one output layer.

    All layers are trained together, or ``layerwise``: one after the other with the output layer,
    those before stay as they are. The original builds layers of one unit each by Cascade
    Correlation, which trains a unit to follow the error that is left, and goes on until the error
    is small; here a layer has many units, the loss is that of the whole network, and their number
    is given.
    """

    settings: ClassVar[Settings] = {
        "layerwise": switch("whether layers are trained one after the other, not together"),
    }
    n_layers: Tensor  # that take part

    def __init__(
        self,
        n_features: int,
        n_outputs: int,
        *,
        channels: Sequence[int] = (32, 32, 32, 32),
        activation: str = "tanh",
        readout: Readout = "mean",
        layerwise: bool = False,
    ) -> None:
        super().__init__()
        self.view = RingTotals(len(channels) - 1, 1)  # the first layer sees no neighbours
        self.stages = len(channels) if layerwise else 1
        self.activation, self.readout = activation, readout
        self.first = nn.Linear(n_features, channels[0])
        self.convs = nn.ModuleList(
            NN4GConv(n_features, sum(channels[:i]), channels[i]) for i in range(1, len(channels))
        )
        # What an output layer makes of all layers side by side is a sum, which a layer can join.
        self.outputs = nn.ModuleList(
            nn.Linear(c, n_outputs, bias=i == 0) for i, c in enumerate(channels)
        )
        self.register_buffer("n_layers", torch.tensor(len(channels)))

    def begin(self, stage: int) -> None:
        """Add a layer; those before stay as they are."""
        if self.stages > 1:
            self.n_layers.fill_(stage + 1)
            for number, layer in enumerate([self.first, *self.convs]):
                layer.requires_grad_(number == stage)

    def by_hand(self) -> NN4GByHand | None:
        """In the fused lane, with layers that are trained together, as one step."""
        if not self._is_one_step(self.first.weight) or type(self).forward is not NN4G.forward:
            return None
        return NN4GByHand(self._of_layers(), self.activation, self.readout, *self._output())

    def _is_one_step(self, features: Tensor) -> bool:
        together = self.stages == 1 and self.activation in WITHIN
        return together and takes_fused_lane(features)

    def _of_layers(self) -> list[Tensor]:
        """Those of all layers as ``nn4g_stack`` takes them."""
        convs = [cast(NN4GConv, conv) for conv in self.convs]
        own = [self.first, *(conv.own for conv in convs)]
        weights, biases = [part.weight for part in own], [part.bias for part in own]
        return [*weights, *biases, *(conv.others.weight for conv in convs)]

    def _output(self) -> tuple[list[Tensor], Tensor]:
        """The weights of the output layer for every layer, and its bias."""
        outputs = [cast(nn.Linear, output) for output in self.outputs]
        return [output.weight for output in outputs], outputs[0].bias

    def forward(self, batch: Batch) -> Tensor:
        """Convolve, average or add up the nodes of every layer, map."""
        if self._is_one_step(batch.features):
            seen = batch.features, batch.rows, batch.parents
            layers = nn4g_stack(*seen, self._of_layers(), self.activation)
            weights, bias = self._output()
            joined = torch.cat(pooled(layers, batch, self.readout), dim=1)
            return dense_stack(joined, [(torch.cat(weights, dim=1), bias)])
        x, n_convs = batch.features, int(self.n_layers) - 1
        h = ACTIVATIONS[self.activation](self.first(x))
        rows = [h]
        levels = zip(self.convs, batch.rows, batch.parents, strict=True)
        for conv, near, parents in islice(levels, n_convs):
            rows.append(conv(x, h, near, self.activation))
            x = rows_at(x, parents)  # what the new rows were before
            h = torch.cat([rows_at(h, parents), rows[-1]], dim=1)
        parts = pooled(rows, batch.up_to(n_convs), self.readout)
        outputs = self.outputs[0](parts[0])
        for output, part in zip(islice(self.outputs, 1, None), parts[1:], strict=False):
            outputs = outputs + output(part)
        return outputs  # type: ignore[no-any-return]
