import pytest
import torch
from torch.testing import assert_close

import graphrings as gr
from graphrings.errors import LayerError
from graphrings.layers import SumConv


def test_a_node_counts_as_much_as_a_neighbour() -> None:
    """On the path 0 - 1 - 2 the ends average two nodes and the middle three."""
    conv = SumConv(1, 1, bias=False)
    torch.nn.init.ones_(conv.filters.weight)
    path = gr.from_edges([[(0, 1), (1, 2)]])
    out = conv(torch.tensor([[0.0], [6.0], [9.0]]), gr.rings(path, 1))
    assert out[:, 0].tolist() == pytest.approx([3, 5, 7.5])


def test_a_lonely_node_sees_itself_and_its_bias() -> None:
    conv = SumConv(1, 1)
    alone = gr.from_edges([[]], n_nodes=[1])
    h = torch.tensor([[2.0]])
    assert_close(conv(h, gr.rings(alone, 1)), conv.filters(h))


def test_rings_of_radius_two_are_refused() -> None:
    path = gr.from_edges([[(0, 1), (1, 2)]])
    with pytest.raises(LayerError, match=r"takes rings of radius 1 .* got Rings\(radius 2"):
        SumConv(1, 1)(torch.ones(3, 1), gr.rings(path, 2))
