import numpy as np
import pytest
import torch
from torch import nn
from torch.testing import assert_close

import graphrings as gr
from dense import adjacency, random_rows
from graphrings.errors import LayerError
from graphrings.layers import FingerprintConv


@pytest.mark.parametrize("max_degree", [0, 2, 5])
def test_it_is_the_layer_of_pytorch_geometric(max_degree: int) -> None:
    """Theirs has a matrix for the node and one for its neighbours: ours in both places."""
    peers = pytest.importorskip("torch_geometric.nn")
    dataset = gr.load("MUTAG")[:5]
    edges = np.stack([np.repeat(np.arange(dataset.n_nodes), dataset.degrees), dataset.indices])
    ours = FingerprintConv(4, 3, max_degree).double()
    theirs = peers.MFConv(4, 3, max_degree).double()
    for mine, near, own in zip(ours.filters, theirs.lins_l, theirs.lins_r, strict=True):
        near.load_state_dict(mine.state_dict())
        own.weight.data = mine.weight.data
    h = random_rows(dataset.n_nodes, 4)
    result = ours(h, gr.rings(dataset, 1))
    assert_close(result, theirs(h, torch.from_numpy(edges.astype(np.int64))))


def test_every_degree_has_its_own_weights() -> None:
    """A star with three leaves and a node alone: degrees 3, 1 and 0; 3 counts as 2."""
    conv = FingerprintConv(1, 1, max_degree=2, bias=False)
    for degree, part in enumerate(conv.filters):
        nn.init.constant_(part.weight, 10.0**degree)
    star = gr.from_edges([[(0, 1), (0, 2), (0, 3)]], n_nodes=[5])
    h = torch.tensor([[1.0], [2.0], [3.0], [4.0], [5.0]])
    result = conv(h, gr.rings(star, 1))[:, 0]
    assert result.tolist() == [100 * (1 + 2 + 3 + 4), 10 * (2 + 1), 10 * (3 + 1), 10 * (4 + 1), 5]


def test_its_gradients_are_those_of_dense_sums() -> None:
    dataset = gr.load("MUTAG")[:2]
    conv = FingerprintConv(3, 2).double()
    h = random_rows(dataset.n_nodes, 3).requires_grad_()
    sums = h + torch.from_numpy(adjacency(dataset)) @ h
    dense = torch.stack(
        [conv.filters[d](row) for d, row in zip(dataset.degrees, sums, strict=True)]
    )
    result = conv(h, gr.rings(dataset, 1))
    weights, wanted = random_rows(dataset.n_nodes, 2, seed=1), [h, *conv.filters[3].parameters()]
    grads = [torch.autograd.grad((out * weights).sum(), wanted) for out in (result, dense)]
    assert_close(*grads)


def test_other_rings_are_refused() -> None:
    with pytest.raises(LayerError, match=r"takes rings of radius 1 .* got Rings\(radius 2"):
        FingerprintConv(2, 2)(torch.zeros(2, 2), gr.rings(gr.from_edges([[(0, 1)]]), 2))
