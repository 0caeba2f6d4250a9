"""The state of a graph neural network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from graphrings.distances.weighted_rows import WeightedRows
from graphrings.errors import LayerError
from graphrings.fused.lane import takes_fused_lane
from graphrings.fused.settled_means import Settling, settled_means
from graphrings.layers.fixed_point import Implicit, settled
from graphrings.layers.graph_layer import GraphLayer
from graphrings.layers.neighbour_pairs import Pairs
from graphrings.layers.on_device import rows_at
from graphrings.layers.weighted_sum import weighted_sum


class GNNConv(GraphLayer):
    r"""The fixed point of Scarselli et al. (2009), Eq. (1), with means for sums.

    .. math:: H_v = \frac{1}{|N(v)|} \sum_{u \in N(v)} f(H_u, X_v, X_u), \quad
        f(h, x, y) = V \tanh(U h + A x + B y + b) + c

    It is a contraction, since tanh has no slope above 1, a mean over neighbours is no longer than
    the longest of them, and U is scaled down such that the spectral norms of U and V multiply to
    at most ``mu`` < 1: a step brings two states nearer by that factor, in the largest Euclidean
    distance of any node. A sum, as Eq. (1) has it, would be one for small degrees only.

    Shapes: ``x`` is (n, in), the result (n, width), one row for every node that has rings. Who has
    no neighbours has zeros. Under autocast the state keeps full precision, which it needs to
    settle.

    Args:
        in_features: columns of ``x``.
        width: numbers of a state.
        hidden: units of f's hidden layer.
        mu: the largest factor of the contraction.
        tolerance: the steps end when no number moves by more than this,
        max_steps: or after so many.

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
        self.in_features = in_features
        self.mu, self.tolerance, self.max_steps = mu, tolerance, max_steps
        self.state = nn.Linear(width, hidden, bias=False)
        self.own = nn.Linear(in_features, hidden)
        self.other = nn.Linear(in_features, hidden, bias=False)
        self.out = nn.Linear(hidden, width)

    def forward(self, x: Tensor, near: WeightedRows, start: Tensor | None = None) -> Tensor:
        """Settle from ``start``, by default zeros; one more step then brings the gradients.

        ``near`` are rings of radius 1, or such rows with the weights of a mean, which lead from
        nodes to the same nodes, in any order.
        """
        self.check(x, near, 2)
        if start is not None and start.shape != (near.n_rows, self.out.out_features):
            raise LayerError(
                f"{self!r} starts from {(near.n_rows, self.out.out_features)} numbers; "
                f"got {tuple(start.shape)}"
            )
        with torch.autocast(x.device.type, enabled=False):
            x = x.to(self.own.weight.dtype)
            if takes_fused_lane(x):
                begin = None if start is None else start.to(x.dtype)
                return settled_means(x, near, begin, self.settling, self.parameters_in_order())
            step = self.step(x, near)
            with torch.no_grad():
                h = x.new_zeros((near.n_rows, self.out.out_features)) if start is None else start
                h = settled(step, h.to(step.v.dtype), self.tolerance, self.max_steps)
            if not torch.is_grad_enabled():
                return h
            after = step(h), step.transposed(h), self.tolerance, self.max_steps
            state: Tensor = Implicit.apply(*after)
        return state

    def step(self, x: Tensor, near: WeightedRows) -> Step:
        """The right-hand side of Eq. (1) for these features and neighbours."""
        pairs = Pairs.of(near)
        x = rows_at(x, near.own)
        given = rows_at(self.own(x), pairs.node) + rows_at(self.other(x), pairs.neighbour)
        bias = weighted_sum(x.new_ones((len(given), 1)), pairs.mean) * self.out.bias
        return Step(pairs, given, self.bounded(), self.out.weight, bias)

    @property
    def settling(self) -> Settling:
        """How it settles, for the fused lane."""
        return Settling(self.mu, self.tolerance, self.max_steps)

    def parameters_in_order(self) -> tuple[Tensor, ...]:
        """The parameters as ``settled_means`` takes them."""
        own, out = self.own, self.out
        return self.state.weight, own.weight, own.bias, self.other.weight, out.weight, out.bias

    def bounded(self) -> Tensor:
        """U, scaled down where it would be too steep together with V."""
        u, v = self.state.weight, self.out.weight
        steepest = torch.linalg.matrix_norm(u, 2) * torch.linalg.matrix_norm(v, 2)
        scale: Tensor = self.mu / steepest.clamp(min=self.mu)
        return u * scale

    def extra_repr(self) -> str:
        """The settings."""
        return (
            f"{self.in_features}, {self.out.out_features}, {self.out.in_features}, mu={self.mu}, "
            f"tolerance={self.tolerance}, max_steps={self.max_steps}"
        )


@dataclass(frozen=True, eq=False)
class Step:
    """One step: from the state of every node to the next."""

    pairs: Pairs
    given: Tensor  # what is no state under tanh, one row per pair
    u: Tensor
    v: Tensor
    bias: Tensor

    def __call__(self, h: Tensor) -> Tensor:
        """The mean of f over the neighbours."""
        return weighted_sum(self.inner(h), self.pairs.mean) @ self.v.t() + self.bias

    def inner(self, h: Tensor) -> Tensor:
        """The hidden layer of f, one row per pair."""
        return torch.tanh(rows_at(h @ self.u.t(), self.pairs.neighbour) + self.given)

    def transposed(self, h: Tensor) -> Callable[[Tensor], Tensor]:
        """The transposed derivative of the step at h: from gradients after it to those before."""
        with torch.no_grad():
            weights = torch.from_numpy(self.pairs.mean.weights).to(h)[:, None]
            slope = (1 - self.inner(h).square()) * weights

        def backwards(grad: Tensor) -> Tensor:
            pairs = rows_at(grad @ self.v, self.pairs.node) * slope
            return weighted_sum(pairs, self.pairs.back) @ self.u

        return backwards
