from typing import Any

import numpy as np
import pytest
import torch
from torch.testing import assert_close

import graphrings as gr
from graphrings.networks.gat import GAT
from networks.sharing import assert_sharing_changes_nothing, batch_of

SETTINGS: list[dict[str, Any]] = [{}, {"radius": 2}, {"heads": 1}]


def test_it_has_the_outputs_of_a_stack_of_pytorch_geometric() -> None:
    """Two heads side by side, then the mean of two; means over nodes of both layers; the head."""
    peers = pytest.importorskip("torch_geometric.nn")
    dataset = gr.load("MUTAG")[:6]
    edges = np.stack([np.repeat(np.arange(dataset.n_nodes), dataset.degrees), dataset.indices])
    used, h = np.unique(dataset.node_labels, return_inverse=True)
    torch.manual_seed(0)
    network = GAT(len(used), 2, channels=(4, 3), heads=2).double().eval()
    h, rows = torch.eye(len(used)).double()[h], []
    for conv, concat in zip(network.convs, (True, False), strict=True):
        theirs = peers.GATConv(h.shape[1], conv.theta.shape[2] // 2, heads=2, concat=concat)
        theirs = theirs.double()
        theirs.lin.weight.data, theirs.bias.data = conv.filters.weight.data, conv.bias.data
        theirs.att_dst.data, theirs.att_src.data = conv.theta.data.chunk(2, dim=2)
        h = torch.nn.functional.elu(theirs(h, torch.from_numpy(edges.astype(np.int64))))
        rows.append(h)
    bounds = dataset.graph_ptr
    means = [torch.cat(rows, 1)[a:b].mean(0) for a, b in zip(bounds, bounds[1:], strict=False)]
    outputs = network(batch_of(network.view, dataset, "label"))
    assert_close(outputs, network.head([torch.stack(means)]), rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("features", ["label", "degree"])
def test_shared_rows_change_nothing(settings: dict[str, Any], features: str) -> None:
    dataset = gr.load("MUTAG")[:20]
    width = batch_of(GAT(1, 2).view, dataset, features).features.shape[1]
    torch.manual_seed(0)
    network = GAT(width, 2, channels=(4, 4), **settings).eval()
    assert_sharing_changes_nothing(network, dataset, features)


@pytest.mark.parametrize("radius", [None, 2])
def test_shared_rows_change_nothing_where_nodes_see_many(radius: int | None) -> None:
    """In ego networks a row may count a dozen times."""
    dataset = gr.synthetic.ego_networks(10)
    torch.manual_seed(0)
    width = batch_of(GAT(1, 2).view, dataset, "degree").features.shape[1]
    network = GAT(width, 2, channels=(3, 3), heads=2, radius=radius).eval()
    assert_sharing_changes_nothing(network, dataset, "degree")


@pytest.mark.parametrize(
    ("settings", "n_parameters"),
    [
        # Filters, two vectors per head and the bias, twice; the last layer is 3 wide.
        ({}, 7 * 8 + 2 * 8 + 8 + 8 * 6 + 2 * 6 + 3 + (8 + 3) * 5 + 5 + 5 * 2 + 2),
        # Three of everything.
        ({"radius": 2}, 7 * 24 + 2 * 24 + 24 + 24 * 18 + 2 * 18 + 9 + 33 * 5 + 5 + 5 * 2 + 2),
    ],
)
def test_parameters_by_hand(settings: dict[str, Any], n_parameters: int) -> None:
    network = GAT(7, 2, channels=(4, 3), heads=2, dense=5, **settings)
    assert sum(p.numel() for p in network.parameters()) == n_parameters
