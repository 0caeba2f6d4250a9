"""What all graph convolutions share."""

from __future__ import annotations

from torch import Tensor, nn

from graphrings.distances.weighted_rows import WeightedRows
from graphrings.errors import LayerError


class GraphLayer(nn.Module):
    """A layer that takes rows of nodes and rings; it refuses what does not fit, in one line."""

    in_features: int

    def check(self, h: Tensor, near: WeightedRows, width: int) -> None:
        """Refuse rows with other columns than ours, rings of another width, and too few rows."""
        self.check_width(near, width)
        if h.dim() != 2 or h.shape[1] != self.in_features:
            raise LayerError(
                f"{self!r} takes rows of shape (n, {self.in_features}); got {tuple(h.shape)}"
            )
        if len(h) < (needed := near.n_members):
            raise LayerError(f"{self!r} got {len(h)} rows; the rings lead to {needed}")

    def check_width(self, near: WeightedRows, width: int) -> None:
        """Refuse what are no rings, and rings of another radius."""
        if not isinstance(near, WeightedRows):
            shape = f" of shape {tuple(near.shape)}" if isinstance(near, Tensor) else ""
            raise LayerError(
                f"{self!r} takes rows and rings; got a {type(near).__name__}{shape} for the rings, "
                f"which gr.rings(dataset, radius={width - 1}) makes"
            )
        if near.width != width:
            raise LayerError(
                f"{self!r} takes rings of radius {width - 1} (rows of width {width}); got {near!r}"
            )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.extra_repr()})"
