"""The parametric graph convolution inside a model of PyTorch Geometric."""

from __future__ import annotations

from torch import Tensor, nn

from graphrings.distances.rings import checked_radius
from graphrings.errors import LayerError


class RingConv(nn.Module):
    r"""Parametric graph convolution, Eq. (10) without its activation, on what ``AddRings`` adds.

    .. math:: H' = \Vert_{j=0}^{r} \, (\hat D^j)^{-1} SP^j H W^j

    Shapes: ``x`` is (n, in); the result is (n, (r + 1) * out). An empty ring contributes zeros.
    The parameters are those of ``graphrings.layers.RingConv``, and so is the result, to rounding.
    It is made of plain operations of torch and runs on any device.

    Args:
        in_channels: columns of ``x``.
        out_channels: filters per ring.
        radius: the largest distance that a filter sees; rings beyond it are not looked at.
        bias: whether the filters have one.

    """

    def __init__(self, in_channels: int, out_channels: int, radius: int, bias: bool = True) -> None:
        super().__init__()
        self.radius = checked_radius(radius)
        self.in_channels, self.out_channels = in_channels, out_channels
        self.filters = nn.Linear(in_channels, (radius + 1) * out_channels, bias=bias)

    def forward(self, x: Tensor, ring_index: Tensor, ring_distance: Tensor) -> Tensor:
        """Filter for every ring at once, average each ring, lay the results side by side.

        Args:
            x: one row per node.
            ring_index: (2, m), a column (u, v) for every node u in a ring of v.
            ring_distance: (m,), which ring that is.

        """
        self._check(x, ring_index, ring_distance)
        near = ring_distance <= self.radius
        (members, centres), rings = ring_index[:, near], ring_distance[near]
        n_rows = len(x) * (self.radius + 1)
        filtered = self.filters(x).view(
            n_rows, self.out_channels
        )  # row (u, j): u as ring j sees it
        blocks = centres * (self.radius + 1) + rings
        sums = filtered.new_zeros(n_rows, self.out_channels)
        sums = sums.index_add(0, blocks, filtered[members * (self.radius + 1) + rings])
        sizes = filtered.new_zeros(n_rows).index_add(0, blocks, filtered.new_ones(len(blocks)))
        means: Tensor = (sums / sizes.clamp(min=1)[:, None]).view(len(x), -1)
        return means

    def reset_parameters(self) -> None:
        """Draw new weights."""
        self.filters.reset_parameters()

    def extra_repr(self) -> str:
        """The settings."""
        bias = "" if self.filters.bias is not None else ", bias=False"
        return f"{self.in_channels}, {self.out_channels}, radius={self.radius}{bias}"

    def _check(self, x: Tensor, ring_index: Tensor, ring_distance: Tensor) -> None:
        if x.ndim != 2 or x.shape[1] != self.in_channels:
            raise LayerError(f"x of shape {tuple(x.shape)}; expected {self.in_channels} columns")
        if ring_index.shape != (2, len(ring_distance)):
            raise LayerError(
                f"ring_index of shape {tuple(ring_index.shape)} and ring_distance of shape "
                f"{tuple(ring_distance.shape)}; expected (2, m) and (m,), as AddRings makes them"
            )
        if x.device.type == "cpu" and ring_distance.numel():  # elsewhere it would have to wait
            least = min(int(ring_index.min()), int(ring_distance.min()))
            if least < 0 or int(ring_index.max()) >= len(x):
                raise LayerError(f"ring_index leads to nodes that are not of 0 to {len(x) - 1}")
