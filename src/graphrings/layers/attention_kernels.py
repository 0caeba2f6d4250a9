"""The inner loops of attention, forward and backward."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.layers.kernels import Floats


@compiled
def score(rows: Floats, theta: Floats, scores: Floats) -> None:
    """scores[0, v] = the part of theta's score that v has for itself, scores[1, v] as a member."""
    heads, columns = theta.shape[1], theta.shape[2] // 2
    for v in range(len(rows)):
        for i in range(scores.shape[2]):
            mine, theirs = scores.dtype.type(0), scores.dtype.type(0)
            for c in range(columns):
                value = rows[v, i * columns + c]
                mine += theta[i // heads, i % heads, c] * value
                theirs += theta[i // heads, i % heads, columns + c] * value
            scores[0, v, i], scores[1, v, i] = mine, theirs


@compiled
def score_backward(
    rows: Floats, theta: Floats, grad: Floats, rows_grad: Floats, theta_grad: Floats
) -> None:
    """Add the gradients of the scores to those of rows and theta."""
    heads, columns = theta.shape[1], theta.shape[2] // 2
    for v in range(len(rows)):
        for i in range(grad.shape[2]):
            j, k = i // heads, i % heads
            mine, theirs = grad[0, v, i], grad[1, v, i]
            for c in range(columns):
                value = rows[v, i * columns + c]
                rows_grad[v, i * columns + c] += (
                    mine * theta[j, k, c] + theirs * theta[j, k, columns + c]
                )
                theta_grad[j, k, c] += mine * value
                theta_grad[j, k, columns + c] += theirs * value


@compiled
def attend(
    rows: Floats,
    scores: Floats,
    bias: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    own: NDArray[np.int32],
    width: int,
    counts: Floats,
    slope: float,
    shares: Floats,
    out: Floats,
) -> None:
    """Softmax over the members of every block, for every head, and the sums by its shares.

    The largest score is taken off first, so that no exponential is too large.
    """
    heads = shares.shape[1]
    columns = rows.shape[1] // (width * heads)
    block = len(bias) // width  # heads * columns, or columns where the heads are averaged
    step = columns if block > columns else 0
    scale = heads if step == 0 else 1
    most, total = np.empty(heads, dtype=rows.dtype), np.empty(heads, dtype=rows.dtype)
    for v in range(len(own)):
        for j in range(width):
            first, last = indptr[v * width + j], indptr[v * width + j + 1]
            for c in range(block):
                out[v, j * block + c] = bias[j * block + c] if last > first else 0
            most[:], total[:] = -np.inf, 0
            for e in range(first, last):
                for k in range(heads):
                    z = scores[0, own[v], j * heads + k] + scores[1, indices[e], j * heads + k]
                    z = z if z > 0 else z * slope
                    shares[e, k] = z
                    most[k] = max(most[k], z)
            for e in range(first, last):
                for k in range(heads):
                    shares[e, k] = counts[e] * np.exp(shares[e, k] - most[k])
                    total[k] += shares[e, k]
            for e in range(first, last):
                u = indices[e]
                for k in range(heads):
                    shares[e, k] /= total[k]
                    share = shares[e, k] / rows.dtype.type(scale)
                    here, there = j * block + k * step, (j * heads + k) * columns
                    for c in range(columns):
                        out[v, here + c] += share * rows[u, there + c]


@compiled
def attend_backward(
    grad: Floats,
    rows: Floats,
    scores: Floats,
    shares: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    own: NDArray[np.int32],
    width: int,
    slope: float,
    rows_grad: Floats,
    scores_grad: Floats,
    bias_grad: Floats,
) -> None:
    """Hand the gradient of every block to its members, by their shares and through the softmax."""
    heads = shares.shape[1]
    columns = rows.shape[1] // (width * heads)
    block = grad.shape[1] // width
    step = columns if block > columns else 0
    scale = rows.dtype.type(heads if step == 0 else 1)
    longest = 0
    for row in range(len(indptr) - 1):
        longest = max(longest, indptr[row + 1] - indptr[row])
    inner = np.empty((longest, heads), dtype=rows.dtype)  # the gradient of every share
    mean = np.empty(heads, dtype=rows.dtype)
    for v in range(len(own)):
        for j in range(width):
            first, last = indptr[v * width + j], indptr[v * width + j + 1]
            if first == last:
                continue
            for c in range(block):
                bias_grad[j * block + c] += grad[v, j * block + c]
            mean[:] = 0
            for e in range(first, last):
                u = indices[e]
                for k in range(heads):
                    here, there = j * block + k * step, (j * heads + k) * columns
                    share, product = shares[e, k] / scale, rows.dtype.type(0)
                    for c in range(columns):
                        rows_grad[u, there + c] += share * grad[v, here + c]
                        product += rows[u, there + c] * grad[v, here + c]
                    inner[e - first, k] = product / scale
                    mean[k] += shares[e, k] * inner[e - first, k]
            for e in range(first, last):
                u = indices[e]
                for k in range(heads):
                    i = j * heads + k
                    z_grad = shares[e, k] * (inner[e - first, k] - mean[k])
                    if scores[0, own[v], i] + scores[1, u, i] <= 0:
                        z_grad *= slope
                    scores_grad[0, own[v], i] += z_grad
                    scores_grad[1, u, i] += z_grad
