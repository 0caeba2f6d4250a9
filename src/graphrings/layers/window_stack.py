"""A convolution over positions and two dense layers on top of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from graphrings.layers.kernels import add_windows, cut_windows, through_relu
from graphrings.layers.window_conv import WindowConv


def window_stack(
    x: Tensor, conv: WindowConv, dense: nn.Linear, out: nn.Linear, kept: Tensor | None
) -> Tensor:
    """Convolution, ReLU, dense layer, ReLU, dropout, dense layer, on the CPU.

    Dropout multiplies by ``kept``, if there is any. Shapes: ``x`` is (graphs, positions, in), the
    result (graphs, classes).
    """
    layers = (conv.filters, dense, out)
    parameters = [p for layer in layers for p in (layer.weight, layer.bias)]
    scores: Tensor = WindowStack.apply(x, conv.size, kept, *parameters)
    return scores


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
