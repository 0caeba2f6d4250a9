"""Adam on one flat vector of parameters."""

from __future__ import annotations

import math

import torch
from torch import nn

from graphrings.fused.adam_step import adam_step


class FlatAdam:
    """Adam (Kingma and Ba, 2015) with all parameters of a network in one piece of memory.

    The parameters and their gradients become views of two vectors, so that a step is one pass over
    them instead of a dozen small ones. The numbers are those of ``torch.optim.Adam``, and with a
    ``weight_decay`` those of ``torch.optim.AdamW``.
    """

    def __init__(
        self,
        network: nn.Module,
        learning_rate: float,
        betas: tuple[float, float] = (0.9, 0.999),
        epsilon: float = 1e-8,
        weight_decay: float = 0.0,
    ) -> None:
        self.parameters = parameters = list(network.parameters())
        self.values = torch.cat([p.detach().reshape(-1) for p in parameters])
        self.grads = torch.zeros_like(self.values)
        self.means, self.squares = torch.zeros_like(self.values), torch.zeros_like(self.values)
        self.learning_rate, self.betas, self.epsilon, self.steps = learning_rate, betas, epsilon, 0
        self.weight_decay = weight_decay
        sizes = [p.numel() for p in parameters]
        for p, value, grad in zip(
            parameters, torch.split(self.values, sizes), torch.split(self.grads, sizes), strict=True
        ):
            p.data, p.grad = value.view_as(p), grad.view_as(p)

    def zero_grad(self) -> None:
        """Forget the gradients."""
        self.grads.zero_()

    def step(self) -> None:
        """Move the parameters against their gradients."""
        self.steps += 1
        for p in self.parameters if self.weight_decay else ():
            if p.requires_grad:
                p.data.mul_(1 - self.learning_rate * self.weight_decay)
        beta1, beta2 = self.betas
        step_size = self.learning_rate / (1 - beta1**self.steps)
        correction = math.sqrt(1 - beta2**self.steps)
        move = self._move_compiled if self.values.device.type == "cpu" else self._move_by_torch
        move(step_size, correction)

    def _move_compiled(self, step_size: float, correction: float) -> None:
        (beta1, beta2), values = self.betas, self.values.numpy()
        number = values.dtype.type  # single precision throughout is faster
        adam_step(
            values,
            self.grads.numpy(),
            self.means.numpy(),
            self.squares.numpy(),
            number(step_size),
            number(1 - beta1),
            number(1 - beta2),
            number(1 / correction),
            number(self.epsilon),
        )

    def _move_by_torch(self, step_size: float, correction: float) -> None:
        beta1, beta2 = self.betas
        self.means.lerp_(self.grads, 1 - beta1)
        self.squares.mul_(beta2).addcmul_(self.grads, self.grads, value=1 - beta2)
        scale = self.squares.sqrt().div_(correction).add_(self.epsilon)
        self.values.addcdiv_(self.means, scale, value=-step_size)
