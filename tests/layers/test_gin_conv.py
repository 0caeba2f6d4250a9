import numpy as np
import pytest
import torch
from torch import nn
from torch.testing import assert_close

import graphrings as gr
from dense import distances, random_rows
from graphrings.layers.gin_conv import GINConv


def test_it_is_the_layer_of_pytorch_geometric() -> None:
    peers = pytest.importorskip("torch_geometric.nn")
    dataset = gr.load("MUTAG")[:5]
    edges = np.stack([np.repeat(np.arange(dataset.n_nodes), dataset.degrees), dataset.indices])
    ours = GINConv(4, 3, learn_epsilon=True).double()
    nn.init.constant_(ours.epsilon, 0.3)
    theirs = peers.GINConv(ours.filters, eps=0.3)
    h = random_rows(dataset.n_nodes, 4)
    expected = theirs(h, torch.from_numpy(edges.astype(np.int64)))
    assert_close(ours(h, gr.rings(dataset, 1)), expected, rtol=1e-6, atol=1e-6)


def test_with_a_radius_every_ring_has_weights_of_its_own() -> None:
    dataset = gr.load("MUTAG")[:2]
    ours = GINConv(3, 2, radius=2, learn_epsilon=True).double()
    nn.init.constant_(ours.epsilon, 1.0)
    h, distance = random_rows(dataset.n_nodes, 3), distances(dataset)
    rings = [torch.from_numpy((distance == j).astype(float)) @ h for j in range(3)]
    blocks = ours.filters.weight.view(3, 2, 3).transpose(1, 2)
    expected = (torch.stack([2 * rings[0], *rings[1:]]) @ blocks).sum(dim=0)
    assert_close(ours(h, gr.rings(dataset, 2)), expected)


def test_epsilon_is_learned_only_if_asked_for() -> None:
    assert [name for name, _ in GINConv(1, 1).named_parameters()] == ["filters.weight"]
    h = torch.ones(2, 1)
    ours = GINConv(1, 1, learn_epsilon=True)
    nn.init.ones_(ours.filters.weight)
    ours(h, gr.rings(gr.from_edges([[(0, 1)]]), 1)).sum().backward()
    assert ours.epsilon.grad.tolist() == [2]
