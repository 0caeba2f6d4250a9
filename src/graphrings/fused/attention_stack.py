"""Layers of attention on top of each other as one step, with one activation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.arrays import array_of
from graphrings.fused.attention import Attention, AttentionPass
from graphrings.fused.passes import Passes
from graphrings.fused.workspace import Workspace


def attention_stack(
    h: Tensor,
    near: Sequence[WeightedRows],
    parameters: Sequence[Tensor],
    slopes: Sequence[float],
    activation: str,
) -> list[Tensor]:
    """The rows of all layers; the activation is one of those that are ``WRITTEN_OUT``.

    ``parameters`` are those of ``Attention``, for every layer.
    """
    return list(AttentionStack.apply(h, tuple(near), tuple(slopes), activation, *parameters))


class AttentionStack(torch.autograd.Function):
    """``AttentionPasses`` for autograd."""

    @staticmethod
    def forward(
        ctx: Any,
        h: Tensor,
        near: tuple[WeightedRows, ...],
        slopes: tuple[float, ...],
        activation: str,
        *parameters: Tensor,
    ) -> tuple[Tensor, ...]:
        """All layers."""
        arrays = [array_of(parameter) for parameter in parameters]
        own = [Attention(*arrays[3 * level : 3 * level + 3]) for level in range(len(near))]
        space = Workspace(arrays[0].dtype)
        ctx.own, ctx.layers = own, AttentionPasses(own, slopes, activation, space)
        return tuple(map(torch.from_numpy, ctx.layers.forward(array_of(h), near)))

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Any, ...]:
        """The same steps backwards; a layer also has a gradient of its own."""
        made = [Attention(*map(np.empty_like, layer)) for layer in ctx.own]
        # What autograd hands out is not ours to write to.
        own = [array_of(grad).copy() for grad in grads]
        h = ctx.layers.backward(own, made, ctx.needs_input_grad[0])
        parameters = [torch.from_numpy(array) for layer in made for array in layer]
        return None if h is None else torch.from_numpy(h), None, None, None, *parameters


class AttentionPasses(Passes):
    """One pass forwards and one backwards through all layers."""

    def __init__(
        self,
        layers: Sequence[Attention],
        slopes: Sequence[float],
        activation: str,
        space: Workspace,
    ) -> None:
        super().__init__(
            [
                AttentionPass(layer, slope, activation, space, f"layer {level}")
                for level, (layer, slope) in enumerate(zip(layers, slopes, strict=True))
            ]
        )
