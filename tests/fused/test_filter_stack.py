import pytest
import torch
from torch import Tensor
from torch.autograd import gradcheck
from torch.testing import assert_close

import graphrings as gr
from dense import random_rows
from graphrings.fused.filter_stack import filter_stack
from graphrings.fused.lane import lane
from graphrings.fused.ring_filter import WITHIN
from graphrings.layers import RingConv

PATH = gr.from_edges([[(0, 1), (1, 2), (2, 3)], []], n_nodes=[4, 1])  # and a node alone
NEAR = [gr.rings(PATH, 1)] * 2


@pytest.mark.parametrize("activation", WITHIN)
@pytest.mark.parametrize("bias", [True, False])
def test_it_is_one_plain_convolution_after_the_other(activation: str, bias: bool) -> None:
    torch.manual_seed(0)
    convs = [RingConv(3, 2, 1, bias).double(), RingConv(4, 1, 1, bias).double()]
    h = random_rows(5, 3).requires_grad_()
    layers = filter_stack(h, NEAR, [conv.block_filters() for conv in convs], activation)
    with lane(fused=False):
        first = convs[0](h, NEAR[0], activation)
        expected = [first, convs[1](first, NEAR[1], activation)]
    assert_close(layers, expected)
    sources = [h, *(p for conv in convs for p in conv.parameters())]
    ours, theirs = (gradients(rows, sources) for rows in (layers, expected))
    assert_close(ours, theirs)


def gradients(layers: list[Tensor], sources: list[Tensor]) -> tuple[Tensor, ...]:
    """Of a weighing of all layers."""
    rows = torch.cat(layers, dim=1)
    return torch.autograd.grad(rows, sources, random_rows(*rows.shape, 1))


def test_its_gradients_are_those_of_differences() -> None:
    given = random_rows(5, 2), random_rows(4, 2, 1), random_rows(4, 1, 2)[:, 0], random_rows(2, 4)
    for part in given:
        part.requires_grad_()

    def last_rows(h: Tensor, w: Tensor, b: Tensor, v: Tensor) -> tuple[Tensor, ...]:
        return tuple(filter_stack(h, NEAR, [(w, b), (v, None)], "tanh"))

    assert gradcheck(last_rows, given)
