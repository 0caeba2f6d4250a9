"""Norms of the rows of nodes, by name."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor, nn

from graphrings.fused.row_norm import Counts
from graphrings.layers.row_norm import RowNorm


class Unchanged(nn.Identity):
    """No norm."""

    def forward(self, h: Tensor, counts: Counts | None = None) -> Tensor:
        """The rows as they are."""
        del counts
        return h


class NodeNorm(nn.LayerNorm):
    """Every row by its own mean and deviation, which do not depend on the other rows."""

    def forward(self, h: Tensor, counts: Counts | None = None) -> Tensor:
        """Normalise every row for itself; how many nodes it stands for does not matter."""
        del counts
        return super().forward(h)


NORMS: dict[str, Callable[[int], nn.Module]] = {
    "none": lambda _: Unchanged(),
    "batch": RowNorm,
    "layer": NodeNorm,
}
