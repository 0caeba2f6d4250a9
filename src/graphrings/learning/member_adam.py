"""Adam for several networks of one shape."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.utils import parameters_to_vector

from graphrings.fused.adam_step import adam_step


class MemberAdam:
    """Adam with the parameters of every network in a row of one matrix, on the CPU.

    ``stacked`` are the parameters by name, with a leading axis: views of the matrix. The numbers of
    a row are those of ``FlatAdam``; everyone has a learning rate of its own.
    """

    def __init__(
        self,
        networks: Sequence[nn.Module],
        learning_rate: float,
        weight_decay: float = 0.0,
        betas: tuple[float, float] = (0.9, 0.999),
        epsilon: float = 1e-8,
    ) -> None:
        self._shapes = {name: p.shape for name, p in networks[0].named_parameters()}
        rows = [parameters_to_vector(network.parameters()).detach() for network in networks]
        self.values = torch.stack(rows)
        self.means, self.squares = torch.zeros_like(self.values), torch.zeros_like(self.values)
        self.rates, self.weight_decay = [learning_rate] * len(networks), weight_decay
        self.betas, self.epsilon, self.steps = betas, epsilon, 0
        self._lay_out()

    def keep(self, rows: list[int]) -> None:
        """Go on with these members alone, in this order."""
        self.rates = [self.rates[row] for row in rows]
        self.values, self.means, self.squares = (
            matrix[rows] for matrix in (self.values, self.means, self.squares)
        )
        self._lay_out()

    def step(self, loss: Tensor) -> None:
        """Move the parameters of every member against their gradients of the loss."""
        grads = torch.autograd.grad(loss, list(self.stacked.values()))
        for own, grad in zip(self._own_grads, grads, strict=True):
            own.copy_(grad)
        self.steps += 1
        beta1, beta2 = self.betas
        correction = math.sqrt(1 - beta2**self.steps)
        values, gradients = self.values.numpy(), self.grads.numpy()
        means, squares = self.means.numpy(), self.squares.numpy()
        number = values.dtype.type  # single precision throughout is faster
        for row, rate in enumerate(self.rates):
            if self.weight_decay:
                self.values[row].mul_(1 - rate * self.weight_decay)
            adam_step(
                values[row],
                gradients[row],
                means[row],
                squares[row],
                number(rate / (1 - beta1**self.steps)),
                number(1 - beta1),
                number(1 - beta2),
                number(1 / correction),
                number(self.epsilon),
            )

    def _lay_out(self) -> None:
        """Make the parameters views of the matrix, and their gradients views of another."""
        self.grads = torch.zeros_like(self.values)
        self.stacked: dict[str, Tensor] = {}
        self._own_grads: list[Tensor] = []
        first = 0
        for name, shape in self._shapes.items():
            columns, first = slice(first, first + shape.numel()), first + shape.numel()
            values, grads = (m[:, columns].view(-1, *shape) for m in (self.values, self.grads))
            self.stacked[name] = nn.Parameter(values)
            self._own_grads.append(grads)
