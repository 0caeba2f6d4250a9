"""Stacked ring convolutions, as many as one likes: with norms, and with layers that add up."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor, cat, nn

from graphrings.fused.lane import takes_fused_lane
from graphrings.fused.ring_filter import WITHIN
from graphrings.layers.activations import JOINT, activated, by_ring
from graphrings.layers.norms import NORMS, Unchanged
from graphrings.layers.on_device import rows_at
from graphrings.layers.ring_conv import RingConv
from graphrings.layers.row_norm import RowNorm
from graphrings.networks.batches import Batch


class RingLayers(nn.Module):
    r"""Eq. (10) stacked, each layer under a norm and with its input added if asked for.

    .. math:: H^{l+1} = f(\mathrm{norm}(\mathrm{conv}(H^l))) + H^l

    A layer adds its input where that is as wide as its result: the first one, and one of another
    number of channels, do not. ``channels`` are those of one ring.
    """

    def __init__(
        self,
        n_features: int,
        channels: Sequence[int],
        radius: int,
        *,
        activation: str,
        bias: bool,
        norm: str,
        residual: bool,
    ) -> None:
        super().__init__()
        self.widths = [(radius + 1) * c for c in channels]
        before = [n_features, *self.widths[:-1]]
        self.convs = nn.ModuleList(
            RingConv(width, c, radius, bias) for width, c in zip(before, channels, strict=True)
        )
        self.norms = nn.ModuleList(NORMS[norm](width) for width in self.widths)
        self.activation, self.n_rings, self.residual = activation, radius + 1, residual

    @property
    def is_written_out(self) -> bool:
        """Whether their passes exist without autograd, in the fused lane."""
        norms = all(isinstance(norm, Unchanged | RowNorm) for norm in self.norms)
        within = set(self.activation.split(JOINT)) <= set(WITHIN)
        return norms and within and takes_fused_lane(next(self.parameters()))

    def activations(self) -> list[str]:
        """That of every ring."""
        return by_ring(self.activation, self.n_rings)

    def forward(self, batch: Batch) -> list[Tensor]:
        """The rows of every layer."""
        h, layers = batch.features, []
        counts = batch.counts()[1:]
        steps = zip(self.convs, self.norms, batch.rows, batch.parents, counts, strict=True)
        for conv, norm, near, parents, count in steps:
            if isinstance(norm, Unchanged):
                out = conv(h, near, self.activation)
            else:
                out = activated(norm(conv(h, near), count), self.activation, self.n_rings)
            h = out + rows_at(h, parents) if self.residual and out.shape[1] == h.shape[1] else out
            layers.append(h)
        return layers


def side_by_side(layers: Sequence[Tensor], batch: Batch) -> Tensor:
    """The rows of all layers in one: a row for every row of the last layer."""
    rows, parts = None, [layers[-1]]
    for h, parents in zip(layers[-2::-1], batch.parents[:0:-1], strict=True):
        rows = parents if rows is None else parents[rows]
        parts.insert(0, rows_at(h, rows))
    return cat(parts, dim=1)
