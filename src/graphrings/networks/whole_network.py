"""A network whose passes are written out, for autograd: all of it is one step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from graphrings.fused.arrays import Floats, array_of
from graphrings.networks.batches import Batch
from graphrings.networks.network import ByHand, Network

Gradients = Callable[[Tensor], Floats]  # the memory for the gradient of a parameter


def as_one_step(network: Network, write_out: Callable[[Gradients], ByHand], batch: Batch) -> Tensor:
    """The outputs for a batch; ``write_out`` is told where gradients belong."""
    parameters = list(network.parameters())
    room = [np.empty_like(array_of(parameter)) for parameter in parameters]
    own = dict(zip(map(id, parameters), room, strict=True))
    by_hand = write_out(lambda parameter: own[id(parameter)])
    outputs: Tensor = WholeNetwork.apply(  # type: ignore[no-untyped-call]
        by_hand, room, batch, *parameters
    )
    return outputs


class WholeNetwork(torch.autograd.Function):
    """Both passes of ``ByHand``, which writes the gradients of all parameters to ``room``."""

    @staticmethod
    def forward(
        ctx: Any, by_hand: ByHand, room: Sequence[Floats], batch: Batch, *parameters: Tensor
    ) -> Tensor:
        """The outputs."""
        del parameters
        ctx.by_hand, ctx.room = by_hand, room
        return by_hand.outputs(batch)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """The gradients of all parameters."""
        ctx.by_hand.gradients(grads[0].contiguous())
        # The next way back through the same outputs writes to the same room.
        return None, None, None, *(torch.from_numpy(array.copy()) for array in ctx.room)
