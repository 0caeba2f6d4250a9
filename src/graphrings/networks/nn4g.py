"""NN4G (Micheli, 2009): every layer sees the features and the neighbours in all layers before."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import torch
from torch import Tensor, nn

from graphrings.layers.activations import ACTIVATIONS
from graphrings.layers.nn4g_conv import NN4GConv
from graphrings.networks.batches import Batch
from graphrings.networks.network import Network
from graphrings.networks.readout import Readout, pooled
from graphrings.networks.views import RingSums


class NN4G(Network):
    """Eq. (3), then Eq. (5) stacked; the mean (or sum) over nodes of every layer, one output layer.

    All layers are trained together, or ``layerwise``: one after the other with the output layer,
    those before stay as they are. The original builds layers of one unit each by Cascade
    Correlation, which trains a unit to follow the error that is left, and goes on until the error
    is small; here a layer has many units, the loss is that of the whole network, and their number
    is given.
    """

    checks = {  # noqa: RUF012
        "readout": ("mean or sum", lambda v: v in ("mean", "sum")),
        "layerwise": ("True or False", lambda v: isinstance(v, bool)),
    }
    n_layers: Tensor  # that take part

    def __init__(
        self,
        n_features: int,
        n_classes: int,
        *,
        channels: Sequence[int] = (32, 32, 32, 32),
        activation: str = "tanh",
        readout: Readout = "mean",
        layerwise: bool = False,
    ) -> None:
        super().__init__()
        self.view = RingSums(len(channels) - 1, 1)  # the first layer sees no neighbours
        self.stages = len(channels) if layerwise else 1
        self.activation, self.readout = activation, readout
        self.first = nn.Linear(n_features, channels[0])
        self.convs = nn.ModuleList(
            NN4GConv(n_features, sum(channels[:i]), channels[i]) for i in range(1, len(channels))
        )
        # What an output layer makes of all layers side by side is a sum, which a layer can join.
        self.outputs = nn.ModuleList(
            nn.Linear(c, n_classes, bias=i == 0) for i, c in enumerate(channels)
        )
        self.register_buffer("n_layers", torch.tensor(len(channels)))

    def begin(self, stage: int) -> None:
        """Add a layer; those before stay as they are."""
        if self.stages > 1:
            self.n_layers.fill_(stage + 1)
            for number, layer in enumerate([self.first, *self.convs]):
                layer.requires_grad_(number == stage)

    def forward(self, batch: Batch) -> Tensor:
        """The scores of every graph of the batch."""
        x, n_convs = batch.features, int(self.n_layers) - 1
        h = ACTIVATIONS[self.activation](self.first(x))
        rows = [h]
        levels = zip(self.convs, batch.rings, batch.parents, strict=True)
        for conv, near, parents in islice(levels, n_convs):
            rows.append(conv(x, h, near, self.activation))
            back = torch.from_numpy(parents).to(h.device)  # to what the new rows were before
            x, h = x.index_select(0, back), torch.cat([h.index_select(0, back), rows[-1]], dim=1)
        parts = pooled(rows, batch.up_to(n_convs), self.readout)
        scores = self.outputs[0](parts[0])
        for output, part in zip(islice(self.outputs, 1, None), parts[1:], strict=False):
            scores = scores + output(part)
        return scores  # type: ignore[no-any-return]
