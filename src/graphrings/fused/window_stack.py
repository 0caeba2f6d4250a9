"""A convolution over positions and two dense layers on top of it, as one step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from graphrings.compiled import compiled
from graphrings.fused.arrays import Floats, array_of
from graphrings.fused.workspace import Workspace


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
    """``WindowPass`` for autograd."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, size: int, kept: Tensor | None, *parameters: Tensor) -> Tensor:
        """All layers."""
        ctx.windows = WindowPass(Workspace(array_of(x).dtype))
        layers = [array_of(parameter) for parameter in parameters]
        dropped = None if kept is None else array_of(kept)
        return torch.from_numpy(ctx.windows.forward(array_of(x), size, layers, dropped))

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """The same steps backwards."""
        made = [np.empty_like(parameter) for parameter in ctx.windows.layers]
        x = ctx.windows.backward(array_of(grads[0]), made)
        return torch.from_numpy(x), None, None, *map(torch.from_numpy, made)


class WindowPass:
    """One pass forwards and one backwards through all layers.

    ``layers`` are the weights and biases of the convolution and of both dense layers. What the way
    back needs is kept in the workspace, until the next pass.
    """

    def __init__(self, space: Workspace) -> None:
        self._space = space

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def forward(
        self, x: Floats, size: int, layers: Sequence[Floats], kept: Floats | None
    ) -> Floats:
        """A window is one piece of memory, so that the convolution is a linear map of windows."""
        conv, conv_bias, dense, dense_bias, out, out_bias = self.layers = layers
        (n_graphs, positions, channels), self._kept = x.shape, kept
        n_windows = positions - size + 1
        windows = self._space.array("windows", n_graphs, n_windows, size, channels)
        for t in range(size):
            windows[:, :, t] = x[:, t : t + n_windows]
        self._windows = windows.reshape(n_graphs * n_windows, size * channels)
        seen = self._space.array("seen", n_graphs * n_windows, len(conv))
        np.dot(self._windows, conv.T, out=seen)
        add_and_relu(seen, conv_bias)
        self._seen = seen.reshape(n_graphs, n_windows * len(conv))
        self._known = known = self._space.array("known", n_graphs, len(dense))
        np.dot(self._seen, dense.T, out=known)
        add_and_relu(known, dense_bias)
        if kept is not None:
            known *= kept
        outputs: Floats = np.dot(known, out.T)
        outputs += out_bias
        self._shape, self._n_windows = x.shape, n_windows
        return outputs

    @np.errstate(all="ignore")
    def backward(self, grad: Floats, made: Sequence[Floats]) -> Floats:
        """Write the gradients of all layers, given those of the outputs; return that of ``x``.

        What dropout made zero counts as switched off by ReLU.
        """
        conv, _, dense, _, out, _ = self.layers
        conv_grad, conv_bias, dense_grad, dense_bias, out_grad, out_bias = made
        windows, seen, known = self._windows, self._seen, self._known
        np.dot(grad.T, known, out=out_grad)
        np.sum(grad, axis=0, out=out_bias)
        known_grad = np.dot(grad, out, out=self._space.array("known grad", *known.shape))
        if self._kept is not None:
            known_grad *= self._kept
        through_relu(known, known_grad, dense_bias)
        np.dot(known_grad.T, seen, out=dense_grad)
        seen_grad = np.dot(known_grad, dense, out=self._space.array("seen grad", *seen.shape))
        by_window = seen_grad.reshape(len(windows), len(conv))
        through_relu(seen.reshape(by_window.shape), by_window, conv_bias)
        np.dot(by_window.T, windows, out=conv_grad)
        pieces = np.dot(by_window, conv, out=self._space.array("windows grad", *windows.shape))
        x = self._space.array("pooled grad", *self._shape)
        x[:] = 0
        add_windows(pieces.reshape(len(x), self._n_windows, windows.shape[1]), x)
        return x


@compiled
def add_and_relu(rows: Floats, bias: Floats) -> None:
    """Add the bias to every row, then ReLU, in place; what is no number stays none."""
    for i in range(rows.shape[0]):
        for c in range(rows.shape[1]):
            value = rows[i, c] + bias[c]
            rows[i, c] = 0 if value < 0 else value


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
    """Set the gradient to zero where ReLU gave none of ``out``; ``total`` sums up its rows."""
    total[:] = 0
    for i in range(grad.shape[0]):
        for c in range(grad.shape[1]):
            grad[i, c] = grad[i, c] if out[i, c] > 0 else 0
            total[c] += grad[i, c]
