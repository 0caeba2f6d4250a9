"""The parametric graph convolution."""

from __future__ import annotations

from typing import Any

import numpy as np
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

        An ``activation`` may be applied in the same go, which costs less for tanh.
        """
        if len(h) < (needed := int(rings.indices.max(initial=-1)) + 1):
            raise ValueError(f"{len(h)} rows; the rings lead to {needed}")
        return self.with_readout(h, rings, activation, None)[0]

    def with_readout(
        self, h: Tensor, rings: Rings, activation: str, readout: Tensor | None
    ) -> tuple[Tensor, Tensor]:
        """Also a linear map of ``h`` by weights (m, in): it shares the dense product.

        The rings must not lead to rows that ``h`` does not have.
        """
        if rings.radius != self.radius:
            raise ValueError(f"rings of radius {rings.radius} for a filter of radius {self.radius}")
        weight, bias = self.filters.weight, self.filters.bias
        if readout is None:
            readout = weight[:0]
        if h.device.type != "cpu":
            means = ring_mean(functional.linear(h, weight, bias), rings)
            return ACTIVATIONS[activation](means), h @ readout.t()
        tanh = activation == "tanh"
        out, read = RingFilter.apply(h, weight, bias, readout, rings, tanh)
        return out if tanh else ACTIVATIONS[activation](out), read


class RingFilter(torch.autograd.Function):
    """The dense product and the gather-mean of RingConv as one step, on the CPU."""

    @staticmethod
    def forward(
        ctx: Any,
        h: Tensor,
        weight: Tensor,
        bias: Tensor | None,
        readout: Tensor,
        rings: Rings,
        tanh: bool,
    ) -> tuple[Tensor, Tensor]:
        """Row u of ``rows`` is what node u looks like from ring 0, 1, ..., r; then its readout."""
        width = weight.shape[0]
        both = torch.cat([weight, readout]) if readout.shape[0] else weight
        rows = h @ both.t()
        seen = rows.numpy()
        means = np.empty((rings.n_nodes, width), dtype=seen.dtype)  # numpy allocates more quickly
        added = np.zeros(width, dtype=seen.dtype) if bias is None else bias.numpy()
        gather(seen, added, *_arrays(rings, rows), means)
        out = torch.from_numpy(means)
        if tanh:
            out.tanh_()
        ctx.save_for_backward(h, both, out)
        ctx.rings, ctx.has_bias, ctx.tanh = rings, bias is not None, tanh
        return out, rows[:, width:]

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """The same steps backwards."""
        h, both, out = ctx.saved_tensors
        grad, width = grads[0].contiguous(), out.shape[1]
        outer = grad.numpy()
        inner = np.empty((h.shape[0], both.shape[0]), dtype=outer.dtype)
        bias = np.empty(width, dtype=outer.dtype)
        scatter(outer, out.numpy(), ctx.tanh, *_arrays(ctx.rings, grad), inner, bias)
        rows = torch.from_numpy(inner)
        rows[:, width:] = grads[1]
        weights = rows.t() @ h
        return (
            rows @ both if ctx.needs_input_grad[0] else None,
            weights[:width],
            torch.from_numpy(bias) if ctx.has_bias else None,
            weights[width:],
            None,
            None,
        )


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


def _arrays(rings: Rings, like: Tensor) -> tuple[Any, Any, Any, int]:
    weights = rings.weights_as("float64" if like.dtype == torch.float64 else "float32")
    return rings.indptr, rings.indices, weights, rings.radius + 1
