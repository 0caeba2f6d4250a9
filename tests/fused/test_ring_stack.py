import numpy as np
import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

import graphrings as gr
from dense import random_rows
from graphrings.distances.levels import levels
from graphrings.fused.lane import lane
from graphrings.fused.ring_stack import ring_stack
from graphrings.layers import RingConv
from graphrings.networks.batches import Batch, Batcher

WIDTHS = (6, 6, 3)  # three rings of two, two and one channels


@pytest.fixture
def batch() -> Batch:
    """A paw, and an edge beside a lonely node; three layers of shared rows."""
    graphs = gr.from_edges(
        [[(0, 1), (1, 2), (0, 2), (2, 3)], [(0, 1)]],
        n_nodes=[4, 3],
        node_labels=[[0, 0, 1, 0], [1, 0, 0]],
    )
    result = levels(graphs.graph_ptr, gr.rings(graphs, 2), graphs.node_labels, depth=3)
    return Batcher(result, np.eye(2, dtype=np.float32))(np.array([1, 0]))


def stack(bias: bool) -> list[RingConv]:
    torch.manual_seed(0)
    shapes = zip((2, *WIDTHS), (2, 2, 1), strict=False)
    return [RingConv(width, channels, 2, bias).double() for width, channels in shapes]


def filters(convs: list[RingConv]) -> list[tuple[Tensor, Tensor]]:
    return [(conv.filters.weight, conv.filters.bias) for conv in convs]


@pytest.mark.parametrize("bias", [False, True])
def test_it_is_one_layer_after_the_other(batch: Batch, bias: bool) -> None:
    convs, readout = stack(bias), random_rows(4, sum(WIDTHS)).requires_grad_()
    h = batch.features.double().requires_grad_()
    result, layers = ring_stack(h, batch.rows, filters(convs), readout)
    expected: list[Tensor] = [h]
    with lane(fused=False):
        for conv, near in zip(convs, batch.rows, strict=True):
            expected.append(conv(expected[-1], near, "tanh"))
    own = torch.split(readout, WIDTHS, 1)
    read = torch.cat([out @ part.T for out, part in zip(expected[1:], own, strict=True)])
    assert_close(layers, [out.detach() for out in expected[1:]])
    assert_close(result, read)
    sources = (h, readout, *(p for conv in convs for p in conv.parameters()))
    weighing = random_rows(*result.shape, seed=1)
    ours, theirs = (torch.autograd.grad(rows, sources, weighing) for rows in (result, read))
    assert_close(ours, theirs)


def test_gradients_are_those_of_differences(batch: Batch) -> None:
    convs, readout = stack(bias=True), random_rows(4, sum(WIDTHS)).requires_grad_()
    h = batch.features.double().requires_grad_()
    sources = (h, readout, *(p for conv in convs for p in conv.parameters()))
    assert torch.autograd.gradcheck(
        lambda h, readout, *_: ring_stack(h, batch.rows, filters(convs), readout)[0],
        sources,
        check_undefined_grad=False,  # there is nothing else to differentiate
    )


def test_one_layer_is_a_stack_too(batch: Batch) -> None:
    conv, readout = RingConv(2, 3, 2), random_rows(4, 9).float()
    result, (layer,) = ring_stack(batch.features, batch.rows[:1], filters([conv]), readout)
    assert_close(layer, conv(batch.features, batch.rows[0], "tanh").detach())
    assert_close(result, layer @ readout.T)
