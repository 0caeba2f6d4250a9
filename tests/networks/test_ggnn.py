from typing import Any

import numpy as np
import pytest
import torch
from torch.testing import assert_close

import graphrings as gr
from dense import adjacency
from graphrings.networks.ggnn import GGNN
from networks.sharing import assert_sharing_changes_nothing, batch_of

SETS = [(gr.load("MUTAG")[:20], "label"), (gr.synthetic.ego_networks(10), "constant")]


def network_of(dataset: gr.Dataset, features: str, **settings: Any) -> GGNN:
    n_features = batch_of(GGNN(1, 2).view, dataset, features).features.shape[1]
    torch.manual_seed(0)
    return GGNN(n_features, 2, steps=3, dense=6, **settings).double().eval()


@pytest.mark.parametrize("width", [2, 9])
@pytest.mark.parametrize(("dataset", "features"), SETS, ids=["MUTAG", "egos"])
def test_shared_rows_change_nothing(dataset: gr.Dataset, features: str, width: int) -> None:
    network = network_of(dataset, features, width=width)
    assert_sharing_changes_nothing(network, dataset, features)


@pytest.mark.parametrize("width", [2, 9])
def test_it_has_the_outputs_of_the_dense_network(width: int) -> None:
    """Features with zeros behind, or under a matrix; three steps; the gated sum of every graph."""
    dataset = SETS[0][0]
    network = network_of(dataset, "label", width=width)
    near = torch.from_numpy(adjacency(dataset))
    x = torch.from_numpy(np.eye(7)[dataset.node_labels][:, np.unique(dataset.node_labels)])
    zeros = x.new_zeros((len(x), width))
    h = network.embedding(x) if width == 2 else torch.cat([x, zeros], dim=1)[:, :width]
    for _ in range(3):
        h = network.conv.gru(near @ h @ network.conv.message.weight.t(), h)
    both = torch.cat([h, x], dim=1)
    gated = torch.sigmoid(network.gate(both)) * torch.tanh(network.value(both))
    bounds = zip(dataset.graph_ptr, dataset.graph_ptr[1:], strict=False)
    expected = network.head([torch.stack([gated[a:b].sum(0) for a, b in bounds])])
    outputs = network(batch_of(network.view, dataset, "label"))
    assert_close(outputs, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("steps", [1, 5])
def test_parameters_by_hand(steps: int) -> None:
    """A message, six matrices of the GRU, two gates, the head; the steps share them all."""
    network = GGNN(7, 2, width=8, steps=steps, dense=6)
    gru = 6 * (8 * 8 + 8)
    readout = 2 * ((8 + 7) * 8 + 8) + 8 * 6 + 6 + 6 * 2 + 2
    assert sum(p.numel() for p in network.parameters()) == 8 * 8 + gru + readout


def test_more_features_than_numbers_of_a_state_pass_through_a_matrix() -> None:
    assert GGNN(7, 2, width=7).embedding is None
    assert GGNN(8, 2, width=7).first_state(torch.ones(3, 8)).shape == (3, 7)
