"""Attention inside every ring: a softmax decides what a member counts for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from graphrings.distances.rings import Rings
from graphrings.layers.attention_kernels import attend, attend_backward, score, score_backward


@dataclass(frozen=True, eq=False)
class Attended:
    """Who attends to whom: the members of ``width`` blocks a node, and the node's own row.

    A block is a ring, or all rings of a node together.
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    counts: NDArray[Any]
    own: NDArray[np.int32]
    width: int

    @classmethod
    def by(cls, rings: Rings, together: bool, dtype: torch.dtype) -> Attended:
        """The blocks of rings whose weights are counts."""
        counts = rings.weights_as("float64" if dtype == torch.float64 else "float32")
        step = rings.radius + 1 if together else 1
        bounds = np.ascontiguousarray(rings.indptr[::step])
        return cls(bounds, rings.indices, counts, rings.own, (rings.radius + 1) // step)


def ring_attention(
    h: Tensor, weight: Tensor, theta: Tensor, bias: Tensor, near: Attended, slope: float
) -> Tensor:
    r"""The members' filtered rows, summed by attention; blocks side by side.

    .. math:: \sum_u b_{vu} W h_u, \quad
        b_{vu} \propto m_{vu} \exp \mathrm{LeakyReLU}(\theta^\top (W h_v \Vert W h_u))

    with :math:`m_{vu}` = how often u counts. Shapes: ``h`` is (n, in), ``theta`` (blocks, heads,
    2 * out), ``weight`` (blocks * heads * out, in). The result is as wide as ``bias``: blocks *
    heads * out, or blocks * out for the mean of the heads. An empty block gives zeros.
    """
    if h.device.type != "cpu":
        return attention_in_torch(h, weight, theta, bias, near, slope)
    found: Tensor = RingAttention.apply(h, weight, theta, bias, near, slope)
    return found


class RingAttention(torch.autograd.Function):
    """The dense product, the softmax and the sums as one step, on the CPU."""

    @staticmethod
    def forward(
        ctx: Any,
        h: Tensor,
        weight: Tensor,
        theta: Tensor,
        bias: Tensor,
        near: Attended,
        slope: float,
    ) -> Tensor:
        """Row u of the product is what node u looks like from every block, to every head."""
        rows = h @ weight.t()
        width, heads, _ = theta.shape
        scores = rows.new_empty((2, len(rows), width * heads))
        shares = rows.new_empty((len(near.indices), heads))
        out = rows.new_empty((len(near.own), len(bias)))
        number = rows.numpy().dtype.type
        score(rows.numpy(), theta.contiguous().numpy(), scores.numpy())
        attend(
            rows.numpy(),
            scores.numpy(),
            bias.numpy(),
            *_arrays(near),
            near.counts,
            number(slope),
            shares.numpy(),
            out.numpy(),
        )
        ctx.save_for_backward(h, weight, theta, rows, scores, shares)
        ctx.near, ctx.slope = near, number(slope)
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """The same steps backwards."""
        h, weight, theta, rows, scores, shares = ctx.saved_tensors
        grad = grads[0].contiguous()
        rows_grad, scores_grad = torch.zeros_like(rows), torch.zeros_like(scores)
        theta_grad, bias_grad = torch.zeros_like(theta), grad.new_zeros(grad.shape[1])
        attend_backward(
            grad.numpy(),
            rows.numpy(),
            scores.numpy(),
            shares.numpy(),
            *_arrays(ctx.near),
            ctx.slope,
            rows_grad.numpy(),
            scores_grad.numpy(),
            bias_grad.numpy(),
        )
        score_backward(
            rows.numpy(),
            theta.contiguous().numpy(),
            scores_grad.numpy(),
            rows_grad.numpy(),
            theta_grad.numpy(),
        )
        below = rows_grad @ weight if ctx.needs_input_grad[0] else None
        return below, rows_grad.t() @ h, theta_grad, bias_grad, None, None


def attention_in_torch(
    h: Tensor, weight: Tensor, theta: Tensor, bias: Tensor, near: Attended, slope: float
) -> Tensor:
    """The same in plain torch, for any device."""
    width, heads, _ = theta.shape
    block = np.repeat(np.arange(len(near.indptr) - 1), np.diff(near.indptr))  # of every entry
    at = torch.from_numpy(block).to(h.device)
    own, other = (
        torch.from_numpy(rows.astype(np.int64) * width + block % width).to(h.device)
        for rows in (near.own[block // width], near.indices)
    )
    rows = (h @ weight.t()).view(len(h), width, heads, -1)
    mine, theirs = (
        (rows * part).sum(-1).view(-1, heads) for part in theta.chunk(2, dim=2)
    )  # (node and block, head)
    z = functional.leaky_relu(mine[own] + theirs[other], slope)
    most = z.new_full((len(near.indptr) - 1, heads), -torch.inf)
    most = most.scatter_reduce(0, at[:, None].expand_as(z), z.detach(), "amax")
    shares = torch.from_numpy(near.counts).to(z)[:, None] * torch.exp(z - most[at])
    shares = shares / torch.zeros_like(most).index_add(0, at, shares)[at]
    seen = shares[:, :, None] * rows.reshape(len(h) * width, heads, -1)[other]
    sums = seen.new_zeros((len(most), heads, seen.shape[2])).index_add(0, at, seen)
    if len(bias) < weight.shape[0]:
        sums = sums.mean(dim=1)
    filled = torch.from_numpy(np.diff(near.indptr) > 0).to(h.device).view(-1, width, 1)
    sums = sums.reshape(len(near.own), width, -1) + bias.view(width, -1) * filled
    return sums.flatten(1)


def _arrays(near: Attended) -> tuple[Any, Any, Any, int]:
    return near.indptr, near.indices, near.own, near.width
