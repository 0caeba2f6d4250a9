"""ECC (Simonovsky and Komodakis, 2017): filters that depend on what edges carry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from graphrings.distances.edge_rings import Scales, attribute_scales, edge_rings, edge_rows
from graphrings.distances.levels import Levels, levels, unmerged
from graphrings.distances.weights import averaged_together
from graphrings.fused.edge_stack import edge_stack
from graphrings.fused.lane import takes_fused_lane
from graphrings.graphs.carried import EDGE_ATTRIBUTES, EDGE_LABELS
from graphrings.graphs.dataset import Dataset, Names
from graphrings.layers.ecc_conv import ECCConv
from graphrings.layers.row_norm import RowNorm
from graphrings.networks.batches import Batch
from graphrings.networks.network import Network
from graphrings.networks.pooled_by_hand import ECCByHand
from graphrings.networks.readout import DenseHead, pooled
from graphrings.settings import Setting, Settings, is_whole


class ECC(Network):
    """Convolution, norm and ReLU, stacked; the mean over nodes; dense layers.

    The original's pooling pyramid, which coarsens the graphs between convolutions, is left out:
    there is only its last step, the mean over all nodes. Filter network, dense layer and dropout
    are sized as in the authors' code for point clouds; its norm in the head is left out. The
    convolutions have no bias of their own, since the norm takes it away. Where edges have no
    labels, all have the same one. An edge with a label that no training graph has matches no
    filter: it is left out, of the sum and of |N(v)|. Attributes of edges are standardised on the
    training graphs; the filter network sees them beside the label. Nodes then share no rows.
    """

    seen: ClassVar[tuple[str, ...]] = (*Network.seen, EDGE_LABELS, EDGE_ATTRIBUTES)
    settings: ClassVar[Settings] = {
        "filter_hidden": Setting(
            "units of the hidden layers of the filter network",
            "whole numbers above 0, or none",
            lambda value: all(map(is_whole, value)),
        ),
    }

    @staticmethod
    def measure(training: Dataset, **settings: Any) -> dict[str, Any]:
        """The names of the edge labels that the training graphs have, and scales of attributes."""
        del settings
        names, scales = training.edge_label_names, attribute_scales(training)
        present = () if training.edge_labels is None else np.unique(training.edge_labels)
        return {"edge_labels": tuple(names[k] for k in present), "edge_scales": scales}

    def __init__(
        self,
        n_features: int,
        n_outputs: int,
        edge_labels: Names,
        edge_scales: Scales,
        *,
        channels: Sequence[int] = (48, 48, 48),
        filter_hidden: Sequence[int] = (16, 32),
        dense: int = 64,
        dropout: float = 0.2,
    ) -> None:
        super().__init__()
        seen = len(channels), tuple(edge_labels)
        scales = tuple((float(mean), float(deviation)) for mean, deviation in edge_scales)
        self.view = EdgeMeans(*seen, scales) if scales else EdgeLabelMeans(*seen)
        n_labels = max(1, len(edge_labels))
        self.convs = nn.ModuleList(
            ECCConv(width, c, n_labels, filter_hidden, bias=False, n_attributes=len(scales))
            for width, c in zip([n_features, *channels[:-1]], channels, strict=True)
        )
        self.norms = nn.ModuleList(RowNorm(c) for c in channels)
        self.head = DenseHead(channels[-1], n_outputs, dense, dropout)

    def by_hand(self) -> ECCByHand | None:
        """In the fused lane, where edges have no attributes."""
        if not self._is_one_step(self.head.out.weight) or type(self).forward is not ECC.forward:
            return None
        return ECCByHand(self._parameters_in_order(), self._norms(), self.head)

    def _is_one_step(self, features: Tensor) -> bool:
        return isinstance(self.view, EdgeLabelMeans) and takes_fused_lane(features)

    def _norms(self) -> list[RowNorm]:
        return [cast(RowNorm, norm) for norm in self.norms]

    def _parameters_in_order(self) -> list[list[Tensor]]:
        """The parameters of every layer as ``edge_stack`` takes them."""
        return [
            [*cast(ECCConv, conv).network_parameters(), norm.weight, norm.bias]
            for conv, norm in zip(self.convs, self._norms(), strict=True)
        ]

    def forward(self, batch: Batch) -> Tensor:
        """Convolve and normalise, average, head."""
        h, counts = batch.features, batch.counts()[1:]
        if self._is_one_step(h):
            seen = [norm.seen() for norm in self._norms()]
            given = batch.rows, counts if self.training else (), seen
            h = edge_stack(h, *given, self._parameters_in_order())
        else:
            layers = zip(self.convs, self.norms, batch.rows, counts, strict=True)
            for conv, norm, near, count in layers:
                h = norm(conv(h, near), count, relu=True)
        outputs: Tensor = self.head(pooled([h], batch))
        return outputs


@dataclass(frozen=True)
class EdgeLabelMeans:
    """The mean over a node and its neighbours, apart by the labels of the edges between them."""

    depth: int
    edge_labels: Names

    def __call__(self, dataset: Dataset, start: NDArray[np.int64]) -> Levels:
        """Colours by the neighbours over every label, so that they know how many there are."""
        near = edge_rings(dataset, self.edge_labels)
        means = levels(dataset.graph_ptr, near, start, self.depth)
        return means.weighted(lambda merged, _: averaged_together(merged))


@dataclass(frozen=True)
class EdgeMeans:
    """The same with the attributes of the edges, which differ so much that rows are not shared."""

    depth: int
    edge_labels: Names
    edge_scales: Scales

    def __call__(self, dataset: Dataset, start: NDArray[np.int64]) -> Levels:
        """A row for every node."""
        near = edge_rows(dataset, self.edge_labels, self.edge_scales)
        return unmerged(dataset.graph_ptr, near, start, self.depth)
