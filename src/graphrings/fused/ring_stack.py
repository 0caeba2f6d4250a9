"""Several ring convolutions on top of each other, and a linear map of all their results."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

import torch
from torch import Tensor

from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.ring_filter import gathered, scattered

MANY_ROWS = 500


def ring_stack(
    h: Tensor,
    near: Sequence[WeightedRows],
    filters: Sequence[tuple[Tensor, Tensor | None]],
    readout: Tensor,
) -> tuple[Tensor, list[Tensor]]:
    """Stacked ring convolutions with tanh: what ``readout`` makes of the layers, and the layers.

    ``filters`` are a weight and a bias (or None) per layer; ``readout`` has a column for every
    column of every layer. The first result holds the rows of all layers below each other, each
    mapped by its own columns. The layers carry no gradient. No row of ``near`` may have members
    that a layer does not have.
    """
    parameters = [parameter for both in filters for parameter in both]
    read, *layers = RingStack.apply(h, readout, tuple(near), *parameters)
    return read, layers


class RingStack(torch.autograd.Function):
    """All layers as one step, which starts sooner than many: small graphs make few rows.

    A layer shares its dense product with the readout of the one before.
    """

    @staticmethod
    def forward(
        ctx: Any, h: Tensor, readout: Tensor, near: tuple[WeightedRows, ...], *parameters: Any
    ) -> tuple[Tensor, ...]:
        """Layer after layer; row u of a product is what u looks like from every ring, then read."""
        weights, biases = parameters[::2], parameters[1::2]
        own = torch.split_with_sizes(readout, [weight.shape[0] for weight in weights], 1)
        filters = [weights[0], *map(torch.cat, zip(weights[1:], own, strict=False)), own[-1]]
        layers, read = [h], []
        for block, weight, bias, both in zip(near, weights, biases, filters, strict=False):
            rows = layers[-1] @ _turned(both, layers[-1].shape[0])
            layers.append(gathered(rows, weight.shape[0], bias, block, tanh=True))
            read.append(rows[:, weight.shape[0] :])
        read.append(layers[-1] @ own[-1].t())
        ctx.save_for_backward(*layers, *filters)
        ctx.near, ctx.has_bias = near, biases[0] is not None
        ctx.mark_non_differentiable(*layers[1:])
        ctx.set_materialize_grads(False)  # no zeros in the place of what the layers do not have
        return torch.cat(read[1:]), *layers[1:]

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """The same steps backwards."""
        depth = len(ctx.near)
        layers, filters = ctx.saved_tensors[: depth + 1], ctx.saved_tensors[depth + 1 :]
        read = _pieces(grads[0].contiguous(), layers)
        grad, readouts, parameters = read[-1] @ filters[-1], [read[-1].t() @ layers[-1]], []
        for level in range(depth - 1, -1, -1):
            h, out = layers[level], layers[level + 1]
            rows, bias = scattered(grad, out, read[level], ctx.near[level], tanh=True)
            weights = rows.t() @ h
            parameters += [bias if ctx.has_bias else None, weights[: out.shape[1]]]
            if level > 0:
                readouts.append(weights[out.shape[1] :])
            if level > 0 or ctx.needs_input_grad[0]:
                grad = rows @ filters[level]
        inputs = grad if ctx.needs_input_grad[0] else None
        return inputs, torch.cat(readouts[::-1], 1), None, *parameters[::-1]


def _turned(filters: Tensor, n_rows: int) -> Tensor:
    """The transpose; a product with many rows is faster if it lies in one piece."""
    return filters.t().contiguous() if n_rows > MANY_ROWS else filters.t()


def _pieces(grad: Tensor, layers: Sequence[Tensor]) -> list[Tensor]:
    """The gradient of every layer's readout; that of the input, which is not read, is empty."""
    bounds = accumulate((layer.shape[0] for layer in layers[1:]), initial=0)
    parts = (grad[first:last] for first, last in pairwise(bounds))
    return [grad.new_empty((layers[0].shape[0], 0)), *parts]
