"""Networks whose layers are added up, forwards and backwards without autograd."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import cast

import torch
from torch import Tensor, nn

from graphrings.fused.arrays import Floats, array_of, gradient_of
from graphrings.fused.attention import Attention
from graphrings.fused.attention_stack import AttentionPasses
from graphrings.fused.dense_stack import DensePass
from graphrings.fused.diffusion import DiffusionPass
from graphrings.fused.edge_stack import EdgeLayer, EdgePass
from graphrings.fused.filter_stack import FilterPasses
from graphrings.fused.gin_stack import GINPass, Perceptron
from graphrings.fused.row_sums import SumsPass
from graphrings.fused.workspace import Workspace
from graphrings.layers.dcnn_conv import DiffusionConv
from graphrings.layers.gat_conv import GATConv
from graphrings.layers.gin_layer import GINLayer
from graphrings.layers.ring_conv import RingConv
from graphrings.layers.row_norm import RowNorm
from graphrings.networks.batches import Batch
from graphrings.networks.readout import DenseHead, Readout, graph_rows

Kept = Callable[[int], Tensor | None]  # dropout as factors for so many graphs, if there is any


class Behind:
    """What follows the layers: the sums or means of all, side by side, and dense layers."""

    def __init__(
        self, readout: Readout, dense: Sequence[nn.Linear], kept: Kept, space: Workspace
    ) -> None:
        parameters = [parameter for part in dense for parameter in (part.weight, part.bias)]
        self._readout, self._kept, self._sums = readout, kept, SumsPass(space)
        self._dense = DensePass([array_of(parameter) for parameter in parameters], space)
        self._grads = [gradient_of(parameter) for parameter in parameters]

    def outputs(self, layers: Sequence[Floats], batch: Batch) -> Tensor:
        """The outputs of every graph."""
        x = self._sums.forward(layers, graph_rows(batch, len(layers), self._readout))
        kept = self._kept(len(x))
        dropped = None if kept is None else array_of(kept)
        return torch.from_numpy(self._dense.forward(x, dropped))

    def gradients(self, outputs: Tensor, first: int = 0) -> list[Floats]:
        """Those of the layers from the first one on that has a gradient."""
        x = self._dense.backward(array_of(outputs), self._grads)
        assert x is not None
        return self._sums.backward(x, first)


class GCNByHand:
    """Ring convolutions with one activation, the means of all layers, and ``DenseHead``."""

    def __init__(self, convs: Iterable[nn.Module], activation: str, head: DenseHead) -> None:
        space = Workspace(array_of(head.out.weight).dtype)
        filters = [cast(RingConv, conv).filters for conv in convs]
        values, self._grads = (
            [(of(part.weight), None if part.bias is None else of(part.bias)) for part in filters]
            for of in (array_of, gradient_of)
        )
        self._convs = FilterPasses(values, activation, space)
        self._behind = Behind("mean", (head.dense, head.out), head.kept, space)

    def outputs(self, batch: Batch) -> Tensor:
        """Convolve, average, head."""
        return self._behind.outputs(
            self._convs.forward(array_of(batch.features), batch.rows), batch
        )

    def gradients(self, outputs: Tensor) -> None:
        """The same backwards."""
        self._convs.backward(self._behind.gradients(outputs), self._grads)


class DCNNByHand:
    """A diffusion-convolution with its activation, and a linear map."""

    def __init__(self, conv: DiffusionConv, activation: str, out: nn.Linear) -> None:
        space = Workspace(array_of(out.weight).dtype)
        self._conv = DiffusionPass(array_of(conv.weight), activation, space)
        self._grad = gradient_of(conv.weight)
        self._behind = Behind("mean", (out,), lambda _: None, space)

    def outputs(self, batch: Batch) -> Tensor:
        """Convolve, then map; the only member of a graph is itself."""
        h = self._conv.forward(array_of(batch.features), batch.rows[0])
        return self._behind.outputs([h], batch)

    def gradients(self, outputs: Tensor) -> None:
        """The same backwards."""
        (rows,) = self._behind.gradients(outputs)
        self._conv.backward(rows, self._grad)


class ECCByHand:
    """Edge-conditioned convolutions, each with a norm and ReLU, the mean, and ``DenseHead``.

    ``parameters`` are those of ``EdgeLayer``, for every layer.
    """

    def __init__(
        self, parameters: Sequence[Sequence[Tensor]], norms: Sequence[RowNorm], head: DenseHead
    ) -> None:
        space = Workspace(array_of(head.out.weight).dtype)
        values, self._grads = (
            [EdgeLayer.of([of(parameter) for parameter in layer]) for layer in parameters]
            for of in (array_of, gradient_of)
        )
        self._norms, self._layers = norms, EdgePass(values, [norm.seen() for norm in norms], space)
        self._behind = Behind("mean", (head.dense, head.out), head.kept, space)

    def outputs(self, batch: Batch) -> Tensor:
        """Convolve and normalise, average, head."""
        counts = batch.counts()[1:] if self._norms[0].training else ()
        h = self._layers.forward(array_of(batch.features), batch.rows, counts)
        return self._behind.outputs([h], batch)

    def gradients(self, outputs: Tensor) -> None:
        """The same backwards."""
        (rows,) = self._behind.gradients(outputs)
        self._layers.backward(rows, self._grads)


class GATByHand:
    """Layers of attention with one activation, the means of all layers, and ``DenseHead``."""

    def __init__(self, convs: Sequence[GATConv], activation: str, head: DenseHead) -> None:
        space = Workspace(array_of(head.out.weight).dtype)
        values, self._grads = (
            [Attention(*map(of, conv.parameters_in_order())) for conv in convs]
            for of in (array_of, gradient_of)
        )
        slopes = [conv.slope for conv in convs]
        self._convs, self._layers = convs, AttentionPasses(values, slopes, activation, space)
        self._behind = Behind("mean", (head.dense, head.out), head.kept, space)

    def outputs(self, batch: Batch) -> Tensor:
        """Convolve, average, head."""
        near = [conv.attended(own) for conv, own in zip(self._convs, batch.rows, strict=True)]
        return self._behind.outputs(self._layers.forward(array_of(batch.features), near), batch)

    def gradients(self, outputs: Tensor) -> None:
        """The same backwards."""
        self._layers.backward(self._behind.gradients(outputs), self._grads)


class GINByHand:
    """Layers of GIN, the sums or means of the features and of all layers, and a linear map."""

    def __init__(
        self, layers: Sequence[GINLayer], readout: Readout, out: nn.Linear, kept: Kept
    ) -> None:
        space = Workspace(array_of(out.weight).dtype)
        values, self._grads = (
            [Perceptron(*map(of, layer.parameters_in_order())) for layer in layers]
            for of in (array_of, gradient_of)
        )
        self._layers, self._gin = layers, GINPass(values, [one.seen() for one in layers], space)
        self._behind = Behind(readout, (out,), kept, space)

    def outputs(self, batch: Batch) -> Tensor:
        """Convolve, add up the nodes of every layer, map."""
        h, near = array_of(batch.features), [own.joined() for own in batch.rows]
        counts = batch.counts()[1:] if self._layers[0].training else ()
        return self._behind.outputs([h, *self._gin.forward(h, near, counts)], batch)

    def gradients(self, outputs: Tensor) -> None:
        """The same backwards; the features have no gradient."""
        self._gin.backward(self._behind.gradients(outputs, first=1), self._grads)
