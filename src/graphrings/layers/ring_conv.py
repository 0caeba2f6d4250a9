"""The parametric graph convolution."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from graphrings.distances.rings import Rings, checked_radius
from graphrings.layers.activations import ACTIVATIONS
from graphrings.layers.kernels import gather, scatter


class RingConv(nn.Module):
    r"""Parametric graph convolution, Eq. (10) without its activation.

    .. math:: H' = \Vert_{j=0}^{r} \, (\hat D^j)^{-1} SP^j H W^j

    ``f`` is element-wise, so the network applies it after the concatenation.
    Shapes: ``h`` is (n, in); the result is (n, (r + 1) * out). An empty ring contributes zeros: the
    bias stands inside the mean.
    """

    def __init__(self, in_features: int, out_features: int, radius: int, bias: bool = True) -> None:
        super().__init__()
        self.radius, self.out_features = checked_radius(radius), out_features
        self.filters = nn.Linear(in_features, (radius + 1) * out_features, bias=bias)

    def forward(self, h: Tensor, rings: Rings, activation: str = "identity") -> Tensor:
        """Filter for every ring at once, average each ring, lay the results side by side.

        An ``activation`` may be applied in the same go, which costs less for tanh and ReLU.
        """
        self.check_radius(rings)
        if len(h) < (needed := int(rings.indices.max(initial=-1)) + 1):
            raise ValueError(f"{len(h)} rows; the rings lead to {needed}")
        weight, bias = self.filters.weight, self.filters.bias
        if h.device.type != "cpu":
            return ACTIVATIONS[activation](ring_mean(functional.linear(h, weight, bias), rings))
        within = activation if activation in ("tanh", "relu") else "identity"
        out: Tensor = RingFilter.apply(h, weight, bias, rings, within)
        return out if within == activation else ACTIVATIONS[activation](out)

    def check_radius(self, rings: Rings) -> None:
        """Refuse rings of another radius."""
        if rings.radius != self.radius:
            raise ValueError(f"rings of radius {rings.radius} for a filter of radius {self.radius}")


class RingFilter(torch.autograd.Function):
    """The dense product and the gather-mean of RingConv as one step, on the CPU."""

    @staticmethod
    def forward(
        ctx: Any, h: Tensor, weight: Tensor, bias: Tensor | None, rings: Rings, activation: str
    ) -> Tensor:
        """Row u of the product is what node u looks like from ring 0, 1, ..., r."""
        out = gathered(h @ weight.t(), weight.shape[0], bias, rings, activation == "tanh")
        if activation == "relu":
            out.relu_()
        ctx.save_for_backward(h, weight, out)
        ctx.rings, ctx.has_bias, ctx.activation = rings, bias is not None, activation
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """The same steps backwards."""
        h, weight, out = ctx.saved_tensors
        nothing = h.new_empty((h.shape[0], 0))
        grad = grads[0] * (out > 0) if ctx.activation == "relu" else grads[0].contiguous()
        rows, bias = scattered(grad, out, nothing, ctx.rings, ctx.activation == "tanh")
        return (
            rows @ weight if ctx.needs_input_grad[0] else None,
            rows.t() @ h,
            bias if ctx.has_bias else None,
            None,
            None,
        )


def gathered(rows: Tensor, width: int, bias: Tensor | None, rings: Rings, tanh: bool) -> Tensor:
    """The means over every ring of the first ``width`` columns, and tanh, on the CPU."""
    out = rows.new_empty((rings.n_nodes, width))
    added = rows.new_zeros(width) if bias is None else bias
    gather(rows.numpy(), added.numpy(), *ring_arrays(rings, rows), out.numpy())
    return out.tanh_() if tanh else out


def scattered(
    grad: Tensor, out: Tensor, behind: Tensor, rings: Rings, tanh: bool
) -> tuple[Tensor, Tensor]:
    """The gradients of the rows, ``behind`` in the columns after the rings, and of the bias."""
    # Dense products are faster in torch's memory than in numpy's: it begins at 64 bytes.
    rows = grad.new_empty((behind.shape[0], grad.shape[1] + behind.shape[1]))
    bias = grad.new_empty(grad.shape[1])
    arrays = grad.numpy(), out.numpy(), tanh, behind.numpy(), *ring_arrays(rings, grad)
    scatter(*arrays, rows.numpy(), bias.numpy())
    return rows, bias


def ring_mean(rows: Tensor, rings: Rings) -> Tensor:
    """The mean over every ring in plain torch, for any device."""
    width = rings.radius + 1
    blocks = rows.reshape(len(rows) * width, -1)  # row (u, j): node u seen from ring j
    place = torch.from_numpy(rings.indices.astype("int64") * width + rings.rows % width)
    return functional.embedding_bag(
        place.to(rows.device),
        blocks,
        torch.from_numpy(rings.indptr[:-1].copy()).to(rows.device),
        mode="sum",
        per_sample_weights=torch.from_numpy(rings.weights).to(rows),
    ).view(rings.n_nodes, -1)


def ring_arrays(rings: Rings, like: Tensor) -> tuple[Any, Any, Any, int]:
    """What compiled loops need of rings, with weights in the precision of a tensor."""
    weights = rings.weights_as("float64" if like.dtype == torch.float64 else "float32")
    return rings.indptr, rings.indices, weights, rings.radius + 1
