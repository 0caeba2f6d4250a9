import numpy as np
import pytest
import torch
from torch.autograd import gradcheck

import graphrings as gr
from dense import random_rows
from graphrings.distances.weights import summed
from graphrings.fused.attention_stack import attention_stack
from graphrings.hardware import QUAD, SHORT, SPAN
from graphrings.layers import GATConv
from lanes import assert_lanes_agree

PATH = gr.from_edges([[(0, 1), (1, 2), (2, 3)], []], n_nodes=[4, 1])  # and a node alone


def randomised(conv: GATConv) -> GATConv:
    """In double precision, with a bias."""
    for parameter in conv.double().parameters():
        parameter.data = random_rows(1, parameter.numel()).view_as(parameter)
    return conv


@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize("radius", [None, 0, 2])
@pytest.mark.parametrize(("columns", "heads"), [(2, 3), (SPAN + SHORT + 1, QUAD + 1)])
def test_it_is_plain_attention(radius: int | None, average: bool, columns: int, heads: int) -> None:
    """Ring 2 of the inner nodes has one member; the lonely node has two empty rings."""
    conv = randomised(GATConv(3, columns, heads=heads, radius=radius, average=average))
    rings = gr.rings(PATH, conv.radius)
    near = rings.weighted(np.linspace(1, 3, len(rings.indices)))
    h = random_rows(5, 3).requires_grad_()
    assert_lanes_agree(lambda: conv(h, near), [h, *conv.parameters()])


@pytest.mark.parametrize("radius", [None, 2])
def test_gradients_are_those_of_differences(radius: int | None) -> None:
    conv = randomised(GATConv(2, 2, heads=2, radius=radius, average=True))
    near = summed(gr.rings(PATH, conv.radius))
    near = near.joined() if radius is None else near
    given = random_rows(5, 2).requires_grad_(), conv.filters.weight, conv.theta, conv.bias
    assert gradcheck(lambda h, *x: attention_stack(h, [near], x, [conv.slope], "elu")[0], given)


def test_gradients_that_are_handed_out_stay_as_they_are() -> None:
    """To that of the first layer the way back adds that of the second."""
    convs = [randomised(GATConv(2, 2, heads=2)), randomised(GATConv(4, 3, heads=1))]
    near, h = summed(gr.rings(PATH, 1)).joined(), random_rows(5, 2)
    parameters = [parameter for conv in convs for parameter in conv.parameters_in_order()]
    layers = attention_stack(h, [near, near], parameters, [0.2, 0.2], "elu")
    given = [torch.ones_like(layer) for layer in layers]
    torch.autograd.grad(layers, parameters, given)
    assert all(grad.eq(1).all() for grad in given)
