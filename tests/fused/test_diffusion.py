import pytest
from torch import Tensor

import graphrings as gr
from dense import random_rows
from graphrings.fused.activations import WRITTEN_OUT
from graphrings.fused.diffusion import diffusion
from graphrings.fused.lane import takes_fused_lane
from graphrings.layers import DiffusionConv
from graphrings.layers.activations import ACTIVATIONS
from graphrings.networks.dcnn import Diffusion
from lanes import assert_lanes_agree
from networks.sharing import batch_of


@pytest.mark.parametrize("activation", WRITTEN_OUT)
@pytest.mark.parametrize("width", [3, 41])
def test_it_is_the_plain_convolution(activation: str, width: int) -> None:
    """A path and two nodes without an edge, whose later hops are empty."""
    graphs = gr.from_edges([[(0, 1), (1, 2)], []], n_nodes=[3, 2])
    near = batch_of(Diffusion(2), graphs, "degree").rows[0]
    conv, h = DiffusionConv(width, 2).double(), random_rows(3, width).requires_grad_()
    conv.weight.data = random_rows(1, 3 * width, seed=1)[0]

    def rows() -> Tensor:
        if takes_fused_lane(h):
            return diffusion(h, conv.weight, near, activation)
        return ACTIVATIONS[activation](conv(h, near))

    assert_lanes_agree(rows, [h, conv.weight])
