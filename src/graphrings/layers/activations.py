"""Activation functions by name."""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "tanh": torch.tanh,
    "relu": torch.relu,
    "leaky_relu": functional.leaky_relu,
    "elu": functional.elu,
    "gelu": functional.gelu,
    "sigmoid": torch.sigmoid,
    "identity": lambda x: x,
}
