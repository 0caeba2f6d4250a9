"""Ring layers, forwards and backwards without autograd."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from torch import Tensor

from graphrings.fused.arrays import Floats, array_of
from graphrings.fused.ring_layers import RingLayer, RingLayersPass
from graphrings.fused.workspace import Workspace
from graphrings.layers.ring_conv import RingConv
from graphrings.layers.row_norm import RowNorm
from graphrings.networks.batches import Batch
from graphrings.networks.ring_layers import RingLayers
from graphrings.networks.whole_network import Gradients


class RingLayersByHand:
    """The passes of all layers."""

    def __init__(self, layers: RingLayers, gradient: Gradients, space: Workspace) -> None:
        self._layers = layers
        values, self._made = (ring_layers(layers, of) for of in (array_of, gradient))
        self._seen = [norm.seen() if isinstance(norm, RowNorm) else None for norm in layers.norms]
        self._passes = RingLayersPass(
            values, self._seen, layers.activations(), layers.residual, space
        )

    def forward(self, batch: Batch) -> list[Floats]:
        """The rows of every layer."""
        normed = self._layers.training and any(self._seen)
        counts = batch.counts()[1:] if normed else []
        return self._passes.forward(array_of(batch.features), batch.rows, batch.parents, counts)

    def backward(self, grads: list[Floats]) -> None:
        """Write the gradients of all layers, given those of their rows."""
        self._passes.backward(grads, self._made)


def ring_layers(layers: RingLayers, of: Callable[[Tensor], Floats]) -> list[RingLayer]:
    """The parameters of every layer, or their gradients."""
    made = []
    for conv, norm in zip(layers.convs, layers.norms, strict=True):
        filters = cast(RingConv, conv).filters
        bias = None if filters.bias is None else of(filters.bias)
        affine = (of(norm.weight), of(norm.bias)) if isinstance(norm, RowNorm) else None
        made.append(RingLayer(of(filters.weight), bias, affine))
    return made
