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
from graphrings.layers.ring_stack import ring_stack
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
        convs = [cast(RingConv, conv) for conv in self.convs]
        if self.activation == "tanh" and batch.features.device.type == "cpu":
            weight = self.head.rows.filters.weight
            filtered, layers = ring_stack(batch.features, batch.rings, convs, weight)
        else:
            h, layers = batch.features, []
            for conv, near in zip(convs, batch.rings, strict=True):
                h = conv(h, near, self.activation)
                layers.append(h)
            filtered = self.head.rows.filter(layers)
        return self.head(layers, filtered, batch)  # type: ignore[no-any-return]

    @staticmethod
    def structure(dataset: Dataset, start: NDArray[np.int64], depth: int, radius: int) -> Levels:
        """What the network sees of a dataset: distance rings, folded layer by layer."""
        return levels(dataset.graph_ptr, rings(dataset, radius), start, depth)
