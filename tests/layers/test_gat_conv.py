import numpy as np
import pytest
import torch
from torch.testing import assert_close

import graphrings as gr
from dense import random_rows
from graphrings.distances.rings import Rings
from graphrings.errors import LayerError
from graphrings.layers import GATConv

PATH = gr.from_edges([[(0, 1), (1, 2), (2, 3)], []], n_nodes=[4, 1])  # and a node alone


def randomised(conv: GATConv) -> GATConv:
    """In double precision, with a bias."""
    for parameter in conv.double().parameters():
        parameter.data = random_rows(1, parameter.numel()).view_as(parameter)
    return conv


@pytest.mark.parametrize("average", [False, True])
def test_it_is_the_layer_of_pytorch_geometric(average: bool) -> None:
    peers = pytest.importorskip("torch_geometric.nn")
    dataset = gr.load("MUTAG")[:5]
    edges = np.stack([np.repeat(np.arange(dataset.n_nodes), dataset.degrees), dataset.indices])
    ours = randomised(GATConv(4, 3, heads=2, average=average))
    theirs = peers.GATConv(4, 3, heads=2, concat=not average).double()
    theirs.lin.weight.data, theirs.bias.data = ours.filters.weight.data, ours.bias.data
    theirs.att_dst.data, theirs.att_src.data = ours.theta.data.chunk(2, dim=2)
    h = random_rows(dataset.n_nodes, 4)
    out = ours(h, gr.rings(dataset, 1))
    assert_close(out, theirs(h, torch.from_numpy(edges.astype(np.int64))))


def test_an_empty_ring_gives_zeros_and_a_lonely_node_sees_itself() -> None:
    h, lonely = random_rows(5, 3), 4
    conv = randomised(GATConv(3, 2, heads=1, radius=1))
    own, ring = conv(h, gr.rings(PATH, 1))[lonely].split(2)
    assert_close(own, conv.filters.weight[:2] @ h[lonely] + conv.bias[:2])
    assert not ring.any()
    conv = randomised(GATConv(3, 2, heads=1))
    out = conv(h, gr.rings(PATH, 1))[lonely]
    assert_close(out, conv.filters.weight @ h[lonely] + conv.bias)


def test_scores_of_any_size_are_no_trouble() -> None:
    conv = randomised(GATConv(3, 2))
    out = conv(1e4 * random_rows(5, 3), gr.rings(PATH, 1)).sum()
    out.backward()
    assert torch.isfinite(out)
    assert torch.isfinite(conv.theta.grad).all()


def test_a_member_that_counts_twice_is_two_members() -> None:
    """Node 0 sees itself, and row 1 twice."""
    conv, h = randomised(GATConv(3, 2)), random_rows(2, 3)
    indptr, both = np.array([0, 1, 3]), np.array([0, 1, 1], dtype=np.int32)
    apart = conv(h, Rings.trusted(1, indptr, both))
    counts = np.array([1, 2], dtype=np.int32)
    assert_close(conv(h, Rings.trusted(1, np.array([0, 1, 2]), both[:2], counts)), apart)


def test_rings_of_another_radius_are_refused() -> None:
    with pytest.raises(LayerError, match=r"takes rings of radius 1 .* got Rings\(radius 2"):
        GATConv(3, 2)(torch.zeros(5, 3), gr.rings(PATH, 2))


def test_too_few_rows_are_refused() -> None:
    with pytest.raises(LayerError, match="got 3 rows; the rings lead to 5"):
        GATConv(3, 2)(torch.zeros(3, 3), gr.rings(PATH, 1))
