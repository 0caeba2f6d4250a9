"""The fixed point of means over neighbours and the gradient through it, as one step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from graphrings.compiled import compiled
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.errors import LayerError
from graphrings.fused.arrays import Floats, array_of, weighted_arrays
from graphrings.fused.feature_rows import FeatureRows
from graphrings.fused.rational_tanh import tanh_of_span
from graphrings.fused.spectral_norm import steepest
from graphrings.fused.workspace import Workspace
from graphrings.hardware import SPAN, put_span, span
from graphrings.loops import ONE, ZERO, U

LONG = U(SPAN)


class Settling(NamedTuple):
    """How steep a step may be, and when the steps end."""

    mu: float
    tolerance: float
    max_steps: int


class Maps(NamedTuple):
    """The matrices U, A, B and V of ``GNNConv``, and its biases; or the gradients of these."""

    state: Floats
    own: Floats
    own_bias: Floats
    other: Floats
    out: Floats
    out_bias: Floats

    def in_spans(self) -> Maps:
        """The same with a whole number of spans of hidden units: more of them do nothing."""
        more = -len(self.own_bias) % SPAN
        if more == 0:
            return self
        state, own, bias, other, turned = (
            np.concatenate([part, np.zeros((more, *part.shape[1:]), part.dtype)])
            for part in (self.state, self.own, self.own_bias, self.other, self.out.T)
        )
        return Maps(state, own, bias, other, turned.T, self.out_bias)


def settled_means(
    x: Tensor,
    near: WeightedRows,
    start: Tensor | None,
    settling: Settling,
    parameters: tuple[Tensor, ...],
) -> Tensor:
    """What ``GNNConv`` computes; ``parameters`` are those of ``Maps``."""
    given = near, start, settling, torch.is_grad_enabled()
    state: Tensor = SettledMeans.apply(x, *given, *parameters)
    return state


class SettledMeans(torch.autograd.Function):
    """``SettledPass`` for autograd."""

    @staticmethod
    def forward(
        ctx: Any,
        x: Tensor,
        near: WeightedRows,
        start: Tensor | None,
        settling: Settling,
        goes_back: bool,
        *parameters: Tensor,
    ) -> Tensor:
        """Settle, and take one more step if there is a way back."""
        maps = Maps(*map(array_of, parameters))
        ctx.means = SettledPass(maps, settling, Workspace(maps.state.dtype))
        begin = None if start is None else array_of(start)
        rows = FeatureRows.of(array_of(x), near.own, ctx.means.space)
        return torch.from_numpy(ctx.means.forward(rows, near, begin, goes_back))

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """Settle as the state did."""
        made = Maps(*map(np.empty_like, ctx.means.maps))
        x = ctx.means.backward(array_of(grads[0]), made, ctx.needs_input_grad[0])
        rows = None if x is None else torch.from_numpy(x)
        return rows, None, None, None, None, *map(torch.from_numpy, made)


class SettledPass:
    r"""One pass forwards to the fixed point, and one backwards through it.

    A state is :math:`H = M V^\top + c` with the means M of the hidden layer, and a gradient
    :math:`G = S U + \partial L / \partial H` with the sums S of what pairs hand to their
    neighbours. So both settle as M and S, where a step has one dense product, by V U or its
    transpose; whether H or G has moved, a single row tells until it has not.

    What the way back needs is kept in the workspace, until the next pass.
    """

    def __init__(self, maps: Maps, settling: Settling, space: Workspace) -> None:
        self.maps, self._settling, self.space = maps, settling, space

    @np.errstate(all="ignore")  # numbers overflow without a word, as everywhere in torch
    def forward(
        self, x: FeatureRows, near: WeightedRows, start: Floats | None, goes_back: bool
    ) -> Floats:
        """The state; with one more step from it, which brings the gradients, if one ``goes_back``.

        Rows and members of ``near`` are the same nodes, in any order; ``x`` are those of the rows.
        """
        self._wide = maps = self.maps.in_spans()
        n, space = near.n_rows, self.space
        self._pairs, self._x = pairs_of(near, maps.state.dtype), x
        self._steep = steepest(self.maps.state), steepest(self.maps.out)
        self._scale = self._settling.mu / np.maximum(self._steepness, self._settling.mu)
        self._u = u = maps.state * maps.state.dtype.type(self._scale)
        both = np.dot(maps.out.T, u.T)
        total, shape = self._pairs.total, (n, len(u))
        self._given = x.mapped(maps.own, space.array("own", *shape))
        self._given += maps.own_bias
        first = x.mapped(maps.other, space.array("other", *shape))
        base = space.array("base", *shape)
        base[:] = first
        add_scaled(total, np.dot(u, maps.out_bias), base)
        if start is not None:
            first += np.dot(start, u.T)

        def first_move(moved: Floats) -> None:
            add_scaled(total, maps.out_bias, moved)
            if start is not None:
                moved -= start

        kept = space.array("inner", 0, len(u))
        means = self._settled(
            (first, first_move),
            (both, base, maps.out.T),
            lambda rows, out: self._step(rows, kept, out),
            self._settling.tolerance,
        )
        self._h = np.dot(means, maps.out.T, out=space.array("state", n, len(maps.out)))
        add_scaled(total, maps.out_bias, self._h)
        if not goes_back:
            return self._h
        rows = np.dot(means, both, out=space.array("rows", *shape))
        rows += base
        self._slope = space.array("inner", len(self._pairs.node), len(u))
        self._last, self._slopes = (space.array(name, *shape) for name in ("last", "slopes"))
        self._step(rows, self._slope, self._last)
        pairs = self._pairs
        to_slopes(pairs.bounds, pairs.weights, pairs.place, self._slope, self._slopes)
        out = np.dot(self._last, maps.out.T, out=space.array("out", n, len(maps.out)))
        add_scaled(total, maps.out_bias, out)
        return out

    @property
    def _steepness(self) -> float:
        return self._steep[0].norm * self._steep[1].norm

    @np.errstate(all="ignore")
    def backward(self, grad: Floats, made: Maps, of_input: bool = False) -> Floats | None:
        """Write the gradients of all maps, given that of the state; return that of ``x``.

        The tolerance is relative here, as losses have any scale.
        """
        maps, u, space, n = self._wide, self._u, self.space, len(grad)
        both = np.dot(u, maps.out)
        base = np.dot(grad, maps.out, out=space.array("grad base", n, len(u)))
        tolerance = self._settling.tolerance * float(np.abs(grad).max(initial=0))
        first, rest = (base, lambda _: None), (both, base, u)
        sums = self._settled(first, rest, self._step_back, tolerance)
        whole = np.dot(sums, u, out=space.array("whole", *grad.shape))
        whole += grad
        rows = np.dot(sums, both, out=space.array("rows", n, len(u)))
        rows += base
        handed = space.array("handed", n, len(u))
        self._step_back(rows, handed)
        own = np.multiply(rows, self._slopes, out=rows)
        parts = made
        if maps is not self.maps:
            parts = Maps(*(np.empty(part.shape, part.dtype) for part in maps))
        np.dot(whole.T, self._last, out=parts.out)
        np.dot(self._pairs.total, whole, out=parts.out_bias)
        parts.own[:] = self._x.gradient(own)
        np.sum(own, axis=0, out=parts.own_bias)
        parts.other[:] = self._x.gradient(handed)
        np.dot(handed.T, self._h, out=parts.state)
        if parts is not made:
            for part, wide in zip(made, parts, strict=True):
                part[:] = wide[tuple(map(slice, part.shape))]
        self._through_scale(made)
        if not of_input:
            return None
        return self._x.handed(np.dot(own, maps.own) + np.dot(handed, maps.other))

    def _through_scale(self, made: Maps) -> None:
        """From the gradient of the scaled U to those of U and V, whose norms are in its scale."""
        along = float(np.vdot(made.state, self.maps.state)) * self._scale
        made.state[:] *= self._scale
        if self._steepness < self._settling.mu:
            return
        for steep, own in zip(self._steep, (made.state, made.out), strict=True):
            own -= (along / steep.norm * steep.gradient).astype(own.dtype)

    def _step(self, rows: Floats, inner: Floats, out: Floats) -> None:
        pairs = self._pairs
        seen = rows, self._given, pairs.bounds, pairs.neighbour, pairs.weights, pairs.place
        add_means(*seen, inner, out)

    def _step_back(self, rows: Floats, out: Floats) -> None:
        add_handed(rows, self._slope, self._pairs.back, self._pairs.node, out)

    def _settled(
        self,
        first: tuple[Floats, Callable[[Floats], None]],
        rest: tuple[Floats, Floats, Floats],
        step: Callable[[Floats, Floats], None],
        tolerance: float,
    ) -> Floats:
        """Repeat a step until no number of what is read moves by more than the tolerance.

        The first step starts from rows, and something is added to its move; the others start from
        a product with a matrix, and what is added to it. The third of ``rest`` reads.
        """
        (rows, add_first), (both, base, reading) = first, rest
        n, space = len(rows), self.space
        after, before = (space.array(f"means {place}", n, len(both)) for place in (0, 1))
        moved = space.array("moved", n, reading.shape[1])
        reading = np.ascontiguousarray(reading)
        row_move = space.array("row move", reading.shape[1])
        witness = -1
        if n:
            step(rows, after)
            np.dot(after, reading, out=moved)
            add_first(moved)
            witness = farthest(moved, tolerance)
        rows = space.array("rows", n, len(both))
        for _ in range(1, self._settling.max_steps):
            if witness < 0:
                break
            np.dot(after, both, out=rows)
            rows += base
            after, before = before, after
            step(rows, after)
            if row_moves(after, before, witness, reading, tolerance, row_move):
                continue
            np.subtract(after, before, out=rows)
            np.dot(rows, reading, out=moved)
            witness = farthest(moved, tolerance)
        return after


class Pairs(NamedTuple):
    """The pairs of a node and a neighbour, in the order of the nodes.

    Node v has those from ``bounds[v]`` to ``bounds[v + 1]``, and pair e the neighbour and weight of
    that number. By their neighbours, pairs are in another order, where e is at ``place[e]``: those
    of u lie between ``back[u]`` and ``back[u + 1]``, and ``node`` has their nodes. The weights of a
    node have a ``total``.
    """

    bounds: NDArray[np.int64]
    neighbour: NDArray[np.int32]
    back: NDArray[np.int64]
    weights: Floats
    place: NDArray[np.int64]
    node: NDArray[np.int32]
    total: Floats


def pairs_of(near: WeightedRows, number: np.dtype[Any]) -> Pairs:
    """Those of ring 1; a neighbour has the number of its own rings, not that of its row."""
    names = np.full(max(near.n_rows, near.n_members), -1, dtype=np.int32)
    names[near.own] = np.arange(near.n_rows, dtype=np.int32)
    indptr, indices, weights, _ = weighted_arrays(near, number)
    pairs = Pairs(*pair_up(indptr, indices, weights, names))
    if np.any(pairs.neighbour < 0):
        raise LayerError(f"{near!r} lead to nodes that have no row among them")
    return pairs


@compiled
def pair_up(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    weights: Floats,
    names: NDArray[np.int32],
) -> Any:
    """The parts of ``Pairs``; a neighbour without a row has a number below 0."""
    n = len(indptr) // 2
    bounds, back = np.zeros(n + 1, dtype=np.int64), np.zeros(n + 1, dtype=np.int64)
    for v in range(n):
        bounds[v + 1] = bounds[v] + indptr[2 * v + 2] - indptr[2 * v + 1]
    n_pairs = bounds[n]
    neighbour, chosen = np.empty(n_pairs, dtype=np.int32), np.empty(n_pairs, dtype=weights.dtype)
    place, node = np.empty(n_pairs, dtype=np.int64), np.empty(n_pairs, dtype=np.int32)
    total = np.zeros(n, dtype=weights.dtype)
    for v in range(n):
        for e in range(bounds[v], bounds[v + 1]):
            there = indptr[2 * v + 1] + e - bounds[v]
            u = names[indices[there]]
            neighbour[e], chosen[e] = u, weights[there]
            total[v] += weights[there]
            back[max(u, 0) + 1] += 1
    for u in range(n):
        back[u + 1] += back[u]
    next_place = back.copy()
    for v in range(n):
        for e in range(bounds[v], bounds[v + 1]):
            u = max(neighbour[e], 0)
            place[e], node[next_place[u]] = next_place[u], v
            next_place[u] += 1
    return bounds, neighbour, back, chosen, place, node, total


@compiled
def add_scaled(factors: Floats, row: Floats, out: Floats) -> None:
    """Add a row to every row, as often as its factor says."""
    for v in range(out.shape[0]):
        for c in range(out.shape[1]):
            out[v, c] += factors[v] * row[c]


@compiled
def add_means(
    rows: Floats,
    given: Floats,
    bounds: NDArray[np.int64],
    neighbours: NDArray[np.int32],
    weights: Floats,
    place: NDArray[np.int64],
    inner: Floats,
    out: Floats,
) -> None:
    """Row v of ``out`` is the weighted sum of ``tanh(rows[u] + given[v])`` over its neighbours u.

    ``inner`` has either no rows, or one for the tanh of every pair, at its place.
    """
    columns, one, keeps = U(out.shape[1]), out.dtype.type(1), len(inner) > 0
    spare = np.zeros(SPAN, dtype=out.dtype)
    nothing = span(spare, ZERO)
    for v in range(U(len(out))):
        first, last = U(bounds[v]), U(bounds[v + ONE])
        for c in range(ZERO, columns, LONG):
            own, total = span(given, v * columns + c), nothing
            for e in range(first, last):
                seen = span(rows, U(neighbours[e]) * columns + c) + own
                seen = tanh_of_span(seen, one, spare)
                total = total + weights[e] * seen
                if keeps:
                    put_span(inner, U(place[e]) * columns + c, seen)
            put_span(out, v * columns + c, total)


@compiled
def to_slopes(
    bounds: NDArray[np.int64],
    weights: Floats,
    place: NDArray[np.int64],
    inner: Floats,
    slopes: Floats,
) -> None:
    """From the tanh of every pair to what it hands on, its weight included; add up by nodes."""
    columns = U(slopes.shape[1])
    nothing = span(np.zeros(SPAN, dtype=slopes.dtype), ZERO)
    for v in range(U(len(slopes))):
        first, last = U(bounds[v]), U(bounds[v + ONE])
        for c in range(ZERO, columns, LONG):
            total = nothing
            for e in range(first, last):
                here = U(place[e]) * columns + c
                seen = span(inner, here)
                slope = weights[e] * (inner.dtype.type(1) - seen * seen)
                total = total + slope
                put_span(inner, here, slope)
            put_span(slopes, v * columns + c, total)


@compiled
def add_handed(
    rows: Floats,
    slope: Floats,
    back: NDArray[np.int64],
    nodes: NDArray[np.int32],
    out: Floats,
) -> None:
    """Row u of ``out`` is the sum of ``rows[v] * slope`` over all pairs of a v with u."""
    columns = U(out.shape[1])
    nothing = span(np.zeros(SPAN, dtype=out.dtype), ZERO)
    for u in range(U(len(out))):
        first, last = U(back[u]), U(back[u + ONE])
        for c in range(ZERO, columns, LONG):
            total = nothing
            for e in range(first, last):
                handed = span(rows, U(nodes[e]) * columns + c)
                total = total + handed * span(slope, e * columns + c)
            put_span(out, u * columns + c, total)


def farthest(moved: Floats, tolerance: float) -> int:
    """The row with the largest move, or -1 if no number moved by more than the tolerance.

    What is no number has moved farthest.
    """
    moves = np.abs(moved, out=moved)
    place = int(moves.argmax())
    return -1 if moves.flat[place] <= tolerance else place // moves.shape[1]


@compiled
def row_moves(
    after: Floats, before: Floats, row: int, reading: Floats, tolerance: float, moved: Floats
) -> bool:
    """Whether any number of one row, as it is read, moved by more than the tolerance."""
    moved[:] = 0
    for k in range(after.shape[1]):
        move = after[row, k] - before[row, k]
        for c in range(len(moved)):
            moved[c] += move * reading[k, c]
    moves = False
    for c in range(len(moved)):
        moves |= not abs(moved[c]) <= tolerance
    return moves
