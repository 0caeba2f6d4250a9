"""Layers of GIN: the sum over neighbours and a perceptron with norms."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor, nn

from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.gin_stack import gin_stack
from graphrings.fused.lane import takes_fused_lane
from graphrings.fused.row_norm import Counts, Seen
from graphrings.layers.gin_conv import GINConv
from graphrings.layers.row_norm import RowNorm


class GINLayer(nn.Module):
    """Sum, dense, norm, ReLU, dense, norm, ReLU; norms over nodes, as the authors' code has them.

    Shapes: ``h`` is (n, in), the result (n, out).

    Args:
        width: columns of ``h``.
        out: columns of the result.
        radius: the largest distance that the sums see; None is the original.
        learn_epsilon: whether epsilon is learned; otherwise it is 0.

    """

    def __init__(
        self, width: int, out: int, radius: int | None = None, learn_epsilon: bool = False
    ) -> None:
        super().__init__()
        self.conv = GINConv(width, out, radius, learn_epsilon)
        self.inner_norm = RowNorm(out)
        self.second = nn.Linear(out, out, bias=False)  # the norms bring the biases
        self.norm = RowNorm(out)

    def forward(self, h: Tensor, near: WeightedRows, counts: Counts | None = None) -> Tensor:
        """``counts`` says how many nodes a row of the result stands for."""
        x = self.inner_norm(self.conv(h, near), counts, relu=True)
        out: Tensor = self.norm(self.second(x), counts, relu=True)
        return out

    def parameters_in_order(self) -> list[Tensor]:
        """The parameters as ``gin_stack`` takes them."""
        norms = [p for norm in (self.inner_norm, self.norm) for p in (norm.weight, norm.bias)]
        return [self.conv.filters.weight, self.second.weight, *norms]

    def seen(self) -> tuple[Seen, Seen]:
        """What both norms have seen, in the memory of their buffers."""
        return self.inner_norm.seen(), self.norm.seen()

    @property
    def is_one_step(self) -> bool:
        """Whether ``gin_stack`` computes such a layer."""
        return self.conv.together and self.conv.epsilon is None


def gin_layers(
    h: Tensor, layers: Sequence[GINLayer], near: Sequence[WeightedRows], counts: Sequence[Counts]
) -> list[Tensor]:
    """The rows of all layers, each on top of the one before; ``near`` have counts for weights."""
    if all(layer.is_one_step for layer in layers) and takes_fused_lane(h):
        seen, joined = [layer.seen() for layer in layers], [own.joined() for own in near]
        parameters = [p for layer in layers for p in layer.parameters_in_order()]
        return gin_stack(h, joined, counts if layers[0].training else (), seen, parameters)
    rows = []
    for layer, own, count in zip(layers, near, counts, strict=True):
        h = layer(h, own, count)
        rows.append(h)
    return rows
