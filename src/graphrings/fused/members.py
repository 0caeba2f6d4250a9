"""The steps of networks under SortPooling for several networks of one shape at once.

Whatever belongs to a network has a leading axis, one entry per member; the batch is the same for
all. So a batch is gathered once, and every step starts once, not once per member.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from graphrings.compiled import compiled
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.arrays import Floats, arrays_of
from graphrings.fused.pooled_rows import joined, pool_backward, pool_forward
from graphrings.fused.rational_tanh import rational_tanh
from graphrings.fused.ring_filter import gather, scatter
from graphrings.fused.ring_stack import MANY_ROWS
from graphrings.fused.sorted_places import sort_places
from graphrings.fused.window_stack import add_windows, cut_windows, through_relu


def ring_stacks(
    h: Tensor,
    near: Sequence[WeightedRows],
    filters: Sequence[tuple[Tensor, Tensor | None]],
    readout: Tensor,
) -> tuple[Tensor, list[Tensor]]:
    """What ``ring_stack`` computes, for every member; ``h`` is the same for all."""
    parameters = [parameter for both in filters for parameter in both]
    read, *layers = RingStacks.apply(h, readout, tuple(near), *parameters)
    return read, layers


class RingStacks(torch.autograd.Function):
    """``RingStack`` with a leading axis; the features get no gradient."""

    @staticmethod
    def forward(
        ctx: Any, h: Tensor, readout: Tensor, near: tuple[WeightedRows, ...], *parameters: Any
    ) -> tuple[Tensor, ...]:
        """Layer after layer; a product serves a layer and the readout of the one before."""
        weights, biases = parameters[::2], parameters[1::2]
        own = torch.split_with_sizes(readout, [weight.shape[1] for weight in weights], 2)
        joined = [torch.cat(both, 1) for both in zip(weights[1:], own[:-1], strict=True)]
        filters = [weights[0], *joined, own[-1]]
        layers, read = [h.expand(len(readout), *h.shape)], []
        for block, weight, bias, both in zip(near, weights, biases, filters[:-1], strict=True):
            rows = torch.bmm(layers[-1], _turned(both, layers[-1].shape[1]))
            layers.append(_gathered(rows, weight.shape[1], bias, block))
            read.append(rows[:, :, weight.shape[1] :])
        read.append(torch.bmm(layers[-1], own[-1].transpose(1, 2)))
        ctx.save_for_backward(*layers, *filters)
        ctx.near, ctx.has_bias = near, biases[0] is not None
        ctx.mark_non_differentiable(*layers[1:])
        ctx.set_materialize_grads(False)
        return torch.cat(read[1:], 1), *layers[1:]

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """The same steps backwards."""
        depth = len(ctx.near)
        layers, filters = ctx.saved_tensors[: depth + 1], ctx.saved_tensors[depth + 1 :]
        read = _pieces(grads[0], layers)
        grad = torch.bmm(read[-1], filters[-1])
        readouts, parameters = [torch.bmm(read[-1].transpose(1, 2), layers[-1])], []
        for level in range(depth - 1, -1, -1):
            h, out = layers[level], layers[level + 1]
            rows, bias = _scattered(grad, out, read[level], ctx.near[level])
            weights = torch.bmm(rows.transpose(1, 2), h)
            parameters += [bias if ctx.has_bias else None, weights[:, : out.shape[2]]]
            if level > 0:
                readouts.append(weights[:, out.shape[2] :])
                grad = torch.bmm(rows, filters[level])
        return None, torch.cat(readouts[::-1], 2), None, *parameters[::-1]


def member_places(
    layers: Sequence[Tensor],
    parents: Sequence[NDArray[np.int32]],
    graph_ptr: NDArray[np.int64],
    members: NDArray[np.int32],
    multiplicity: NDArray[np.int32],
    k: int,
    all_columns: bool,
) -> NDArray[np.int32]:
    """Which rows SortPooling keeps, (members, graphs, k): everyone sorts by keys of its own."""
    nodes = graph_ptr, members, multiplicity
    own = [[h[m] for h in layers] for m in range(len(layers[0]))]
    return np.stack([sort_places(rows, parents, *nodes, k, all_columns) for rows in own])


def pooled_members(
    filtered: Tensor,
    bias: Tensor,
    lengths: Sequence[int],
    parents: Sequence[NDArray[np.int32]],
    places: NDArray[np.int32],
) -> Tensor:
    """What ``pooled_rows`` computes, for every member; (members, graphs, k // 2, out)."""
    starts = np.cumsum([0, *lengths[:-1]])
    out: Tensor = PooledMembers.apply(bias, filtered, starts, joined(parents), places)
    return out


class PooledMembers(torch.autograd.Function):
    """``PooledRows`` with a leading axis."""

    @staticmethod
    def forward(
        ctx: Any,
        bias: Tensor,
        filtered: Tensor,
        starts: NDArray[np.int64],
        parents: NDArray[np.int32],
        places: NDArray[np.int32],
    ) -> Tensor:
        """One pass over all places of all members."""
        n_members, n_graphs, k = places.shape
        out = bias.new_empty((n_members, n_graphs, k // 2, bias.shape[1]))
        winner = np.empty(out.shape, dtype=np.int8)
        arrays = filtered.numpy(), starts, parents, places, bias.contiguous().numpy()
        pool_members(*arrays, out.numpy(), winner)
        ctx.arrays, ctx.shape = (winner, starts, parents, places), filtered.shape
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """One pass over all places of all members."""
        winner, starts, parents, places = ctx.arrays
        grad = grads[0].contiguous()
        bias = grad.new_zeros((len(grad), grad.shape[3]))
        rows = grad.new_zeros(ctx.shape)
        unpool_members(grad.numpy(), winner, starts, parents, places, rows.numpy(), bias.numpy())
        return bias, rows, None, None, None


def window_stacks(
    x: Tensor, size: int, layers: Sequence[tuple[Tensor, Tensor]], kept: Tensor | None
) -> Tensor:
    """What ``window_stack`` computes, for every member; (members, graphs, outputs)."""
    parameters = [parameter for both in layers for parameter in both]
    outputs: Tensor = WindowStacks.apply(x, size, kept, *parameters)
    return outputs


class WindowStacks(torch.autograd.Function):
    """``WindowStack`` with a leading axis."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, size: int, kept: Tensor | None, *parameters: Tensor) -> Tensor:
        """The graphs of all members are cut into windows together."""
        conv, conv_bias, dense, dense_bias, out, out_bias = parameters
        n_members, n_graphs, positions, channels = x.shape
        cut = x.new_empty((n_members * n_graphs, positions - size + 1, size * channels))
        cut_windows(x.view(-1, positions, channels).numpy(), cut.numpy())
        windows = cut.view(n_members, -1, cut.shape[2])
        seen = _mapped(windows, conv, conv_bias).relu_().view(n_members, n_graphs, -1)
        known = _mapped(seen, dense, dense_bias).relu_()
        if kept is not None:
            known *= kept
        ctx.save_for_backward(windows, seen, known, conv, dense, out)
        ctx.kept, ctx.shape = kept, x.shape
        return _mapped(known, out, out_bias)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """The same steps backwards; what dropout made zero counts as switched off by ReLU."""
        windows, seen, known, conv, dense, out = ctx.saved_tensors
        n_members, _, positions, channels = ctx.shape
        known_grad = torch.bmm(grads[0], out)
        if ctx.kept is not None:
            known_grad *= ctx.kept
        dense_bias = _through_relu(known_grad, known)
        seen_grad = torch.bmm(known_grad, dense).view(n_members, windows.shape[1], -1)
        conv_bias = _through_relu(seen_grad, seen.view_as(seen_grad))
        x_grad = known.new_zeros(ctx.shape)
        pieces = torch.bmm(seen_grad, conv)
        flat = x_grad.view(-1, positions, channels)
        add_windows(pieces.view(len(flat), -1, windows.shape[2]).numpy(), flat.numpy())
        return (
            x_grad,
            None,
            None,
            torch.bmm(seen_grad.transpose(1, 2), windows),
            conv_bias,
            torch.bmm(known_grad.transpose(1, 2), seen),
            dense_bias,
            torch.bmm(grads[0].transpose(1, 2), known),
            grads[0].sum(1),
        )


def _mapped(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    return torch.baddbmm(bias.unsqueeze(1), x, weight.transpose(1, 2))


def _through_relu(grad: Tensor, out: Tensor) -> Tensor:
    """Take away in place what ReLU had switched off; the sums of the rows are the biases'."""
    bias = grad.new_zeros((len(grad), grad.shape[2]))
    through_relus(out.numpy(), grad.numpy(), bias.numpy())
    return bias


def _gathered(rows: Tensor, width: int, bias: Tensor | None, near: WeightedRows) -> Tensor:
    """The weighted sums of the first ``width`` columns over every block, and tanh."""
    out = rows.new_empty((len(rows), near.n_rows, width))
    added = rows.new_zeros((len(rows), width)) if bias is None else bias.contiguous()
    single = rows.dtype == torch.float32
    gather_members(rows.numpy(), added.numpy(), *arrays_of(near, rows), out.numpy(), single)
    return out if single else out.tanh_()


def _scattered(
    grad: Tensor, out: Tensor, behind: Tensor, near: WeightedRows
) -> tuple[Tensor, Tensor]:
    """The gradients of the rows, ``behind`` in the columns after the blocks, and of the biases."""
    rows = grad.new_empty((len(grad), behind.shape[1], grad.shape[2] + behind.shape[2]))
    bias = grad.new_empty((len(grad), grad.shape[2]))
    arrays = grad.numpy(), out.numpy(), behind.numpy(), *arrays_of(near, grad)
    scatter_members(*arrays, rows.numpy(), bias.numpy())
    return rows, bias


def _turned(filters: Tensor, n_rows: int) -> Tensor:
    """The transpose; a product with many rows is faster if it lies in one piece."""
    turned = filters.transpose(1, 2)
    return turned.contiguous() if n_rows > MANY_ROWS else turned


def _pieces(grad: Tensor, layers: Sequence[Tensor]) -> list[Tensor]:
    """The gradient of every layer's readout; that of the input, which is not read, is empty."""
    bounds = accumulate((layer.shape[1] for layer in layers[1:]), initial=0)
    parts = (grad[:, first:last].contiguous() for first, last in pairwise(bounds))
    return [grad.new_empty((len(grad), layers[0].shape[1], 0)), *parts]


@compiled
def gather_members(
    rows: Floats,
    bias: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    weights: Floats,
    width: int,
    out: Floats,
    tanh: bool,
) -> None:
    """``gather`` for every member, and tanh in single precision."""
    for m in range(len(rows)):
        gather(rows[m], bias[m], indptr, indices, weights, width, out[m])
        if tanh:
            rational_tanh(out[m])


@compiled
def scatter_members(
    grad: Floats,
    out: Floats,
    behind: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    weights: Floats,
    width: int,
    rows_grad: Floats,
    bias_grad: Floats,
) -> None:
    """``scatter`` for every member, after tanh."""
    for m in range(len(grad)):
        scatter(
            grad[m],
            out[m],
            True,
            behind[m],
            indptr,
            indices,
            weights,
            width,
            rows_grad[m],
            bias_grad[m],
        )


@compiled
def pool_members(
    filtered: Floats,
    starts: NDArray[np.int64],
    parents: NDArray[np.int32],
    places: NDArray[np.int32],
    bias: Floats,
    out: Floats,
    winner: NDArray[np.int8],
) -> None:
    """``pool_forward`` for every member."""
    for m in range(len(filtered)):
        pool_forward(filtered[m], starts, parents, places[m], bias[m], out[m], winner[m])


@compiled
def unpool_members(
    grad: Floats,
    winner: NDArray[np.int8],
    starts: NDArray[np.int64],
    parents: NDArray[np.int32],
    places: NDArray[np.int32],
    filtered_grad: Floats,
    bias_grad: Floats,
) -> None:
    """``pool_backward`` for every member."""
    for m in range(len(grad)):
        pool_backward(
            grad[m], winner[m], starts, parents, places[m], filtered_grad[m], bias_grad[m]
        )


@compiled
def through_relus(out: Floats, grad: Floats, total: Floats) -> None:
    """``through_relu`` for every member."""
    for m in range(len(grad)):
        through_relu(out[m], grad[m], total[m])
