"""Attention inside every block: a softmax decides what a member counts for."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.attention_stack import attention_stack
from graphrings.fused.lane import takes_fused_lane
from graphrings.layers.on_device import on_device_of


def attention(
    h: Tensor, weight: Tensor, theta: Tensor, bias: Tensor, near: WeightedRows, slope: float
) -> Tensor:
    r"""The members' filtered rows, summed by attention; blocks side by side.

    .. math:: \sum_u b_{vu} W h_u, \quad
        b_{vu} \propto m_{vu} \exp \mathrm{LeakyReLU}(\theta^\top (W h_v \Vert W h_u))

    with :math:`m_{vu}` = how often u counts. The first member of a row is the node v itself.

    Args:
        h: one row per node, (n, in).
        weight: the filters of all blocks and heads, (blocks * heads * out, in).
        theta: the vectors of attention, (blocks, heads, 2 * out).
        bias: as wide as the result: blocks * heads * out, or blocks * out if heads are averaged.
        near: the members of every block, with counts for weights; an empty block gives zeros.
        slope: of LeakyReLU below zero.

    """
    if takes_fused_lane(h):
        return attention_stack(h, [near], [weight, theta, bias], [slope], "identity")[0]
    width, heads, _ = theta.shape
    block = near.blocks  # of every entry
    at = on_device_of(h, block)
    own, other = (
        on_device_of(h, rows.astype(np.int64) * width + block % width)
        for rows in (near.own[block // width], near.indices)
    )
    rows = functional.linear(h, weight).view(len(h), width, heads, -1)
    mine, theirs = (
        (rows * part).sum(-1).view(-1, heads) for part in theta.chunk(2, dim=2)
    )  # (node and block, head)
    z = functional.leaky_relu(mine[own] + theirs[other], slope)
    most = z.new_full((len(near.indptr) - 1, heads), -torch.inf)
    most = most.scatter_reduce(0, at[:, None].expand_as(z), z.detach(), "amax")
    b = torch.from_numpy(near.weights.copy()).to(z)[:, None] * torch.exp(z - most[at])
    b = b / torch.zeros_like(most).index_add(0, at, b)[at]
    seen = b[:, :, None] * rows.reshape(len(h) * width, heads, -1)[other]
    sums = seen.new_zeros((len(most), heads, seen.shape[2])).index_add(0, at, seen)
    if len(bias) < weight.shape[0]:
        sums = sums.mean(dim=1)
    filled = on_device_of(h, np.diff(near.indptr) > 0).view(-1, width, 1)
    return (sums.reshape(near.n_rows, width, -1) + bias.view(width, -1) * filled).flatten(1)
