"""Attention inside every block, forwards and backwards."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.activations import WRITTEN_OUT
from graphrings.fused.arrays import Floats, weighted_arrays
from graphrings.fused.workspace import Workspace
from graphrings.hardware import SHORT, SPAN, put_span, short_span, span, total
from graphrings.loops import ONE, ZERO, U

LONG, BRIEF = U(SPAN), U(SHORT)


class Attention(NamedTuple):
    """Filters, vectors of attention and bias, as ``layers.attention`` has them; or gradients."""

    weight: Floats
    theta: Floats
    bias: Floats


class AttentionPass:
    """One pass forwards and one backwards through a layer of attention with its activation.

    The product of theta and a filtered row is linear in the row before its filters: the filters'
    products with theta stand below the filters as rows of their own, so that one dense product
    gives what a member looks like and what it adds to logits. What the way back needs is kept in
    the workspace until the next pass, in arrays whose names begin with ``name``; what it does not
    need is there for whoever comes next.
    """

    def __init__(
        self, layer: Attention, slope: float, activation: str, space: Workspace, name: str = ""
    ) -> None:
        self.layer, self._space, self._name = layer, space, name
        self._activation, self._slope = WRITTEN_OUT[activation], layer.weight.dtype.type(slope)

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def forward(self, h: Floats, near: WeightedRows) -> Floats:
        """Row u of the product is what node u looks like from every block, to every head."""
        (weight, theta, bias), space, name = self.layer, self._space, self._name
        self._h, self._own, heads = h, near.own, theta.shape[1]
        indptr, indices, counts, width = self._arrays = weighted_arrays(near, weight.dtype)
        n_joined = len(weight) + 2 * width * heads
        self._joined = space.array(f"{name} filters", n_joined, h.shape[1])
        self._rows = space.array(f"{name} rows", len(h), n_joined)
        self._attention = space.array(f"{name} attention", len(indices), heads)
        self._out = out = space.array(f"{name} out", near.n_rows, len(bias))
        join(weight, theta, self._joined)
        np.dot(h, self._joined.T, out=self._rows)
        blocks = indptr, indices, self._own, width
        pair_logits(self._rows, len(weight), *blocks, self._slope, self._attention)
        np.exp(self._attention, out=self._attention)
        attend(self._rows, bias, indptr, indices, counts, width, self._attention, out)
        self._activation.apply(out, space.array("activation", *out.shape))
        return out

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def backward(self, grad: Floats, made: Attention, of_input: bool) -> Floats | None:
        """Write the gradients of the layer, given that of its result; return the input's."""
        (weight, theta, _), space, h = self.layer, self._space, self._h
        indptr, indices, _, width = self._arrays
        through = space.array("activation", *grad.shape)
        self._activation.back(grad, self._out, through)
        rows = space.array("attention rows", *self._rows.shape)
        joined = space.array("attention filters", *self._joined.shape)
        blocks = indptr, indices, self._own, width
        longest = int(np.diff(indptr).max(initial=0))
        inner = space.array("inner", longest, theta.shape[1])
        rows[:], made.bias[:] = 0, 0
        given = through, self._rows, self._attention, len(weight), *blocks, self._slope
        attend_backward(*given, inner, rows, made.bias)
        np.dot(rows.T, h, out=joined)
        part(joined, weight, theta, made.weight, made.theta)
        if not of_input:
            return None
        return np.dot(rows, self._joined, out=space.array("below", *h.shape))


