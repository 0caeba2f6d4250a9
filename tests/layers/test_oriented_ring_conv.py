import networkx as nx
import numpy as np
import pytest
import torch
from torch import nn
from torch.testing import assert_close

import graphrings as gr
from dense import random_rows
from graphrings.distances.path_rings import path_rings
from graphrings.layers import OrientedRingConv, RingConv
from graphrings.layers.block_linear import start_linear
from graphrings.layers.window_conv import WindowConv


@pytest.mark.parametrize("radius", [0, 1, 2, 3])
@pytest.mark.parametrize("bias", [False, True])
def test_on_a_path_it_is_the_convolution_of_torch(radius: int, bias: bool) -> None:
    """Values and gradients, at the ends of the path too, for paths shorter than the window."""
    ours = OrientedRingConv(3, 4, radius, bias).double()
    theirs = nn.Conv1d(3, 4, 2 * radius + 1, padding=radius, bias=bias).double()
    ours.filters.weight.data = theirs.weight.data.transpose(1, 2).reshape(4, -1).clone()
    if bias:
        ours.filters.bias.data = theirs.bias.data.clone()
    lengths = [9, 1, 4]
    x = random_rows(sum(lengths), 3).requires_grad_()
    out = ours(x, path_rings(np.array(lengths), radius))
    expected = torch.cat([theirs(part.t()).t() for part in x.split(lengths)])
    assert_close(out, expected)
    weighing = random_rows(len(x), 4, seed=1)
    own = torch.autograd.grad(out, [x, *ours.parameters()], weighing)
    peers = list(torch.autograd.grad(expected, [x, *theirs.parameters()], weighing))
    peers[1] = peers[1].transpose(1, 2).reshape(4, -1)
    assert_close(own, tuple(peers))


def test_inside_the_path_it_is_the_convolution_of_the_head() -> None:
    """The second 1-D convolution of DGCNN, with the same weights in the same places."""
    conv, window = OrientedRingConv(3, 4, 2), WindowConv(3, 4, 5)
    conv.load_state_dict(window.state_dict())
    x = random_rows(18, 3).float()
    out = conv(x, path_rings(np.array([9, 9]), 2)).view(2, 9, 4)
    assert_close(out[:, 2:-2], window(x.view(2, 9, 3)))


def test_without_a_direction_it_is_the_ring_convolution_of_the_path() -> None:
    """Equal weights forward and backward, halved where a ring has both nodes, laid side by side."""
    path = gr.from_networkx([nx.path_graph(7)])
    ring, h = RingConv(3, 2, 2, bias=False).double(), random_rows(7, 3)
    blocks = ring(h, gr.rings(path, 2)).view(7, 3, 2)
    sizes = torch.from_numpy(gr.rings(path, 2).sizes.astype(float))
    oriented = OrientedRingConv(3, 2, 2, bias=False).double()
    by_distance = ring.filters.weight.data.view(3, 2, 3)
    both_ways = by_distance[[2, 1, 0, 1, 2]]
    oriented.filters.weight.data = both_ways.transpose(0, 1).reshape(2, -1).contiguous()
    expected = (blocks * sizes[:, :, None]).sum(dim=1)
    assert_close(oriented(h, path_rings(np.array([7]), 2)), expected)


def test_it_starts_like_one_map_of_the_whole_window() -> None:
    torch.manual_seed(0)
    conv = OrientedRingConv(100, 10, 2)
    start_linear(conv.filters)
    bound = (6 / (500 + 10)) ** 0.5
    assert 0.95 * bound < float(conv.filters.weight.detach().abs().max()) <= bound
