"""A convolution over positions and two dense layers on top of it, as one step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from graphrings.compiled import compiled
from graphrings.fused.arrays import Floats


def window_stack(
    x: Tensor, size: int, layers: Sequence[tuple[Tensor, Tensor]], kept: Tensor | None
) -> Tensor:
    """Convolution over ``size`` positions, ReLU, dense layer, ReLU, dropout, dense layer.

    ``layers`` are the weights and biases of the three; dropout multiplies by ``kept``, if there is
    any. Shapes: ``x`` is (graphs, positions, in), the result (graphs, outputs).
    """
    parameters = [parameter for both in layers for parameter in both]
    outputs: Tensor = WindowStack.apply(x, size, kept, *parameters)
    return outputs


class WindowStack(torch.autograd.Function):
    """All layers as one step, which starts sooner than many."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, size: int, kept: Tensor | None, *parameters: Tensor) -> Tensor:
        """A window is one piece of memory, so that the convolution is a linear map of windows."""
        conv, conv_bias, dense, dense_bias, out, out_bias = parameters
        cut = np.empty((x.shape[0], x.shape[1] - size + 1, size * x.shape[2]), x.numpy().dtype)
        cut_windows(x.contiguous().numpy(), cut)
        windows = torch.from_numpy(cut).view(-1, cut.shape[2])
        seen = torch.addmm(conv_bias, windows, conv.t()).relu_().view(x.shape[0], -1)
        known = torch.addmm(dense_bias, seen, dense.t()).relu_()
        if kept is not None:
            known *= kept
        ctx.save_for_backward(windows, seen, known, conv, dense, out)
        ctx.kept, ctx.shape = kept, x.shape
        return torch.addmm(out_bias, known, out.t())

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """The same steps backwards; what dropout made zero counts as switched off by ReLU."""
        windows, seen, known, conv, dense, out = ctx.saved_tensors
        known_grad = grads[0] @ out
        if ctx.kept is not None:
            known_grad *= ctx.kept
        dense_bias = _through_relu(known_grad, known)
        seen_grad = (known_grad @ dense).view(windows.shape[0], -1)
        conv_bias = _through_relu(seen_grad, seen.view_as(seen_grad))
        x_grad = known.new_zeros(ctx.shape)
        pieces = (seen_grad @ conv).view(x_grad.shape[0], -1, windows.shape[1])
        add_windows(pieces.numpy(), x_grad.numpy())
        return (
            x_grad,
            None,
            None,
            seen_grad.t() @ windows,
            conv_bias,
            known_grad.t() @ seen,
            dense_bias,
            grads[0].t() @ known,
            grads[0].sum(0),
        )


def _through_relu(grad: Tensor, out: Tensor) -> Tensor:
    """Take away in place what ReLU had switched off; the sum of the rows is the bias's gradient."""
    bias = grad.new_zeros(grad.shape[1])
    through_relu(out.numpy(), grad.numpy(), bias.numpy())
    return bias


@compiled
def cut_windows(x: Floats, out: Floats) -> None:
    """Window p of a graph: as many positions from p on as fit into a row of ``out``."""
    size = out.shape[2] // x.shape[2]
    for graph in range(out.shape[0]):
        for p in range(out.shape[1]):
            for t in range(size):
                for c in range(x.shape[2]):
                    out[graph, p, t * x.shape[2] + c] = x[graph, p + t, c]


@compiled
def add_windows(grad: Floats, out: Floats) -> None:
    """Add window p of every graph to the positions that it was cut from."""
    size = grad.shape[2] // out.shape[2]
    for graph in range(grad.shape[0]):
        for p in range(grad.shape[1]):
            for t in range(size):
                for c in range(out.shape[2]):
                    out[graph, p + t, c] += grad[graph, p, t * out.shape[2] + c]


@compiled
def through_relu(out: Floats, grad: Floats, total: Floats) -> None:
    """Set the gradient to zero where ReLU gave none of ``out``; add its rows to ``total``."""
    for i in range(grad.shape[0]):
        for c in range(grad.shape[1]):
            grad[i, c] = grad[i, c] if out[i, c] > 0 else 0
            total[c] += grad[i, c]
