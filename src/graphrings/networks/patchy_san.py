"""PATCHY-SAN (Niepert, Ahmed and Kutzkov, 2016): fields in a row, read by a 1-D network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from graphrings.distances.fields import fields
from graphrings.distances.labelling import labelling
from graphrings.distances.levels import Levels
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.distances.weights import numbered_by
from graphrings.fused.field_stack import field_stack, in_sequence
from graphrings.fused.lane import takes_fused_lane
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.small_numbers import numbered
from graphrings.layers.field_conv import FieldConv
from graphrings.layers.on_device import on_device_of
from graphrings.layers.window_conv import WindowConv
from graphrings.networks.batches import Batch
from graphrings.networks.fields_by_hand import FieldsByHand
from graphrings.networks.network import Network
from graphrings.networks.readout import DenseHead
from graphrings.settings import FAR, Settings, whole

WINDOW = 10  # of the second convolution


class PatchySAN(Network):
    """A convolution over every field, one over ten fields, dense layers; ReLU after each.

    The first ``width`` nodes of a graph by a labelling, each with a ``field`` of its nearest nodes;
    ``width`` is the mean number of nodes of the training graphs. Where there are fewer nodes, zeros
    fill up fields and sequence. Node features are the only channels: the original's variants with
    edge channels or merged with a layer over nodes are left out, and so is its nauty; see
    ``Fields``.
    """

    settings: ClassVar[Settings] = {"field": whole("nodes of a receptive field", most=FAR)}

    @staticmethod
    def measure(training: Dataset, **settings: Any) -> dict[str, Any]:
        """The length of the sequence: enough for the second convolution."""
        del settings
        return {"width": max(WINDOW, round(float(training.sizes.mean())))}

    def __init__(
        self,
        n_features: int,
        n_outputs: int,
        width: int,
        *,
        field: int = 10,
        conv_channels: tuple[int, int] = (16, 8),
        dense: int = 128,
        dropout: float = 0.5,
    ) -> None:
        super().__init__()
        self.width, self.view = width, Fields(width, field)
        first, second = conv_channels
        self.conv = FieldConv(n_features, first, field)
        self.sequence = WindowConv(first, second, WINDOW)
        self.head = DenseHead(second * (width - WINDOW + 1), n_outputs, dense, dropout)

    def by_hand(self) -> FieldsByHand | None:
        """In the fused lane."""
        known = type(self).forward is PatchySAN.forward
        if not known or not takes_fused_lane(self.conv.bias):
            return None
        return FieldsByHand(self._parameters_in_order(), self.width, self.head)

    def _parameters_in_order(self) -> list[Tensor]:
        """Those of both convolutions, as ``field_stack`` takes them."""
        sequence = self.sequence.filters
        return [self.conv.filters.weight, self.conv.bias, sequence.weight, sequence.bias]

    def forward(self, batch: Batch) -> Tensor:
        """Convolve the fields, lay them out, convolve, head."""
        near = batch.rows[0]
        places = in_sequence(batch.graph_ptr, batch.members, self.width, near.n_rows)
        outputs: Tensor
        if takes_fused_lane(batch.features):
            x = field_stack(batch.features, near, places, self._parameters_in_order())
            outputs = self.head([x])
            return outputs
        rows = self.conv(batch.features, near)
        empty = self.conv.bias.unsqueeze(0)  # what the convolution makes of a field of zeros
        x = torch.relu(torch.cat([rows, empty]))[on_device_of(rows, places)]
        x = torch.relu(self.sequence(x))
        outputs = self.head([x.flatten(1)])
        return outputs


@dataclass(frozen=True)
class Fields:
    """The fields of the first ``width`` nodes of every graph; block j holds the node at place j.

    Nodes are in the order of the labelling: 1-WL begun with degree and features. A field has the
    nearest ``size`` nodes, by distance and then by label. Nodes with one label have the same
    features, so that it does not matter which of them comes first in a field; nodes with one label
    stand in the sequence in the order of what their fields show. So nothing is left to the
    numbers of nodes, and equal fields are one row.
    """

    width: int
    size: int

    def __call__(self, dataset: Dataset, start: NDArray[np.int64]) -> Levels:
        """Fields stand in the place of colours at level 1."""
        return self.ordered_by(dataset, start, start)

    def ordered_by(
        self, dataset: Dataset, decides: NDArray[np.int64], start: NDArray[np.int64]
    ) -> Levels:
        """The levels of ``start``, in the order that ``decides`` gives to nodes and fields."""
        before, colours = numbered(decides), numbered(start)
        labels = labelling(dataset, before)
        nodes = fields(dataset, labels, self.size)
        order = np.lexsort((numbered_fields(nodes, before)[1], labels, dataset.owner))
        shown, field = numbered_fields(nodes, colours)
        different = shown[np.unique(field, return_index=True)[1]]
        filled = different >= 0
        rows = WeightedRows.trusted(
            self.size,
            np.concatenate([[0], np.cumsum(filled)]),
            different[filled],
            np.ones(int(filled.sum()), dtype=np.float32),
        )
        place = np.arange(len(order)) - np.repeat(dataset.graph_ptr[:-1], dataset.sizes)
        top = field[order[place < self.width]]
        bounds = np.concatenate([[0], np.cumsum(np.minimum(dataset.sizes, self.width))])
        return Levels(
            (colours, field),
            (rows,),
            (different[:, 0],),
            bounds.astype(np.int32),
            top,
            np.ones(len(top), dtype=np.int32),
        )


def numbered_fields(
    nodes: NDArray[np.int32], colours: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The colours that every field shows, -1 at empty places, and a number for each of these."""
    shown = np.where(nodes >= 0, colours[nodes], -1)
    none = np.zeros(len(nodes), dtype=np.int64)
    return shown, numbered_by(none, (shown + 1).T).astype(np.int32)
