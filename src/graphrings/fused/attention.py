"""Attention inside every block, forwards and backwards."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.activations import WRITTEN_OUT
from graphrings.fused.arrays import Floats, weighted_arrays
from graphrings.fused.workspace import Workspace
from graphrings.hardware import QUAD, SHORT, SPAN, chosen, put_span, quad, short_span, span, total
from graphrings.loops import ONE, ZERO, U

LONG, BRIEF, FOUR = U(SPAN), U(SHORT), U(QUAD)


class Attention(NamedTuple):
    """Filters, vectors of attention and bias, as ``layers.attention`` has them; or gradients."""

    weight: Floats
    theta: Floats
    bias: Floats


class AttentionPass:
    """One pass forwards and one backwards through a layer of attention with its activation.

    The product of theta and a filtered row is linear in the row before its filters: the filters'
    products with theta stand below the filters as rows of their own, so that one dense product
    gives what a member looks like and what it adds to logits. Heads are counted in quads, the last
    of which is filled up with heads that nobody asks. What the way back needs is kept in
    the workspace until the next pass, in arrays whose names begin with ``name``; what it does not
    need is there for whoever comes next.
    """

    def __init__(
        self, layer: Attention, slope: float, activation: str, space: Workspace, name: str = ""
    ) -> None:
        self.layer, self._space, self._name = layer, space, name
        self._activation = WRITTEN_OUT[activation]
        self._slope: Any = layer.weight.dtype.type(slope)

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def forward(self, h: Floats, near: WeightedRows) -> Floats:
        """Row u of the product is what node u looks like from every block, to every head."""
        (weight, theta, bias), space, name = self.layer, self._space, self._name
        self._h, self._own = h, near.own
        indptr, indices, counts, width = weighted_arrays(near, weight.dtype)
        _, heads, twice = theta.shape
        self._quads = quads = -(-heads // QUAD) * QUAD
        self._blocks = indptr, indices, width, heads, twice // 2
        n_joined = len(weight) + 2 * width * quads
        self._joined = space.array(f"{name} filters", n_joined, h.shape[1])
        self._rows = space.array(f"{name} rows", len(h), n_joined)
        self._attention = space.array(f"{name} attention", len(indices), quads)
        self._out = out = space.array(f"{name} out", near.n_rows, len(bias))
        join(weight, theta, quads, self._joined)
        np.dot(h, self._joined.T, out=self._rows)
        nodes = indptr, indices, self._own, width
        pair_logits(self._rows, len(weight), *nodes, self._slope, self._attention)
        np.exp(self._attention, out=self._attention)
        make_shares(self._attention, indptr, counts)
        attend(self._rows, bias, *self._blocks, self._attention, out)
        self._activation.apply(out, space.array("activation", *out.shape))
        return out

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def backward(
        self, grad: Floats, weight: Floats, theta: Floats, bias: Floats, of_input: bool
    ) -> Floats | None:
        """Write the gradients of the layer, given that of its result; return the input's."""
        layer, space, h = self.layer, self._space, self._h
        indptr, indices, width, heads, columns = self._blocks
        through = space.array("activation", *grad.shape)
        self._activation.back(grad, self._out, through)
        rows = space.array("attention rows", *self._rows.shape)
        joined = space.array("attention filters", *self._joined.shape)
        inner = space.array("inner", int(np.diff(indptr).max(initial=0)), self._quads)
        rows[:], inner[:], bias[:] = 0, 0, 0
        nodes, shape = (indptr, indices, self._own), (width, heads, columns)
        given = through, self._rows, self._attention, *nodes, *shape, self._slope
        attend_backward(*given, inner, rows, bias)
        np.dot(rows.T, h, out=joined)
        part(joined, self._quads, layer.weight, layer.theta, weight, theta)
        if not of_input:
            return None
        return np.dot(rows, self._joined, out=space.array("below", *h.shape))


