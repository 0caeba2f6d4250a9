import pytest
import torch
from torch.testing import assert_close

import graphrings as gr
from dense import adjacency, random_rows
from graphrings.errors import LayerError
from graphrings.layers import NN4GConv


def test_it_is_equation_five() -> None:
    """X W + A H^1 W^1 + A H^2 W^2, the layers of 3 and 2 channels side by side."""
    dataset = gr.load("MUTAG")[:5]
    conv, near = NN4GConv(4, 5, 6).double(), torch.from_numpy(adjacency(dataset))
    x, h = random_rows(dataset.n_nodes, 4), random_rows(dataset.n_nodes, 5, seed=1)
    first, second = conv.others.weight.split([3, 2], dim=1)
    expected = x @ conv.own.weight.t() + conv.own.bias
    expected = expected + near @ h[:, :3] @ first.t() + near @ h[:, 3:] @ second.t()
    assert_close(conv(x, h, gr.rings(dataset, 1)), expected)


def test_a_lonely_node_sees_its_features_alone() -> None:
    conv, x = NN4GConv(2, 3, 4), torch.ones(3, 2)
    pair_and_one = gr.rings(gr.from_edges([[(0, 1)]], n_nodes=[3]), 1)
    out = conv(x, torch.ones(3, 3), pair_and_one, "tanh")
    assert_close(out[2], torch.tanh(conv.own(x[2])))
    assert not torch.equal(out[1], out[2])


def test_rings_of_another_radius_are_refused() -> None:
    dataset = gr.from_edges([[(0, 1)]])
    with pytest.raises(LayerError, match=r"takes rings of radius 1 .* got Rings\(radius 2"):
        NN4GConv(1, 1, 1)(torch.ones(2, 1), torch.ones(2, 1), gr.rings(dataset, 2))
