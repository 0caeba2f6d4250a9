import numpy as np
import pytest
import torch
from torch.testing import assert_close

import graphrings as gr
from dense import random_rows
from graphrings.distances.levels import levels
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.errors import LayerError, RadiusError
from graphrings.layers import RingConv
from graphrings.layers.activations import ACTIVATIONS
from graphrings.networks.batches import Batcher


@pytest.fixture
def graphs() -> gr.Dataset:
    """A paw, and an edge beside a lonely node."""
    return gr.from_edges(
        [[(0, 1), (1, 2), (0, 2), (2, 3)], [(0, 1)]],
        n_nodes=[4, 3],
        node_labels=[[0, 0, 1, 0], [1, 0, 0]],
    )


def all_kinds_of_rings(graphs: gr.Dataset) -> dict[str, WeightedRows]:
    result = levels(graphs.graph_ptr, gr.rings(graphs, 2), graphs.node_labels, depth=2)
    batch = Batcher(result, np.eye(2, dtype=np.float32))(np.array([1, 0]))
    return {
        "plain": gr.rings(graphs, 2),
        "quotient": gr.quotient(graphs, 2).rings,
        "walks": gr.walk_rings(graphs, 2),
        "level": batch.rows[1],
    }


@pytest.mark.parametrize("activation", ["identity", "tanh", "relu"])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("kind", ["plain", "quotient", "walks", "level"])
def test_gradients_are_those_of_differences(
    graphs: gr.Dataset, kind: str, bias: bool, activation: str
) -> None:
    rings, conv = all_kinds_of_rings(graphs)[kind], RingConv(3, 2, 2, bias).double()
    h = random_rows(int(rings.indices.max()) + 1, 3).requires_grad_()
    sources = (h, *conv.parameters())
    assert torch.autograd.gradcheck(lambda h, *_: conv(h, rings, activation), sources)


def test_radius_zero_is_a_linear_map_of_every_node(graphs: gr.Dataset) -> None:
    conv, h = RingConv(3, 5, radius=0), random_rows(graphs.n_nodes, 3).float()
    assert_close(conv(h, gr.rings(graphs, 0)), conv.filters(h))


def test_ring_two_of_a_tail_is_the_mean_of_the_triangle(graphs: gr.Dataset) -> None:
    """Node 3 of the paw has nodes 0 and 1 at distance 2; a lonely node has nobody."""
    conv = RingConv(1, 1, radius=2)
    torch.nn.init.ones_(conv.filters.weight)
    torch.nn.init.constant_(conv.filters.bias, 10)
    out = conv(torch.arange(7.0).unsqueeze(1), gr.rings(graphs, 2))
    assert out[3].tolist() == [13, 12, 10.5]
    assert out[6].tolist() == [16, 0, 0]


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_an_activation_in_the_same_go_is_one_after(graphs: gr.Dataset, name: str) -> None:
    conv, h = RingConv(3, 2, radius=2), random_rows(graphs.n_nodes, 3).float()
    rings = gr.rings(graphs, 2)
    assert_close(conv(h, rings, name), ACTIVATIONS[name](conv(h, rings)))


def test_rings_of_another_radius_are_refused(graphs: gr.Dataset) -> None:
    with pytest.raises(LayerError, match=r"takes rings of radius 2 .* got Rings\(radius 1"):
        RingConv(3, 2, radius=2)(random_rows(graphs.n_nodes, 3).float(), gr.rings(graphs, 1))


def test_rows_that_are_too_few_are_refused(graphs: gr.Dataset) -> None:
    with pytest.raises(LayerError, match="got 6 rows; the rings lead to 7"):
        RingConv(3, 2, radius=1)(random_rows(6, 3).float(), gr.rings(graphs, 1))


@pytest.mark.parametrize("radius", [-1, 1.5])
def test_a_radius_that_is_none_is_refused(radius: int) -> None:
    with pytest.raises(RadiusError, match="expected a whole number, 0 or larger"):
        RingConv(3, 2, radius)