@compiled
def join(weight: Floats, theta: Floats, heads: int, joined: Floats) -> None:
    """The filters, below them their products with theta: for a node itself, then for a member.

    Both have rows for so many ``heads`` of every block; those of heads that are not there are zero.
    """
    width, columns, n_filters = theta.shape[0], theta.shape[2] // 2, len(weight)
    joined[:n_filters] = weight
    joined[n_filters:] = 0
    for j in range(width):
        for k in range(theta.shape[1]):
            mine = n_filters + j * heads + k
            theirs = mine + width * heads
            for c in range(columns):
                at = (j * theta.shape[1] + k) * columns + c
                one, other = theta[j, k, c], theta[j, k, columns + c]
                for f in range(weight.shape[1]):
                    joined[mine, f] += one * weight[at, f]
                    joined[theirs, f] += other * weight[at, f]


@compiled
def part(
    joined: Floats,
    heads: int,
    weight: Floats,
    theta: Floats,
    weight_grad: Floats,
    theta_grad: Floats,
) -> None:
    """The gradients of filters and theta, from those of what ``join`` makes of them."""
    width, columns, n_filters = theta.shape[0], theta.shape[2] // 2, len(weight)
    for j in range(width):
        for k in range(theta.shape[1]):
            mine = n_filters + j * heads + k
            theirs = mine + width * heads
            for c in range(columns):
                at = (j * theta.shape[1] + k) * columns + c
                one, other = theta[j, k, c], theta[j, k, columns + c]
                along, across = theta.dtype.type(0), theta.dtype.type(0)
                for f in range(weight.shape[1]):
                    along += joined[mine, f] * weight[at, f]
                    across += joined[theirs, f] * weight[at, f]
                    through = one * joined[mine, f] + other * joined[theirs, f]
                    weight_grad[at, f] = joined[at, f] + through
                theta_grad[j, k, c], theta_grad[j, k, columns + c] = along, across


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
    heads, blocks, n_given = U(logits.shape[1]), U(width), U(rows.shape[1])
    lowest = rows.dtype.type(-np.inf)
    for v in range(U(len(own))):
        for j in range(blocks):
            first, last = U(indptr[v * blocks + j]), U(indptr[v * blocks + j + ONE])
            for k in range(ZERO, heads, FOUR):
                at = U(n_filters) + j * heads + k
                mine, at = quad(rows, U(own[v]) * n_given + at), at + blocks * heads
                most = lowest + mine
                for e in range(first, last):
                    z = mine + quad(rows, U(indices[e]) * n_given + at)
                    z = chosen(z, z, slope * z)
                    most = chosen(z - most, z, most)
                    put_span(logits, e * heads + k, z)
                for e in range(first, last):
                    place = e * heads + k
                    put_span(logits, place, quad(logits, place) - most)


@compiled
def make_shares(attention: Floats, indptr: NDArray[np.int64], counts: Floats) -> None:
    """Divide exponentials, as often as they count, by their sum over a block, in place."""
    heads, one = U(attention.shape[1]), counts.dtype.type(1)
    for i in range(U(len(indptr) - 1)):
        first, last = U(indptr[i]), U(indptr[i + ONE])
        if first == last:
            continue
        for k in range(ZERO, heads, FOUR):
            whole = counts[first] * quad(attention, first * heads + k)
            for e in range(first + ONE, last):
                whole = whole + counts[e] * quad(attention, e * heads + k)
            part_of_whole = one / whole
            for e in range(first, last):
                place = e * heads + k
                put_span(attention, place, counts[e] * quad(attention, place) * part_of_whole)


@compiled
def attend(
    rows: Floats,
    bias: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    width: int,
    n_heads: int,
    columns: int,
    attention: Floats,
    out: Floats,
) -> None:
    """Sum up the members of every block by attention, head after head, ``columns`` wide.

    Where the result has no room for all heads, it is their mean.
    """
    blocks, heads, across = U(width), U(n_heads), U(columns)
    n_given, n_columns = U(rows.shape[1]), U(len(bias))
    block = n_columns // blocks
    apart = heads if block > across else ONE  # the heads that stand side by side
    together = heads // apart
    scale = rows.dtype.type(1) / rows.dtype.type(together)
    long, brief = across // LONG * LONG, across // BRIEF * BRIEF
    for v in range(U(len(out))):
        for j in range(blocks):
            first, last = U(indptr[v * blocks + j]), U(indptr[v * blocks + j + ONE])
            if first == last:
                for c in range(j * block, (j + ONE) * block):
                    out[v, c] = 0
                continue
            for g in range(apart):
                here, there = j * block + g * across, (j * heads + g) * across
                for c in range(ZERO, long, LONG):
                    many = span(bias, here + c)
                    for k in range(together):
                        at = there + k * across + c
                        for e in range(first, last):
                            share = scale * attention[e, g + k]
                            many = many + share * span(rows, U(indices[e]) * n_given + at)
                    put_span(out, v * n_columns + here + c, many)
                for c in range(long, brief, BRIEF):
                    some = short_span(bias, here + c)
                    for k in range(together):
                        at = there + k * across + c
                        for e in range(first, last):
                            share = scale * attention[e, g + k]
                            some = some + share * short_span(rows, U(indices[e]) * n_given + at)
                    put_span(out, v * n_columns + here + c, some)
                for c in range(brief, across):
                    one = bias[here + c]
                    for k in range(together):
                        at = there + k * across + c
                        for e in range(first, last):
                            one += scale * attention[e, g + k] * rows[U(indices[e]), at]
                    out[v, here + c] = one


