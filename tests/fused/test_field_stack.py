from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

import graphrings as gr
from graphrings.fused.field_stack import field_stack, in_sequence
from graphrings.hardware import SHORT
from graphrings.networks.patchy_san import PatchySAN
from lanes import assert_lanes_agree
from networks.oracle import randomised
from networks.sharing import batch_of

# A path of more nodes than there are places, a pair, and no edge at all.
GRAPHS = gr.from_edges([[(i, i + 1) for i in range(13)], [(0, 1)], []], n_nodes=[14, 2, 3])


@pytest.mark.parametrize("channels", [(2, 3), (SHORT + 1, SHORT + 1)])
@pytest.mark.parametrize("width", [10, 12])
def test_it_is_one_plain_convolution_after_the_other(channels: tuple[int, int], width: int) -> None:
    """Also for the gradient of the features, with one window and with three."""
    settings = {"field": 4, "conv_channels": channels, "dense": 4, "dropout": 0.0}
    network = randomised(PatchySAN(1, 2, width, **settings), 0).double()
    batch = batch_of(network.view, GRAPHS, "constant")
    assert batch.rows[0].n_rows < len(batch.members)
    features = batch.features.requires_grad_()

    def outputs() -> Tensor:
        result: Tensor = network(replace(batch, features=features))
        return result

    assert_lanes_agree(outputs, [features, *network.parameters()], rtol=1e-9, atol=1e-9)


def test_a_sequence_is_filled_up() -> None:
    bounds, members = np.array([0, 2, 2, 5]), np.array([1, 0, 2, 2, 1], dtype=np.int32)
    assert in_sequence(bounds, members, 3, 7).tolist() == [[1, 0, 7], [7, 7, 7], [2, 2, 1]]


def test_a_gradient_that_is_handed_out_stays_as_it_is() -> None:
    network = randomised(PatchySAN(1, 2, 12, field=4), 0).double()
    batch = batch_of(network.view, GRAPHS, "constant")
    sequence, filters = network.sequence.filters, network.conv.filters.weight
    parameters = [filters, network.conv.bias, sequence.weight, sequence.bias]
    places = in_sequence(batch.graph_ptr, batch.members, 12, batch.rows[0].n_rows)
    x = field_stack(batch.features, batch.rows[0], places, parameters)
    assert (x == 0).any()
    given = torch.ones_like(x)
    torch.autograd.grad(x, parameters, given)
    assert given.eq(1).all()
