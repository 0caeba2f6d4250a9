"""A 1-D convolution over positions, written as one dense product."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from graphrings.layers.kernels import add_windows


class WindowConv(nn.Module):
    """1-D convolution with stride 1.

    Shapes: ``x`` is (graphs, positions, in); the result is (graphs, positions - size + 1, out).
    A window of ``size`` positions is one piece of memory: the convolution is a linear map of all
    windows. Column ``t * in + c`` of the weight belongs to channel c at position t of the window.
    """

    def __init__(self, in_features: int, out_features: int, size: int) -> None:
        super().__init__()
        self.size = size
        self.filters = nn.Linear(size * in_features, out_features)

    def forward(self, x: Tensor) -> Tensor:
        """Lay the windows below each other and filter them."""
        n_graphs, positions, _ = x.shape
        rows = Windows.apply(x, self.size) if x.device.type == "cpu" else windows(x, self.size)
        out: Tensor = self.filters(rows)
        return out.view(n_graphs, positions - self.size + 1, -1)


class Windows(torch.autograd.Function):
    """All windows of all graphs as rows, on the CPU."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, size: int) -> Tensor:
        """Copy every window: its rows overlap in memory."""
        n, m, c = x.shape
        ctx.shape, ctx.size = x.shape, size
        view = torch.as_strided(x.contiguous(), (n, m - size + 1, size * c), (m * c, c, 1))
        return view.reshape(-1, size * c)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None]:
        """Add up what the windows say of every position."""
        n, m, c = ctx.shape
        out = grads[0].new_zeros((n, m * c))
        add_windows(grads[0].contiguous().view(n, -1, ctx.size * c).numpy(), c, out.numpy())
        return out.view(n, m, c), None


def windows(x: Tensor, size: int) -> Tensor:
    """The same rows in plain torch, for any device."""
    return (
        functional.unfold(x.transpose(1, 2).unsqueeze(-1), (size, 1))
        .view(len(x), x.shape[2], size, -1)
        .permute(0, 3, 2, 1)
        .reshape(-1, size * x.shape[2])
    )
