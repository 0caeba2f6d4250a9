import numpy as np
import pytest
from torch.autograd import gradcheck

import graphrings as gr
from dense import random_rows
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.ring_filter import WITHIN, ring_filter
from graphrings.hardware import SPAN
from graphrings.layers import GCNConv, RingConv
from graphrings.layers.activations import ACTIVATIONS
from lanes import assert_lanes_agree

PATH = gr.from_edges([[(0, 1), (1, 2), (2, 3)], []], n_nodes=[4, 1])  # and a node alone


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("channels", [2, SPAN, 2 * SPAN + 1])
def test_it_is_the_plain_convolution(activation: str, bias: bool, channels: int) -> None:
    """Columns are taken a span at a time, and those that are left over one by one."""
    conv, h = RingConv(3, channels, 2, bias).double(), random_rows(5, 3).requires_grad_()
    rings = gr.rings(PATH, 2)
    assert_lanes_agree(lambda: conv(h, rings, activation), [h, *conv.parameters()])


@pytest.mark.parametrize("radius", [None, 2])
def test_the_bias_comes_after_sums_of_any_weight(radius: int | None) -> None:
    """The weights of Eq. (6) do not add up to one."""
    conv, h = GCNConv(3, 2, radius=radius).double(), random_rows(5, 3).requires_grad_()
    rings = gr.rings(PATH, 1 if radius is None else radius)
    assert_lanes_agree(lambda: conv(h, rings), [h, *conv.parameters()])


@pytest.mark.parametrize("activation", WITHIN)
def test_its_gradients_are_those_of_differences(activation: str) -> None:
    members, weights = np.array([0, 1, 1, 2], dtype=np.int32), np.array([0.5, 2, -1, 3])
    near = WeightedRows(2, np.array([0, 2, 2, 3, 4]), members, weights)
    given = random_rows(3, 2), random_rows(4, 2, seed=1), random_rows(4, 1, seed=2)[:, 0]
    for part in given:
        part.requires_grad_()
    assert gradcheck(lambda h, w, b: ring_filter(h, w, b, near, activation), given)
