import pytest
import torch
from torch import Tensor, nn
from torch.autograd import gradcheck
from torch.nn import functional
from torch.testing import assert_close

from dense import random_rows
from graphrings.fused.dense_stack import dense_stack

KEPT = torch.tensor([[0.0, 2.0, 2.0]] * 2 + [[2.0, 0.0, 2.0]] * 3, dtype=torch.float64)


def plain(x: Tensor, layers: list[nn.Linear], kept: Tensor | None) -> Tensor:
    """Map by map."""
    *hidden, last = layers
    for layer in hidden:
        x = functional.relu(layer(x))
    return last(x if kept is None else x * kept)  # type: ignore[no-any-return]


@pytest.mark.parametrize("widths", [(3, 2), (4, 3, 2), (2, 5, 3, 1)])
@pytest.mark.parametrize("kept", [None, KEPT])
@pytest.mark.parametrize("of_input", [True, False])
def test_it_is_one_map_after_the_other(
    widths: tuple[int, ...], kept: Tensor | None, of_input: bool
) -> None:
    torch.manual_seed(0)
    layers = [nn.Linear(*both).double() for both in zip(widths[:-1], widths[1:], strict=True)]
    x = random_rows(5, widths[0]).requires_grad_(of_input)
    parameters = [p for layer in layers for p in (layer.weight, layer.bias)]
    outputs = dense_stack(x, [(layer.weight, layer.bias) for layer in layers], kept)
    expected = plain(x, layers, kept)
    assert_close(outputs, expected)
    sources, weighing = [x, *parameters] if of_input else parameters, random_rows(5, widths[-1], 1)
    ours, theirs = (torch.autograd.grad(y, sources, weighing) for y in (outputs, expected))
    assert_close(ours, theirs)


def test_its_gradients_are_those_of_differences() -> None:
    layers = random_rows(3, 2, 1), random_rows(3, 1, 2)[:, 0], random_rows(2, 3, 3)
    given = [random_rows(5, 2), *layers, random_rows(2, 1, 4)[:, 0]]
    for part in given:
        part.requires_grad_()
    assert gradcheck(lambda x, a, b, c, d: dense_stack(x, [(a, b), (c, d)], KEPT), given)
