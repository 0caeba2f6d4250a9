import numpy as np
import pytest
import torch
from torch.testing import assert_close

import graphrings as gr
from dense import random_rows
from graphrings.fused.lane import lane
from graphrings.layers import GCNConv


def test_it_is_the_layer_of_pytorch_geometric() -> None:
    peers = pytest.importorskip("torch_geometric.nn")
    dataset = gr.load("MUTAG")[:5]
    edges = np.stack([np.repeat(np.arange(dataset.n_nodes), dataset.degrees), dataset.indices])
    ours, theirs = GCNConv(4, 3).double(), peers.GCNConv(4, 3).double()
    theirs.lin.weight.data = ours.filters.weight.data
    ours.filters.bias.data = theirs.bias.data = random_rows(3, 1)[:, 0]
    h = random_rows(dataset.n_nodes, 4)
    result = ours(h, gr.rings(dataset, 1))
    assert_close(result, theirs(h, torch.from_numpy(edges.astype(np.int64))))


@pytest.mark.parametrize("fused", [True, False])
def test_the_bias_comes_after_the_sum(fused: bool) -> None:
    """The centre of a star, whose weights do not add up to one, and a lonely node get one bias.

    Other devices take the plain lane.
    """
    conv = GCNConv(1, 1)
    torch.nn.init.constant_(conv.filters.bias, 3)
    star_and_one = gr.from_edges([[(0, 1), (0, 2), (0, 3)]], n_nodes=[5])
    with lane(fused=fused):
        out = conv(torch.zeros(5, 1), gr.rings(star_and_one, 1))
    assert out[:, 0].tolist() == [3, 3, 3, 3, 3]


@pytest.mark.parametrize("fused", [True, False])
def test_the_bias_of_an_empty_ring_is_left_out(fused: bool) -> None:
    """A node alone has ring 0 and no other."""
    conv = GCNConv(1, 1, radius=1)
    torch.nn.init.constant_(conv.filters.bias, 3)
    pair_and_one = gr.from_edges([[(0, 1)]], n_nodes=[3])
    with lane(fused=fused):
        out = conv(torch.zeros(3, 1), gr.rings(pair_and_one, 1))
    assert out.tolist() == [[3, 3], [3, 3], [3, 0]]
