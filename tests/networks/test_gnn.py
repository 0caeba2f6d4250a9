from typing import Any

import numpy as np
import pytest
import torch
from torch.testing import assert_close

import graphrings as gr
from graphrings.networks.gnn import GNN, StableMeans
from networks.sharing import assert_sharing_changes_nothing, batch_of

SETS = [(gr.load("MUTAG")[:20], "label"), (gr.synthetic.ego_networks(10), "degree")]


def network_of(dataset: gr.Dataset, features: str, **settings: Any) -> GNN:
    width = batch_of(StableMeans(), dataset, features).features.shape[1]
    torch.manual_seed(0)
    return GNN(width, 2, width=4, hidden=5, dense=6, **settings).double()


@pytest.mark.parametrize("readout", ["mean", "sum"])
@pytest.mark.parametrize(("dataset", "features"), SETS, ids=["MUTAG", "egos"])
def test_shared_rows_change_nothing(dataset: gr.Dataset, features: str, readout: str) -> None:
    network = network_of(dataset, features, readout=readout)
    assert_sharing_changes_nothing(network, dataset, features)


def test_both_levels_have_the_same_rows() -> None:
    dataset, features = SETS[0]
    batch = batch_of(StableMeans(), dataset, features)
    assert sorted(batch.parents[0].tolist()) == list(range(len(batch.features)))
    assert batch.rows[0].own.tolist() == batch.parents[0].tolist()


@pytest.mark.parametrize("readout", ["mean", "sum"])
def test_a_graph_has_the_mean_or_sum_of_its_nodes_outputs(readout: str) -> None:
    dataset = SETS[0][0]
    network = network_of(dataset, "label", readout=readout)
    x = torch.from_numpy(np.eye(7)[dataset.node_labels][:, np.unique(dataset.node_labels)])
    outputs = network.output([network.conv(x, gr.rings(dataset, 1)), x])
    bounds = zip(dataset.graph_ptr, dataset.graph_ptr[1:], strict=False)
    expected = torch.stack([getattr(outputs[a:b], readout)(0) for a, b in bounds])
    result = network(batch_of(network.view, dataset, "label"))
    assert_close(result, expected, rtol=1e-4, atol=1e-5)


def test_parameters_by_hand() -> None:
    """U, A with b, B, V with c; then g: from states and features to 6 and 2."""
    network = GNN(7, 2, width=4, hidden=5, dense=6)
    f = 4 * 5 + 7 * 5 + 5 + 7 * 5 + 5 * 4 + 4
    g = (4 + 7) * 6 + 6 + 6 * 2 + 2
    assert sum(p.numel() for p in network.parameters()) == f + g
