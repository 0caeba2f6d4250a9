"""A 1-D convolution over positions, written as one dense product."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn import functional


class WindowConv(nn.Module):
    """1-D convolution with stride 1.

    Shapes: ``x`` is (graphs, positions, in); the result is (graphs, positions - size + 1, out).
    A window of ``size`` positions is one piece of memory: the convolution is a linear map of all
    windows. Column ``t * in + c`` of the weight belongs to channel c at position t of the window.

    Args:
        in_features: channels of a position.
        out_features: channels of the result.
        size: positions of a window.

    """

    def __init__(self, in_features: int, out_features: int, size: int) -> None:
        super().__init__()
        self.size = size
        self.filters = nn.Linear(size * in_features, out_features)

    def forward(self, x: Tensor) -> Tensor:
        """Lay the windows below each other and filter them."""
        n_graphs, positions, _ = x.shape
        out: Tensor = self.filters(windows(x, self.size))
        return out.view(n_graphs, positions - self.size + 1, -1)

    def extra_repr(self) -> str:
        """The settings."""
        return f"size={self.size}"


def windows(x: Tensor, size: int) -> Tensor:
    """All windows of all graphs as rows."""
    return (
        functional.unfold(x.transpose(1, 2).unsqueeze(-1), (size, 1))
        .view(len(x), x.shape[2], size, -1)
        .permute(0, 3, 2, 1)
        .reshape(-1, size * x.shape[2])
    )
