"""The state of a graph neural network: a fixed point, and the gradient through it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from graphrings.distances.rings import Rings
from graphrings.layers.ring_sum import ring_sum


class GNNConv(nn.Module):
    r"""The fixed point of Scarselli et al. (2009), Eq. (1), with means for sums.

    .. math:: H_v = \frac{1}{|N(v)|} \sum_{u \in N(v)} f(H_u, X_v, X_u), \quad
        f(h, x, y) = V \tanh(U h + A x + B y + b) + c

    It is a contraction, since tanh has no slope above 1, a mean over neighbours is no longer than
    the longest of them, and U is scaled down such that the spectral norms of U and V multiply to
    at most ``mu`` < 1: a step brings two states nearer by that factor, in the largest Euclidean
    distance of any node. A sum, as Eq. (1) has it, would be one for small degrees only.

    Shapes: ``x`` is (n, in), the result (n, width), one row for every node that has ``rings``;
    these have radius 1 and average, and lead from nodes to the same nodes, in any order. Who has no
    neighbours has zeros. The steps end when no number moves by more than ``tolerance``, or after
    ``max_steps``.
    """

    def __init__(
        self,
        in_features: int,
        width: int,
        hidden: int,
        *,
        mu: float = 0.9,
        tolerance: float = 1e-6,
        max_steps: int = 100,
    ) -> None:
        super().__init__()
        self.mu, self.tolerance, self.max_steps = mu, tolerance, max_steps
        self.state = nn.Linear(width, hidden, bias=False)
        self.own = nn.Linear(in_features, hidden)
        self.other = nn.Linear(in_features, hidden, bias=False)
        self.out = nn.Linear(hidden, width)

    def forward(self, x: Tensor, rings: Rings, start: Tensor | None = None) -> Tensor:
        """Settle from ``start``, by default zeros; one more step then brings the gradients."""
        step = self.step(x, rings)
        with torch.no_grad():
            h = x.new_zeros((rings.n_nodes, self.out.out_features)) if start is None else start
            h = settled(step, h, self.tolerance, self.max_steps)
        if not torch.is_grad_enabled():
            return h
        found: Tensor = Implicit.apply(step(h), step.transposed(h), self.tolerance, self.max_steps)
        return found

    def step(self, x: Tensor, rings: Rings) -> Step:
        """The right-hand side of Eq. (1) for these features and neighbours."""
        pairs = Pairs.of(rings)
        x = x.index_select(0, torch.from_numpy(rings.own))
        own = self.own(x).index_select(0, pairs.node)
        given = own + self.other(x).index_select(0, pairs.neighbour)
        bias = ring_sum(x.new_ones((len(given), 1)), pairs.mean) * self.out.bias
        return Step(pairs, given, self.bounded(), self.out.weight, bias)

    def bounded(self) -> Tensor:
        """U, scaled down where it would be too steep together with V."""
        u, v = self.state.weight, self.out.weight
        steepest = torch.linalg.matrix_norm(u, 2) * torch.linalg.matrix_norm(v, 2)
        scale: Tensor = self.mu / steepest.clamp(min=self.mu)
        return u * scale


@dataclass(frozen=True, eq=False)
class Pairs:
    """The pairs of a node and a neighbour, in the order of the nodes.

    ``mean`` leads from pairs to their nodes, with the weights of ring 1; ``back`` adds up what
    pairs hand to their neighbours.
    """

    node: Tensor
    neighbour: Tensor
    mean: Rings
    back: Rings

    @classmethod
    def of(cls, rings: Rings) -> Pairs:
        """Those of ring 1; a neighbour has the number of its own rings, not that of its row."""
        if rings.radius != 1:
            raise ValueError(f"rings of radius {rings.radius}; Eq. (1) sees radius 1")
        number = np.empty(rings.n_nodes, dtype=np.int32)
        number[rings.own] = np.arange(rings.n_nodes, dtype=np.int32)
        rows = rings.rows
        chosen = rows % 2 == 1
        node, neighbour = rows[chosen] // 2, number[rings.indices[chosen]]
        pairs = np.arange(len(node), dtype=np.int32)
        order = np.argsort(neighbour, kind="stable").astype(np.int32)
        return cls(
            torch.from_numpy(node),
            torch.from_numpy(neighbour),
            Rings(0, _bounds(node, rings.n_nodes), pairs, shares=rings.weights[chosen]),
            Rings(0, _bounds(neighbour, rings.n_nodes), order, shares=np.ones(len(order))),
        )


@dataclass(frozen=True, eq=False)
class Step:
    """One step: from the state of every node to the next."""

    pairs: Pairs
    given: Tensor  # what is no state under tanh, a row a pair
    u: Tensor
    v: Tensor
    bias: Tensor

    def __call__(self, h: Tensor) -> Tensor:
        """The mean of f over the neighbours."""
        return ring_sum(self.inner(h), self.pairs.mean) @ self.v.t() + self.bias

    def inner(self, h: Tensor) -> Tensor:
        """The hidden layer of f, a row a pair."""
        return torch.tanh((h @ self.u.t()).index_select(0, self.pairs.neighbour) + self.given)

    def transposed(self, h: Tensor) -> Callable[[Tensor], Tensor]:
        """The transposed derivative of the step at h: from gradients after it to those before."""
        with torch.no_grad():
            shares = torch.from_numpy(self.pairs.mean.weights).to(h)[:, None]
            slope = (1 - self.inner(h).square()) * shares

        def backwards(grad: Tensor) -> Tensor:
            pairs = (grad @ self.v).index_select(0, self.pairs.node) * slope
            return ring_sum(pairs, self.pairs.back) @ self.u

        return backwards


class Implicit(torch.autograd.Function):
    r"""The gradient through a fixed point by its equation, not by its steps.

    .. math:: g = J^\top g + \partial L / \partial H

    Forward, a step from the fixed point has no effect; backward, g is what that step hands on.
    """

    @staticmethod
    def forward(
        ctx: Any,
        h: Tensor,
        transposed: Callable[[Tensor], Tensor],
        tolerance: float,
        max_steps: int,
    ) -> Tensor:
        """Nothing changes."""
        ctx.transposed, ctx.tolerance, ctx.max_steps = transposed, tolerance, max_steps
        return h.view_as(h)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """Settle as the state did; the tolerance is relative here, as losses have any scale."""
        grad = grads[0]
        tolerance = ctx.tolerance * float(grad.abs().max())
        found = settled(lambda g: ctx.transposed(g) + grad, grad, tolerance, ctx.max_steps)
        return found, None, None, None


def settled(
    step: Callable[[Tensor], Tensor], h: Tensor, tolerance: float, max_steps: int
) -> Tensor:
    """Repeat a step until no number moves by more than the tolerance."""
    for _ in range(max_steps if len(h) else 0):
        before, h = h, step(h)
        if float((h - before).abs_().max()) <= tolerance:
            break
    return h


def _bounds(owners: NDArray[Any], n: int) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(np.bincount(owners, minlength=n))])
