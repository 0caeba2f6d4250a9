from collections.abc import Iterator

import numpy as np
import pytest
import torch
from torch.testing import assert_close

import graphrings as gr
from dense import adjacency, random_rows
from graphrings.errors import LayerError
from graphrings.fused.lane import lane
from graphrings.layers import GGNNConv


@pytest.fixture(autouse=True, params=[True, False], ids=["fused", "plain"])
def each_lane(request: pytest.FixtureRequest) -> Iterator[None]:
    """All of it in both lanes."""
    with lane(fused=request.param):
        yield


def test_its_steps_are_those_of_pytorch_geometric() -> None:
    peers = pytest.importorskip("torch_geometric.nn")
    dataset = gr.load("MUTAG")[:5]
    edges = np.stack([np.repeat(np.arange(dataset.n_nodes), dataset.degrees), dataset.indices])
    ours, theirs = GGNNConv(4).double(), peers.GatedGraphConv(4, num_layers=3).double()
    theirs.weight.data[:] = ours.message.weight.data.t()
    theirs.rnn.load_state_dict(ours.gru.state_dict())
    h = start = random_rows(dataset.n_nodes, 4)
    for _ in range(3):
        h = ours(h, gr.rings(dataset, 1))
    assert_close(h, theirs(start, torch.from_numpy(edges.astype(np.int64))))


def test_its_gradients_are_those_of_dense_sums() -> None:
    dataset = gr.load("MUTAG")[:2]
    conv, near = GGNNConv(3).double(), torch.from_numpy(adjacency(dataset))
    h = random_rows(dataset.n_nodes, 3).requires_grad_()
    wanted, weights = [h, *conv.parameters()], random_rows(dataset.n_nodes, 3, seed=1)
    dense = conv.gru(near @ h @ conv.message.weight.t(), h)
    result = conv(h, gr.rings(dataset, 1))
    grads = [torch.autograd.grad((out * weights).sum(), wanted) for out in (result, dense)]
    assert_close(*grads)


def test_who_is_alone_gets_a_message_of_zeros() -> None:
    conv, h = GGNNConv(2), torch.tensor([[1.0, 2.0]])
    alone = gr.from_edges([[]], n_nodes=[1])
    assert_close(conv(h, gr.rings(alone, 1)), conv.gru(torch.zeros(1, 2), h))


def test_other_rings_are_refused() -> None:
    with pytest.raises(LayerError, match=r"takes rings of radius 1 .* got Rings\(radius 2"):
        GGNNConv(2)(torch.zeros(2, 2), gr.rings(gr.from_edges([[(0, 1)]]), 2))