@compiled
def attend_backward(
    grad: Floats,
    rows: Floats,
    attention: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    own: NDArray[np.int32],
    width: int,
    n_heads: int,
    columns: int,
    slope: float,
    inner: Floats,
    rows_grad: Floats,
    bias_grad: Floats,
) -> None:
    """Hand the gradient of every block to its members, by their attention and through softmax.

    ``inner`` has room for the gradients of all attention in the longest block, zeros at first.
    """
    blocks, heads, across = U(width), U(n_heads), U(columns)
    n_given, n_columns, quads = U(rows.shape[1]), U(grad.shape[1]), U(attention.shape[1])
    block, n_filters = n_columns // blocks, blocks * heads * across
    together = ONE if block > across else heads
    scale = rows.dtype.type(1) / rows.dtype.type(together)
    long, brief = across // LONG * LONG, across // BRIEF * BRIEF
    mean = np.zeros(attention.shape[1], dtype=rows.dtype)
    for v in range(U(len(own))):
        for j in range(blocks):
            first, last = U(indptr[v * blocks + j]), U(indptr[v * blocks + j + ONE])
            if first == last:
                continue
            for c in range(j * block, (j + ONE) * block):
                bias_grad[c] += grad[v, c]
            for k in range(heads):
                here = j * block + (k * across if together == ONE else ZERO)
                there = (j * heads + k) * across
                for e in range(first, last):
                    inner[e - first, k] = 0
                for c in range(ZERO, long, LONG):
                    many = scale * span(grad, v * n_columns + here + c)
                    for e in range(first, last):
                        at = U(indices[e]) * n_given + there + c
                        inner[e - first, k] += total(span(rows, at) * many)
                        put_span(rows_grad, at, span(rows_grad, at) + attention[e, k] * many)
                for c in range(long, brief, BRIEF):
                    some = scale * short_span(grad, v * n_columns + here + c)
                    for e in range(first, last):
                        at = U(indices[e]) * n_given + there + c
                        inner[e - first, k] += total(short_span(rows, at) * some)
                        put_span(rows_grad, at, short_span(rows_grad, at) + attention[e, k] * some)
                for c in range(brief, across):
                    one = scale * grad[v, here + c]
                    for e in range(first, last):
                        inner[e - first, k] += rows[U(indices[e]), there + c] * one
                        rows_grad[U(indices[e]), there + c] += attention[e, k] * one
                mean[k] = 0
                for e in range(first, last):
                    mean[k] += attention[e, k] * inner[e - first, k]
            for k in range(ZERO, quads, FOUR):
                at = n_filters + j * quads + k
                node, at = U(own[v]) * n_given + at, at + blocks * quads
                mine, average_of_four = quad(rows, node), quad(mean, k)
                mine_grad = quad(rows_grad, node)
                for e in range(first, last):
                    place = U(indices[e]) * n_given + at
                    beside = quad(inner, (e - first) * quads + k) - average_of_four
                    z, z_grad = mine + quad(rows, place), quad(attention, e * quads + k) * beside
                    z_grad = chosen(z, z_grad, slope * z_grad)
                    mine_grad = mine_grad + z_grad
                    put_span(rows_grad, place, quad(rows_grad, place) + z_grad)
                put_span(rows_grad, node, mine_grad)
