"""Gated steps as one, against one step of torch's GRU after the other."""

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn import functional
from torch.testing import assert_close

import graphrings as gr
from dense import random_rows
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.distances.weights import summed
from graphrings.fused.gated_steps import gated_steps
from graphrings.fused.lane import lane
from graphrings.layers import GGNNConv

PAW = gr.from_edges([[(0, 1), (1, 2), (0, 2), (2, 3)], [(0, 1)]], n_nodes=[5, 2])  # 4 is alone
NEAR = summed(gr.rings(PAW, 1))
# Three rows from the seven, of which one is seen twice and counts three times, and one by nobody.
FEWER = WeightedRows(
    2,
    np.array([0, 1, 3, 4, 4, 5, 6]),
    np.array([6, 1, 2, 0, 3, 1], dtype=np.int32),
    np.array([1.0, 1.0, 3.0, 1.0, 1.0, 2.0]),
)


def conv_of(width: int) -> GGNNConv:
    torch.manual_seed(0)
    conv = GGNNConv(width).double()
    for parameter in conv.parameters():
        torch.nn.init.normal_(parameter)
    return conv


@pytest.mark.parametrize("width", [3, 32, 40])
@pytest.mark.parametrize("n_given", [1, 3])
@pytest.mark.parametrize("of_h", [True, False])
@pytest.mark.parametrize("near", [[NEAR], [NEAR, NEAR, FEWER]], ids=["one step", "three"])
def test_states_and_gradients_are_those_of_the_plain_lane(
    width: int, n_given: int, of_h: bool, near: list[WeightedRows]
) -> None:
    """A first state with all columns, or with the first of them; rows shared and not."""
    conv, x = conv_of(width), random_rows(7, min(n_given, width)).requires_grad_(of_h)
    state = gated_steps(x, near, conv.parameters_in_order())
    expected: Tensor = functional.pad(x, (0, width - x.shape[1]))
    with lane(fused=False):
        for own in near:
            expected = conv(expected, own)
    assert_close(state, expected, rtol=1e-11, atol=1e-11)
    sources = [*conv.parameters(), *([x] if of_h else [])]
    weighing = random_rows(len(state), width, seed=1)
    ours, theirs = (torch.autograd.grad(y, sources, weighing) for y in (state, expected))
    assert_close(ours, theirs, rtol=1e-10, atol=1e-10)


def test_single_precision_is_near_double() -> None:
    conv, x = conv_of(32), random_rows(7, 32)
    with lane(fused=False):
        expected = conv(x, NEAR)
    state = gated_steps(x.float(), [NEAR], conv.float().parameters_in_order())
    assert_close(state, expected.float(), rtol=1e-4, atol=1e-5)
