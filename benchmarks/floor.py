"""The floor: the CPU time of a training batch's dense products and of nothing else.

The products of one batch (forward and backward) are recorded with their shapes and with how their
operands lie in memory, and then only they are made again, by the same library into memory that is
there already. No way to train with the same rows can be faster.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

PRODUCTS = {  # and which of their arguments are multiplied
    torch.ops.aten.mm.default: (0, 1),
    torch.ops.aten.mm.out: (0, 1),
    torch.ops.aten.addmm.default: (1, 2),
}


class Product(NamedTuple):
    """Shapes and strides of both sides."""

    left: tuple[tuple[int, ...], tuple[int, ...]]
    right: tuple[tuple[int, ...], tuple[int, ...]]


class Recorded(TorchDispatchMode):
    """Keeps the products that are made in the meantime."""

    def __init__(self) -> None:
        super().__init__()
        self.products: list[Product] = []

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Note a product, and let everything happen."""
        del types
        if func in PRODUCTS:
            sides = (args[place] for place in PRODUCTS[func])
            self.products.append(Product(*((tuple(m.shape), m.stride()) for m in sides)))
        return func(*args, **(kwargs or {}))


def recorded_products(run: Callable[[], object]) -> list[Product]:
    """The dense products of one training batch."""
    with Recorded() as recorded:
        run()
    return recorded.products


def n_multiplications(products: list[Product]) -> int:
    """What all of them together multiply."""
    return sum(left[0][0] * left[0][1] * right[0][1] for left, right in products)


def products_alone(products: list[Product]) -> Callable[[], None]:
    """A function that makes the same products of random numbers."""
    made = []
    for product in products:
        left, right = (_random(*side) for side in product)
        made.append((left, right, left.new_empty(left.shape[0], right.shape[1])))

    def run() -> None:
        for left, right, out in made:
            torch.mm(left, right, out=out)

    return run


def _random(shape: tuple[int, ...], stride: tuple[int, ...]) -> Tensor:
    """Random numbers that lie in memory as told."""
    return torch.empty_strided(shape, stride).normal_()