@compiled
def join(weight: Floats, theta: Floats, joined: Floats) -> None:
    """The filters, below them their products with theta: for a node itself, then for a member."""
    width, heads, columns = theta.shape[0], theta.shape[1], theta.shape[2] // 2
    n_pairs = width * heads
    joined[: len(weight)] = weight
    joined[len(weight) :] = 0
    for i in range(n_pairs):
        mine, theirs = len(weight) + i, len(weight) + n_pairs + i
        for c in range(columns):
            one, other = theta[i // heads, i % heads, c], theta[i // heads, i % heads, columns + c]
            for f in range(weight.shape[1]):
                joined[mine, f] += one * weight[i * columns + c, f]
                joined[theirs, f] += other * weight[i * columns + c, f]


@compiled
def part(
    joined: Floats, weight: Floats, theta: Floats, weight_grad: Floats, theta_grad: Floats
) -> None:
    """The gradients of filters and theta, from those of what ``join`` makes of them."""
    width, heads, columns = theta.shape[0], theta.shape[1], theta.shape[2] // 2
    n_pairs = width * heads
    for i in range(n_pairs):
        mine, theirs = len(weight) + i, len(weight) + n_pairs + i
        for c in range(columns):
            at = i * columns + c
            one, other = theta[i // heads, i % heads, c], theta[i // heads, i % heads, columns + c]
            along, across = theta.dtype.type(0), theta.dtype.type(0)
            for f in range(weight.shape[1]):
                along += joined[mine, f] * weight[at, f]
                across += joined[theirs, f] * weight[at, f]
                weight_grad[at, f] = joined[at, f] + one * joined[mine, f] + other * joined[theirs, f]
            theta_grad[i // heads, i % heads, c] = along
            theta_grad[i // heads, i % heads, columns + c] = across


@compiled
def pair_logits(
    rows: Floats,
    n_filters: int,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    own: NDArray[np.int32],
    width: int,
    slope: float,
    logits: Floats,
) -> None:
    """The logits of all members of every block, for every head, less the largest of each head."""
    heads, blocks = U(logits.shape[1]), U(width)
    most = np.empty(logits.shape[1], dtype=rows.dtype)
    for v in range(U(len(own))):
        node = U(own[v])
        for j in range(blocks):
            first, last = U(indptr[v * blocks + j]), U(indptr[v * blocks + j + ONE])
            mine = U(n_filters) + j * heads
            theirs = mine + blocks * heads
            most[:] = -np.inf
            for e in range(first, last):
                u = U(indices[e])
                for k in range(heads):
                    z = rows[node, mine + k] + rows[u, theirs + k]
                    z = z if z > 0 else z * slope
                    logits[e, k] = z
                    most[k] = z if z > most[k] else most[k]
            for e in range(first, last):
                for k in range(heads):
                    logits[e, k] -= most[k]


@compiled
def attend(
    rows: Floats,
    bias: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    counts: Floats,
    width: int,
    attention: Floats,
    out: Floats,
) -> None:
    """Make shares of exponentials, and sum up the members of every block by them.

    Where the result has no room for all heads, it is their mean.
    """
    heads, blocks, n_given, n_columns = U(attention.shape[1]), U(width), U(rows.shape[1]), U(len(bias))
    columns = (n_given // (blocks * heads)) - U(2)
    block = n_columns // blocks
    apart = heads if block > columns else ONE  # the heads that stand side by side
    together = heads // apart
    scale = rows.dtype.type(1) / rows.dtype.type(together)
    total_of = np.empty(attention.shape[1], dtype=rows.dtype)
    long, brief = columns // LONG * LONG, columns // BRIEF * BRIEF
    for v in range(U(len(out))):
        for j in range(blocks):
            first, last = U(indptr[v * blocks + j]), U(indptr[v * blocks + j + ONE])
            if first == last:
                for c in range(j * block, (j + ONE) * block):
                    out[v, c] = 0
                continue
            total_of[:] = 0
            for e in range(first, last):
                for k in range(heads):
                    attention[e, k] *= counts[e]
                    total_of[k] += attention[e, k]
            for k in range(heads):
                total_of[k] = 1 / total_of[k]
            for e in range(first, last):
                for k in range(heads):
                    attention[e, k] *= total_of[k]
            for g in range(apart):
                here, there = j * block + g * columns, (j * heads + g) * columns
                for c in range(ZERO, long, LONG):
                    many = span(bias, here + c)
                    for k in range(together):
                        at = there + k * columns + c
                        for e in range(first, last):
                            share = scale * attention[e, g + k]
                            many = many + share * span(rows, U(indices[e]) * n_given + at)
                    put_span(out, v * n_columns + here + c, many)
                for c in range(long, brief, BRIEF):
                    some = short_span(bias, here + c)
                    for k in range(together):
                        at = there + k * columns + c
                        for e in range(first, last):
                            share = scale * attention[e, g + k]
                            some = some + share * short_span(rows, U(indices[e]) * n_given + at)
                    put_span(out, v * n_columns + here + c, some)
                for c in range(brief, columns):
                    one = bias[here + c]
                    for k in range(together):
                        at = there + k * columns + c
                        for e in range(first, last):
                            one += scale * attention[e, g + k] * rows[U(indices[e]), at]
                    out[v, here + c] = one


@compiled
def attend_backward(
    grad: Floats,
    rows: Floats,
    attention: Floats,
    n_filters: int,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    own: NDArray[np.int32],
    width: int,
    slope: float,
    inner: Floats,
    rows_grad: Floats,
    bias_grad: Floats,
) -> None:
    """Hand the gradient of every block to its members, by their attention and through softmax.

    ``inner`` has room for the gradients of all attention in the longest block.
    """
    heads, blocks, n_given, n_columns = U(attention.shape[1]), U(width), U(rows.shape[1]), U(grad.shape[1])
    columns = (n_given // (blocks * heads)) - U(2)
    block = n_columns // blocks
    apart = heads if block > columns else ONE
    together = heads // apart
    scale = rows.dtype.type(1) / rows.dtype.type(together)
    long, brief = columns // LONG * LONG, columns // BRIEF * BRIEF
    mean, mine_grad = np.empty((2, attention.shape[1]), dtype=rows.dtype)
    for v in range(U(len(own))):
        node = U(own[v])
        for j in range(blocks):
            first, last = U(indptr[v * blocks + j]), U(indptr[v * blocks + j + ONE])
            if first == last:
                continue
            for c in range(j * block, (j + ONE) * block):
                bias_grad[c] += grad[v, c]
            for k in range(heads):
                here = v * n_columns + j * block + (k * columns if together == ONE else ZERO)
                there, average = (j * heads + k) * columns, rows.dtype.type(0)
                for e in range(first, last):
                    place = U(indices[e]) * n_given + there
                    share, product = scale * attention[e, k], rows.dtype.type(0)
                    for c in range(ZERO, long, LONG):
                        many, at = span(grad, here + c), place + c
                        product += total(span(rows, at) * many)
                        put_span(rows_grad, at, span(rows_grad, at) + share * many)
                    for c in range(long, brief, BRIEF):
                        some, at = short_span(grad, here + c), place + c
                        product += total(short_span(rows, at) * some)
                        put_span(rows_grad, at, short_span(rows_grad, at) + share * some)
                    for c in range(brief, columns):
                        one = grad[v, here - v * n_columns + c]
                        product += rows[U(indices[e]), there + c] * one
                        rows_grad[U(indices[e]), there + c] += share * one
                    product *= scale
                    inner[e - first, k] = product
                    average += attention[e, k] * product
                mean[k] = average
            mine = U(n_filters) + j * heads
            theirs = mine + blocks * heads
            mine_grad[:] = 0
            for e in range(first, last):
                u = U(indices[e])
                for k in range(heads):
                    z_grad = attention[e, k] * (inner[e - first, k] - mean[k])
                    if rows[node, mine + k] + rows[u, theirs + k] <= 0:
                        z_grad *= slope
                    mine_grad[k] += z_grad
                    rows_grad[u, theirs + k] += z_grad
            for k in range(heads):
                rows_grad[node, mine + k] += mine_grad[k]
