"""What the authors' released code computes, which is not Eq. (10); point by point.

1. A layer has one weight matrix, shared by distances 0, 1 and 2.
2. There are three streams; stream j of a layer sees only stream j of the one before. They are
   concatenated once, before the sort.
3. "Distance 2" are the off-diagonal non-zeros of A A, so that neighbours in a triangle count too.
4. Every stream adds the node itself: degrees are those of A + I.
5. The 2-hop stream divides the linear map of the 1-hop stream by the 2-hop degree: it sees no
   feature at distance 2, only how many nodes there are.
6. The streams stand in the order 1, 2, 0, so that the sort key is the last channel of the 0-hop
   stream, which sees no structure. Only that column is compared.
7. The bias is added before the division by the degree.

The training script also takes k from the sizes of training and test graphs (here: of training
graphs), validates on the last eighth of the training list and drops the last, partial batch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from graphrings.distances.levels import Levels, levels
from graphrings.distances.rings import Rings, rings
from graphrings.distances.walks import walk_rings
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.distances.weights import by_colour, numbered_by
from graphrings.graphs.carried import NODE_LABELS
from graphrings.graphs.dataset import Dataset
from graphrings.layers.on_device import on_device_of
from graphrings.layers.weighted_sum import plain_sum
from graphrings.networks.batches import Batch
from graphrings.networks.head import SortPoolHead, measure_k
from graphrings.networks.network import Network
from graphrings.networks.views import InNodeOrder

STREAMS = 3  # 1 hop, 2 hops, 0 hops


class PGCDGCNNReleased(Network):
    """The released network, whose rows have one block per stream; see ``Streams``."""

    seen: ClassVar[tuple[str, ...]] = (NODE_LABELS,)
    training_settings: ClassVar[Mapping[str, Any]] = {"learning_rate": 3e-4}
    holds_out_last = True
    drop_last = True
    measure = staticmethod(measure_k)

    @staticmethod
    def auto_features(training: Dataset) -> str:
        """The labels alone, or a constant where nodes have none."""
        return "label" if training.n_labels else "constant"

    def __init__(
        self,
        n_features: int,
        n_outputs: int,
        k: int,
        *,
        channels: Sequence[int] = (32, 32, 32, 1),
        conv_channels: tuple[int, int] = (16, 32),
        dense: int = 128,
        dropout: float = 0.5,
    ) -> None:
        super().__init__()
        self.view = InNodeOrder(Streams(len(channels)))
        shapes = zip([n_features, *channels[:-1]], channels, strict=True)
        self.weights = nn.ParameterList(nn.init.xavier_uniform_(torch.empty(s)) for s in shapes)
        self.biases = nn.ParameterList(torch.zeros(c) for c in channels)
        widths = [STREAMS * c for c in channels]
        self.head = SortPoolHead(
            widths,
            n_outputs,
            k,
            conv_channels=conv_channels,
            dense=dense,
            dropout=dropout,
            ties="last",
        )

    def forward(self, batch: Batch) -> Tensor:
        """Convolve, sort, head."""
        # Nodes with equal labels have equal keys, and a product in single precision rounds by the
        # place of a row: in double precision they stay equal once they are rounded to single.
        one_hop = no_hop = batch.features.double()
        layers = []
        for weight, bias, near in zip(self.weights, self.biases, batch.rows, strict=True):
            weight, bias = weight.double(), bias.double()
            linear = torch.cat([one_hop @ weight, one_hop @ weight, no_hop @ weight], dim=1)
            own = _own_weights(linear, near).repeat_interleave(len(bias), dim=1)
            sums = plain_sum(linear, near, blocks=True)  # so that keys tie alike in both lanes
            h = torch.tanh(sums + own * bias.repeat(STREAMS))
            layers.append(h.to(batch.features.dtype))
            one_hop, _, no_hop = torch.split(h, len(bias), dim=1)
        return self.head(layers, batch)  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Streams:
    """Three blocks per node: neighbours by 1-hop and by 2-hop degree, and the node alone."""

    depth: int

    def __call__(self, dataset: Dataset, start: NDArray[np.int64]) -> Levels:
        """Colours by neighbours and 2-hop degree."""
        ends = np.diff(walk_rings(dataset, 2).indptr)[2::3]  # where walks of two steps end
        hops = ends - (dataset.degrees > 0)  # all but the node itself
        start = numbered_by(start, [hops])
        means = levels(dataset.graph_ptr, rings(dataset, 1), start, self.depth)
        return means.weighted(lambda near, level: _streams(near, by_colour(means, level + 1, hops)))


def _streams(near: Rings, hops: NDArray[np.int64]) -> WeightedRows:
    """Blocks of the closed neighbourhood by 1-hop and by 2-hop degree, and of the node alone."""
    ball = near.joined()
    lengths, counts = np.diff(ball.indptr), np.asarray(ball.counts, dtype=np.float64)
    degrees = ball.sizes[:, 0]
    order = np.argsort(
        np.concatenate(
            [np.repeat(3 * np.arange(len(lengths)) + j, lengths) for j in (0, 1)]
            + [3 * np.arange(len(lengths)) + 2]
        ),
        kind="stable",
    )
    members = np.concatenate([ball.indices, ball.indices, ball.indices[ball.indptr[:-1]]])[order]
    weights = np.concatenate(
        [
            counts / np.repeat(degrees, lengths),
            counts / np.repeat(hops + 1, lengths),
            np.ones(len(lengths)),
        ]
    )[order]
    rows = np.stack([lengths, lengths, np.ones_like(lengths)], axis=1).ravel()
    bounds = np.concatenate([[0], np.cumsum(rows)])
    return WeightedRows.trusted(
        STREAMS, bounds, members.astype(np.int32), weights.astype(np.float32)
    )


def _own_weights(linear: Tensor, near: WeightedRows) -> Tensor:
    """The weight of the node itself in every stream, which its bias gets: it stands first."""
    own = near.weights_as("float32")[near.indptr[:-1]]
    return on_device_of(linear, own).view(-1, STREAMS)
