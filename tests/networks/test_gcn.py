from typing import Any

import numpy as np
import pytest
import torch
from torch.testing import assert_close

import graphrings as gr
from dense import adjacency
from graphrings.networks.gcn import GCN
from networks.sharing import assert_sharing_changes_nothing, batch_of

SETTINGS: list[dict[str, Any]] = [{}, {"radius": 2}, {"readout": "sort", "radius": 1}]


def test_it_has_the_outputs_of_the_dense_network() -> None:
    """Eq. (6) with matrices, the mean over nodes, the head."""
    dataset = gr.load("MUTAG")[:6]
    used = np.unique(dataset.node_labels)
    network = GCN(len(used), 2, 10, channels=(4, 3), activation="tanh").double().eval()
    closed = adjacency(dataset) + np.eye(dataset.n_nodes)
    root = 1 / np.sqrt(closed.sum(axis=1))
    normalised = torch.from_numpy(root[:, None] * closed * root)
    h = torch.from_numpy(np.eye(7)[dataset.node_labels][:, used])
    rows = []
    for conv in network.convs:
        h = torch.tanh(normalised @ h @ conv.filters.weight.t() + conv.filters.bias)
        rows.append(h)
    bounds = dataset.graph_ptr
    means = [torch.cat(rows, 1)[a:b].mean(0) for a, b in zip(bounds, bounds[1:], strict=False)]
    outputs = network(batch_of(network.view, dataset, "label"))
    assert_close(outputs, network.head([torch.stack(means)]), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("features", ["label", "constant"])
def test_shared_rows_change_nothing(settings: dict[str, Any], features: str) -> None:
    """Also where the features do not show the degrees that Eq. (6) weighs by."""
    dataset = gr.load("MUTAG")[:20]
    width = batch_of(GCN(1, 2, 10).view, dataset, features).features.shape[1]
    torch.manual_seed(0)
    network = GCN(width, 2, 10, channels=(4, 4), **settings).eval()
    assert_sharing_changes_nothing(network, dataset, features)


@pytest.mark.parametrize(
    ("settings", "n_parameters"),
    [
        # Two layers, then from both to 8 and 2.
        ({}, 7 * 4 + 4 + 4 * 3 + 3 + (4 + 3) * 8 + 8 + 8 * 2 + 2),
        # Three blocks of filters per layer.
        ({"radius": 2}, 7 * 12 + 12 + 12 * 9 + 9 + (12 + 9) * 8 + 8 + 8 * 2 + 2),
    ],
)
def test_parameters_by_hand(settings: dict[str, Any], n_parameters: int) -> None:
    network = GCN(7, 2, 10, channels=(4, 3), dense=8, **settings)
    assert sum(p.numel() for p in network.parameters()) == n_parameters
