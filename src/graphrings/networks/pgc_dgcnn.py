"""PGC-DGCNN: parametric graph convolutions under SortPooling and a small 1-D convolutional head."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from graphrings.distances.levels import Levels, levels
from graphrings.distances.rings import rings
from graphrings.graphs.dataset import Dataset
from graphrings.layers.ring_conv import RingConv
from graphrings.networks.batches import Batch
from graphrings.networks.head import SortPoolHead


class PGCDGCNN(nn.Module):
    """Stacked Eq. (10), the layers side by side, SortPooling, 1-D convolutions, dense layers.

    ``channels`` are those of one ring: layer l is (r + 1) * channels[l] wide. The last layer has
    one channel and makes the sort key.
    """

    def __init__(
        self,
        n_features: int,
        n_classes: int,
        k: int,
        *,
        radius: int = 2,
        channels: Sequence[int] = (32, 32, 32, 1),
        activation: str = "tanh",
        bias: bool = True,
        **head: Any,
    ) -> None:
        super().__init__()
        widths = [(radius + 1) * c for c in channels]
        self.convs = nn.ModuleList(
            RingConv(width, c, radius, bias)
            for width, c in zip([n_features, *widths[:-1]], channels, strict=True)
        )
        self.activation = activation
        self.head = SortPoolHead(widths, n_classes, k, **head)

    def forward(self, batch: Batch) -> Tensor:
        """The scores of every graph of the batch."""
        h, layers, filtered = batch.features, [], []
        readouts = self.head.rows.readouts()  # the head's first convolution, cut into layers
        for conv, near, readout in zip(self.convs, batch.rings, (None, *readouts), strict=False):
            # Eq. (10), and in the same product what the head will see of the layer before.
            h, read = cast(RingConv, conv).with_readout(h, near, self.activation, readout)
            layers.append(h)
            filtered.append(read)
        filtered = [*filtered[1:], h @ readouts[-1].t()]
        return self.head(layers, filtered, batch)  # type: ignore[no-any-return]

    @staticmethod
    def structure(dataset: Dataset, start: NDArray[np.int64], depth: int, radius: int) -> Levels:
        """What the network sees of a dataset: distance rings, folded layer by layer."""
        return levels(dataset.graph_ptr, rings(dataset, radius), start, depth)
