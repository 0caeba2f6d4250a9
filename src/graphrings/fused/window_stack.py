"""A convolution over positions and two dense layers on top of it, as one step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from graphrings.compiled import compiled, inlined
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

    def forward(
        self, x: Floats, size: int, layers: Sequence[Floats], kept: Floats | None
    ) -> Floats:
        """A window is one piece of memory, so that the convolution is a linear map of windows."""
        conv, _, dense, _, out, _ = self.layers = layers
        n_graphs, positions, channels = x.shape
        n_windows = positions - size + 1
        windows = self._space.array("windows", n_graphs, n_windows, size * channels)
        seen = self._space.array("seen", n_graphs, n_windows, len(conv))
        known = self._space.array("known", n_graphs, len(dense))
        outputs = np.empty((n_graphs, len(out)), x.dtype)
        self._x, self._kept = x, np.empty((0, 0), x.dtype) if kept is None else kept
        self._between = windows, seen, known
        read_windows(*(x, *layers, self._kept, *self._between, outputs))
        return outputs

    def backward(self, grad: Floats, made: Sequence[Floats]) -> Floats:
        """Write the gradients of all layers, given those of the outputs; return that of ``x``."""
        conv, _, dense, _, out, _ = self.layers
        names = ("windows grad", "seen grad", "known grad")
        grads = [
            self._space.array(name, *array.shape)
            for name, array in zip(names, self._between, strict=True)
        ]
        x = self._space.array("pooled grad", *self._x.shape)
        weights = conv, dense, out, self._kept
        read_windows_back(*(grad, *weights, *self._between, *grads, *made, x))
        return x


@compiled
def read_windows(
    x: Floats,
    conv: Floats,
    conv_bias: Floats,
    dense: Floats,
    dense_bias: Floats,
    out: Floats,
    out_bias: Floats,
    kept: Floats,
    windows: Floats,
    seen: Floats,
    known: Floats,
    outputs: Floats,
) -> None:
    """All layers; dropout multiplies by ``kept`` if that has rows."""
    cut_windows(x, windows)
    by_window = seen.reshape((seen.shape[0] * seen.shape[1], seen.shape[2]))
    np.dot(windows.reshape((len(by_window), windows.shape[2])), conv.T, by_window)
    add_and_relu(by_window, conv_bias)
    np.dot(seen.reshape((len(seen), dense.shape[1])), dense.T, known)
    add_and_relu(known, dense_bias)
    for i in range(len(kept)):
        for c in range(kept.shape[1]):
            known[i, c] *= kept[i, c]
    np.dot(known, out.T, outputs)
    for i in range(len(outputs)):
        for c in range(outputs.shape[1]):
            outputs[i, c] += out_bias[c]


@compiled
def read_windows_back(
    grad: Floats,
    conv: Floats,
    dense: Floats,
    out: Floats,
    kept: Floats,
    windows: Floats,
    seen: Floats,
    known: Floats,
    windows_grad: Floats,
    seen_grad: Floats,
    known_grad: Floats,
    conv_grad: Floats,
    conv_bias: Floats,
    dense_grad: Floats,
    dense_bias: Floats,
    out_grad: Floats,
    out_bias: Floats,
    x_grad: Floats,
) -> None:
    """The same steps backwards; what dropout made zero counts as switched off by ReLU."""
    np.dot(grad.T, known, out_grad)
    out_bias[:] = 0
    for i in range(len(grad)):
        for c in range(grad.shape[1]):
            out_bias[c] += grad[i, c]
    np.dot(grad, out, known_grad)
    for i in range(len(kept)):
        for c in range(kept.shape[1]):
            known_grad[i, c] *= kept[i, c]
    through_relu(known, known_grad, dense_bias)
    by_graph = len(seen), dense.shape[1]
    np.dot(known_grad.T, seen.reshape(by_graph), dense_grad)
    np.dot(known_grad, dense, seen_grad.reshape(by_graph))
    by_window = seen.shape[0] * seen.shape[1], seen.shape[2]
    own = seen_grad.reshape(by_window)
    through_relu(seen.reshape(by_window), own, conv_bias)
    flat = len(own), windows.shape[2]
    np.dot(own.T, windows.reshape(flat), conv_grad)
    np.dot(own, conv, windows_grad.reshape(flat))
    x_grad[:] = 0
    add_windows(windows_grad, x_grad)


@inlined
def add_and_relu(rows: Floats, bias: Floats) -> None:
    """Add the bias to every row, then ReLU, in place; what is no number stays none."""
    for i in range(rows.shape[0]):
        for c in range(rows.shape[1]):
            value = rows[i, c] + bias[c]
            rows[i, c] = 0 if value < 0 else value


@inlined
def cut_windows(x: Floats, out: Floats) -> None:
    """Window p of a graph: as many positions from p on as fit into a row of ``out``."""
    size = out.shape[2] // x.shape[2]
    for graph in range(out.shape[0]):
        for p in range(out.shape[1]):
            for t in range(size):
                for c in range(x.shape[2]):
                    out[graph, p, t * x.shape[2] + c] = x[graph, p + t, c]


@inlined
def add_windows(grad: Floats, out: Floats) -> None:
    """Add window p of every graph to the positions that it was cut from."""
    size = grad.shape[2] // out.shape[2]
    for graph in range(grad.shape[0]):
        for p in range(grad.shape[1]):
            for t in range(size):
                for c in range(out.shape[2]):
                    out[graph, p + t, c] += grad[graph, p, t * out.shape[2] + c]


@inlined
def through_relu(out: Floats, grad: Floats, total: Floats) -> None:
    """Set the gradient to zero where ReLU gave none of ``out``; ``total`` sums up its rows."""
    total[:] = 0
    for i in range(grad.shape[0]):
        for c in range(grad.shape[1]):
            grad[i, c] = grad[i, c] if out[i, c] > 0 else 0
            total[c] += grad[i, c]
