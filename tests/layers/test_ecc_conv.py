import numpy as np
import pytest
import torch
from torch import nn
from torch.testing import assert_close

import graphrings as gr
from dense import adjacency, mean_over, random_rows
from graphrings.distances.edge_rings import edge_rings, edge_rows
from graphrings.errors import LayerError
from graphrings.layers import ECCConv


def test_it_is_the_layer_of_pytorch_geometric() -> None:
    """A loop with a label of its own at every node is an edge like others there."""
    peers = pytest.importorskip("torch_geometric.nn")
    dataset = gr.load("MUTAG")[:5]
    nodes, width = np.arange(dataset.n_nodes), 1 + len(dataset.edge_label_names)
    heads = np.concatenate([nodes, np.repeat(nodes, dataset.degrees)])
    tails = np.concatenate([nodes, dataset.indices])
    labels = np.concatenate([np.zeros_like(nodes), 1 + dataset.edge_labels])
    ours = ECCConv(4, 3, width - 1, filter_hidden=(5,)).double()
    nn.init.normal_(ours.bias)
    theirs = peers.NNConv(4, 3, ours.filter_network, aggr="mean", root_weight=False).double()
    theirs.bias = ours.bias
    h = random_rows(dataset.n_nodes, 4).requires_grad_()
    result = ours(h, edge_rings(dataset, dataset.edge_label_names))
    edges = torch.from_numpy(np.stack([tails, heads]).astype(np.int64))
    expected = theirs(h, edges, torch.eye(width).double()[labels])
    assert_close(result, expected)
    wanted = [h, *ours.parameters()]
    gradients = (torch.autograd.grad(out.square().sum(), wanted) for out in (result, expected))
    assert_close(*gradients)


@pytest.mark.parametrize("hidden", [(), (5, 4)])
def test_with_attributes_it_is_the_layer_of_pytorch_geometric(hidden: tuple[int, ...]) -> None:
    """Every edge has its own matrix there; a loop has a label of its own and no attributes."""
    peers = pytest.importorskip("torch_geometric.nn")
    dataset, rng = gr.load("MUTAG")[:5], np.random.default_rng(0)
    values = rng.normal(size=(len(dataset.indices), 2))
    dataset = dataset.changed(edge_attributes=values)
    nodes, n_labels = np.arange(dataset.n_nodes), len(dataset.edge_label_names)
    heads = np.concatenate([nodes, np.repeat(nodes, dataset.degrees)])
    tails = np.concatenate([nodes, dataset.indices])
    labels = np.concatenate([np.zeros_like(nodes), 1 + dataset.edge_labels])
    scaled = np.vstack([np.zeros((len(nodes), 2)), (values - [0.5, 0]) / [2, 1]])
    ours = ECCConv(4, 3, n_labels, hidden, n_attributes=2).double()
    theirs = peers.NNConv(4, 3, ours.filter_network, aggr="mean", root_weight=False).double()
    theirs.bias = ours.bias
    h = random_rows(dataset.n_nodes, 4).requires_grad_()
    result = ours(h, edge_rows(dataset, dataset.edge_label_names, ((0.5, 2.0), (0.0, 1.0))))
    edges = torch.from_numpy(np.stack([tails, heads]).astype(np.int64))
    shown = np.hstack([np.eye(n_labels + 1)[labels], scaled])
    expected = theirs(h, edges, torch.from_numpy(shown))
    assert_close(result, expected)
    wanted = [h, *ours.parameters()]
    gradients = (torch.autograd.grad(out.square().sum(), wanted) for out in (result, expected))
    assert_close(*gradients)


def test_rows_without_attributes_are_refused() -> None:
    path = gr.from_edges([[(0, 1), (1, 2)]])
    with pytest.raises(LayerError, match="takes rows with attributes, by edge_rows"):
        ECCConv(2, 3, n_attributes=1)(torch.ones(3, 2), gr.rings(path, 2))


def test_without_labels_it_takes_plain_rings() -> None:
    """One matrix for the node, one for its neighbours, one mean over both."""
    dataset, conv = gr.load("MUTAG")[:2], ECCConv(2, 3).double()
    own, other = conv.filters()
    h, size = random_rows(dataset.n_nodes, 2), 1 + torch.from_numpy(dataset.degrees)[:, None]
    expected = h @ own / size + mean_over(adjacency(dataset)) @ h @ other * (1 - 1 / size)
    assert_close(conv(h, gr.rings(dataset, 1)), expected)


def test_a_lonely_node_sees_itself() -> None:
    conv, lonely = ECCConv(2, 3, 2), gr.from_edges([[]], n_nodes=[1])
    h = torch.ones(1, 2)
    assert_close(conv(h, edge_rings(lonely, ("a", "b"))), h @ conv.filters()[0])


def test_without_hidden_layers_the_matrices_are_free() -> None:
    """A column per label, and a matrix that all have in common."""
    conv = ECCConv(2, 3, 4, filter_hidden=())
    assert sum(p.numel() for p in conv.parameters()) == 5 * 6 + 6 + 3


def test_rings_for_other_labels_are_refused() -> None:
    with pytest.raises(LayerError, match=r"takes rings of radius 2 .* got Rings\(radius 1"):
        ECCConv(2, 3, 2)(torch.ones(1, 2), gr.rings(gr.from_edges([[]], n_nodes=[1]), 1))
