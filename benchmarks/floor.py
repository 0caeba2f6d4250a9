"""The floor: the CPU time of a training batch's dense products and of nothing else.

The products of one batch (forward and backward) follow from the widths of the layers and the rows
of the batch. Only they are made, of random numbers, into memory that is there already, each by the
quicker of two libraries: that of torch and that of numpy. No way to train with the same rows can be
faster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import torch

from benchmarks.turns import milliseconds
from graphrings.networks.batches import Batch
from graphrings.networks.dgcnn import DGCNN


class Product(NamedTuple):
    """(rows, inner) times (inner, columns); a side that is turned lies in memory the other way."""

    rows: int
    inner: int
    columns: int
    left_turned: bool = False
    right_turned: bool = False


def products_of(network: DGCNN, batch: Batch) -> list[Product]:
    """The dense products of one training batch."""
    head, filters = network.head, [conv.filters for conv in network.convs]
    n_read, last = head.rows.filters.out_features, filters[-1].out_features
    lengths = [len(batch.features), *(block.n_rows for block in batch.rows)]
    products: list[Product] = []
    for level, part in enumerate(filters):  # each with the readout of the layer before
        columns = part.out_features + (n_read if level else 0)
        sizes = lengths[level], part.in_features, columns
        products += linear_products(*sizes, input_grad=level > 0)
    products += linear_products(lengths[-1], last, n_read)
    n_graphs, n_windows = len(batch.graph_ptr) - 1, head.sort.k // 2 - head.conv.size + 1
    conv = head.conv.filters
    products += linear_products(n_graphs * n_windows, conv.in_features, conv.out_features)
    for part in (head.dense, head.out):
        products += linear_products(n_graphs, part.in_features, part.out_features)
    return products


def linear_products(
    n_rows: int, n_in: int, n_out: int, *, input_grad: bool = True
) -> Iterator[Product]:
    """Those of a linear map: its results, the gradient of its weights, that of its input."""
    yield Product(n_rows, n_in, n_out, right_turned=True)
    yield Product(n_out, n_rows, n_in, left_turned=True)
    if input_grad:
        yield Product(n_rows, n_out, n_in)


def n_multiplications(products: list[Product]) -> int:
    """What all of them together multiply."""
    return sum(product.rows * product.inner * product.columns for product in products)


def products_alone(products: list[Product]) -> Callable[[], None]:
    """A function that makes such products of random numbers, each by the quicker library."""
    made = [quicker(product) for product in products]

    def run() -> None:
        for multiply in made:
            multiply()

    return run


def quicker(product: Product) -> Callable[[], object]:
    """One product by torch or by numpy, whoever takes less time."""
    left = random_side(product.rows, product.inner, product.left_turned)
    right = random_side(product.inner, product.columns, product.right_turned)
    out = torch.empty(product.rows, product.columns)
    arrays = left.numpy(), right.numpy(), out.numpy()
    ways = {
        "torch": lambda: torch.mm(left, right, out=out),
        "numpy": lambda: np.dot(arrays[0], arrays[1], out=arrays[2]),
    }
    times = milliseconds(ways)
    return ways[min(times, key=lambda name: times[name])]


def random_side(rows: int, columns: int, turned: bool) -> torch.Tensor:
    """Random numbers that lie in memory as told."""
    return torch.randn(columns, rows).t() if turned else torch.randn(rows, columns)
