"""Activation functions by name; several names joined by + are one for each ring."""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional

from graphrings.errors import LayerError

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "tanh": torch.tanh,
    "relu": torch.relu,
    "leaky_relu": functional.leaky_relu,
    "elu": functional.elu,
    "gelu": functional.gelu,
    "sigmoid": torch.sigmoid,
    "identity": lambda x: x,
}
JOINT = "+"


def activated(x: Tensor, activation: str, n_rings: int) -> Tensor:
    """Apply one activation to all columns, or one to the columns of each ring.

    Several names are those of ring 0, 1, ...; the last one is for all further rings as well.
    """
    if JOINT not in activation:
        return ACTIVATIONS[activation](x)
    names, blocks = by_ring(activation, n_rings), x.chunk(n_rings, dim=1)
    return torch.cat([ACTIVATIONS[n](block) for n, block in zip(names, blocks, strict=True)], dim=1)


def by_ring(activation: str, n_rings: int) -> list[str]:
    """The name for every ring."""
    names = activation.split(JOINT)
    if len(names) > n_rings:
        raise LayerError(f"activation = {activation!r} for {n_rings} rings; expected one for each")
    return names + names[-1:] * (n_rings - len(names))
