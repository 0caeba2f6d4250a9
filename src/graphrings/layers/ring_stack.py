"""Several ring convolutions on top of each other, and a linear map of all their results."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

import torch
from torch import Tensor

from graphrings.distances.rings import Rings
from graphrings.layers.ring_conv import RingConv, gathered, scattered

MANY_ROWS = 500


def ring_stack(
    h: Tensor, rings: Sequence[Rings], convs: Sequence[RingConv], readout: Tensor
) -> tuple[Tensor, list[Tensor]]:
    """Stacked Eq. (10) with tanh, on the CPU: what ``readout`` makes of the layers, and they.

    ``readout`` has a column for every column of every layer. The first result holds the rows of all
    layers below each other, each mapped by its own columns. The layers carry no gradient. The rings
    must not lead to rows that a layer does not have.
    """
    for conv, near in zip(convs, rings, strict=True):
        conv.check_radius(near)
    parameters = [p for conv in convs for p in (conv.filters.weight, conv.filters.bias)]
    read, *layers = RingStack.apply(h, readout, tuple(rings), *parameters)
    return read, layers


class RingStack(torch.autograd.Function):
    """All layers as one step, which starts sooner than many: small graphs make few rows.

    A layer shares its dense product with the readout of the one before.
    """

    @staticmethod
    def forward(
        ctx: Any, h: Tensor, readout: Tensor, rings: tuple[Rings, ...], *parameters: Any
    ) -> tuple[Tensor, ...]:
        """Layer after layer; row u of a product is what u looks like from every ring, then read."""
        weights, biases = parameters[::2], parameters[1::2]
        own = torch.split_with_sizes(readout, [weight.shape[0] for weight in weights], 1)
        filters = [weights[0], *map(torch.cat, zip(weights[1:], own, strict=False)), own[-1]]
        layers, read = [h], []
        for near, weight, bias, both in zip(rings, weights, biases, filters, strict=False):
            rows = layers[-1] @ _turned(both, layers[-1].shape[0])
            layers.append(gathered(rows, weight.shape[0], bias, near, tanh=True))
            read.append(rows[:, weight.shape[0] :])
        read.append(layers[-1] @ own[-1].t())
        ctx.save_for_backward(*layers, *filters)
        ctx.rings, ctx.has_bias = rings, biases[0] is not None
        ctx.mark_non_differentiable(*layers[1:])
        ctx.set_materialize_grads(False)  # no zeros in the place of what the layers do not have
        return torch.cat(read[1:]), *layers[1:]

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """The same steps backwards."""
        depth = len(ctx.rings)
        layers, filters = ctx.saved_tensors[: depth + 1], ctx.saved_tensors[depth + 1 :]
        read = _pieces(grads[0].contiguous(), layers)
        grad, readouts, parameters = read[-1] @ filters[-1], [read[-1].t() @ layers[-1]], []
        for level in range(depth - 1, -1, -1):
            h, out, near = layers[level], layers[level + 1], ctx.rings[level]
            rows, bias = scattered(grad, out, read[level], near, tanh=True)
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
