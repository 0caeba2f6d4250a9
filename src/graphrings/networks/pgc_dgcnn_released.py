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
from graphrings.distances.weights import by_colour
from graphrings.fused.lane import takes_fused_lane
from graphrings.fused.stream_stack import stream_stack
from graphrings.graphs.carried import NODE_LABELS
from graphrings.graphs.dataset import Dataset
from graphrings.layers.on_device import on_device_of, rows_at
from graphrings.layers.weighted_sum import plain_sum
from graphrings.networks.batches import Batch
from graphrings.networks.head import SortPoolHead, measure_k
from graphrings.networks.network import Network
from graphrings.networks.streams_by_hand import StreamsByHand, stream_places
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

    def by_hand(self) -> StreamsByHand | None:
        """In the fused lane."""
        own = type(self).forward is PGCDGCNNReleased.forward
        if not own or not takes_fused_lane(self.head.out.weight):
            return None
        return StreamsByHand(list(self.weights), list(self.biases), self.head)

    def forward(self, batch: Batch) -> Tensor:
        """Convolve, sort, head."""
        if takes_fused_lane(batch.features):
            parameters = list(self.weights), list(self.biases), self.head.rows.filters.weight
            read, keys = stream_stack(batch.features, batch.rows, *parameters)
            places = stream_places(keys.numpy(), batch, self.head.sort.k)
            lengths = [len(batch.features), *(near.n_rows for near in batch.rows)]
            return self.head.of_places(read, lengths, batch.parents, places)
        # Nodes with equal labels have equal keys, and a product in single precision rounds by the
        # place of a row: in double precision they stay equal once they are rounded to single.
        one_hop = no_hop = batch.features.double()
        layers, roots = [], np.arange(len(no_hop))  # the features of every row
        levels = zip(batch.rows, batch.parents, strict=True)
        for weight, bias, (near, parents) in zip(self.weights, self.biases, levels, strict=True):
            weight, bias = weight.double(), bias.double()
            sums = plain_sum(one_hop @ weight, near, blocks=False)[:, : len(bias)] + bias
            degree, two_hop_degree = _degrees(sums, near)
            one_hop, two_hop = torch.tanh(sums / degree), torch.tanh(sums / two_hop_degree)
            no_hop, roots = torch.tanh(no_hop @ weight + bias), roots[parents]
            streams = one_hop, two_hop, rows_at(no_hop, roots)
            layers.append(torch.cat(streams, dim=1).to(batch.features.dtype))
        return self.head(layers, batch)  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Streams:
    """Three blocks per node: it and its neighbours, itself by 1-hop and by 2-hop degree."""

    depth: int

    def __call__(self, dataset: Dataset, start: NDArray[np.int64]) -> Levels:
        """Colours by neighbours and 2-hop degree; the 0-hop stream sees features alone."""
        ends = np.diff(walk_rings(dataset, 2).indptr)[2::3]  # where walks of two steps end
        hops = ends - (dataset.degrees > 0)  # all but the node itself
        near = rings(dataset, 1)
        means = levels(dataset.graph_ptr, near, start, self.depth, weighed_by=hops)
        return means.weighted(lambda near, level: _streams(near, by_colour(means, level + 1, hops)))


def _streams(near: Rings, hops: NDArray[np.int64]) -> WeightedRows:
    """The closed neighbourhood, with counts for weights, and both degrees of A + I as weights.

    Degrees are whole numbers, which weights in single precision are exact for, and belong to the
    node itself: they stay where somebody looks at fewer neighbours.
    """
    ball = near.joined()
    own, ends = ball.indices[ball.indptr[:-1]], ball.indptr[1:]
    places = np.repeat(ends, 2)  # behind the neighbours
    degrees = np.stack([ball.sizes[:, 0], hops + 1], axis=1)
    lengths = np.diff(ball.indptr)
    sizes = np.stack([lengths, np.ones_like(lengths), np.ones_like(lengths)], axis=1)
    return WeightedRows.trusted(
        STREAMS,
        np.concatenate([[0], np.cumsum(sizes)]),
        np.insert(ball.indices, places, np.repeat(own, 2)),
        np.insert(ball.counted, places, degrees.ravel()).astype(np.float32),
    )


def _degrees(sums: Tensor, near: WeightedRows) -> tuple[Tensor, Tensor]:
    """The 1-hop and the 2-hop degree of every row, (n, 1)."""
    weights = near.weights_as("float64")
    one, two = (weights[near.indptr[block:-1:STREAMS]] for block in (1, 2))
    return on_device_of(sums, one)[:, None], on_device_of(sums, two)[:, None]
