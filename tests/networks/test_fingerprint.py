import numpy as np
import pytest
import torch
from torch import nn
from torch.testing import assert_close

import graphrings as gr
from dense import adjacency
from graphrings.networks.fingerprint import Fingerprint
from networks.sharing import assert_sharing_changes_nothing, batch_of

SETS = [(gr.load("MUTAG")[:20], "label"), (gr.synthetic.ego_networks(10), "constant")]


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize(("dataset", "features"), SETS, ids=["MUTAG", "egos"])
def test_shared_rows_change_nothing(dataset: gr.Dataset, features: str, training: bool) -> None:
    n_features = batch_of(Fingerprint(1, 2).view, dataset, features).features.shape[1]
    torch.manual_seed(0)
    network = Fingerprint(n_features, 2, channels=(4, 4), length=5, dropout=0.0).train(training)
    assert_sharing_changes_nothing(network, dataset, features)


def test_training_sees_the_fingerprints_of_the_dense_network() -> None:
    """Weights by degree, torch's own norms over nodes, softmax, sums."""
    dataset = SETS[0][0]
    h = torch.from_numpy(np.eye(7)[dataset.node_labels][:, np.unique(dataset.node_labels)])
    near = torch.from_numpy(adjacency(dataset))
    torch.manual_seed(0)
    network = Fingerprint(h.shape[1], 2, channels=(4, 3), length=5).double()
    bounds = list(zip(dataset.graph_ptr, dataset.graph_ptr[1:], strict=False))
    expected = torch.zeros(len(dataset), 5).double()
    for conv, norm, write in zip(network.convs, network.norms, network.writes, strict=True):
        sums, theirs = h + near @ h, nn.BatchNorm1d(len(norm.weight)).double()
        rows = [conv.filters[d](row) for d, row in zip(dataset.degrees, sums, strict=True)]
        h = torch.relu(theirs(torch.stack(rows)))
        expected += torch.stack([torch.softmax(write(h), 1)[a:b].sum(0) for a, b in bounds])
    outputs = network.fingerprints(batch_of(network.view, dataset, "label"))
    assert_close(outputs, expected, rtol=1e-4, atol=1e-4)


def test_every_node_writes_a_whole_one_in_every_layer() -> None:
    """By hand: with weights of zero it is spread evenly; with one large bias it is in one place."""
    dataset = SETS[0][0]
    network = Fingerprint(1, 2, channels=(2, 2, 2), length=4).double().eval()
    for write in network.writes:
        nn.init.zeros_(write.weight)
        nn.init.zeros_(write.bias)
    nn.init.constant_(network.writes[1].bias[2:3], 100.0)
    outputs = network.fingerprints(batch_of(network.view, dataset, "constant"))
    sizes = torch.from_numpy(dataset.graph_ptr[1:] - dataset.graph_ptr[:-1])[:, None]
    assert_close(outputs, sizes * torch.tensor([0.5, 0.5, 1.5, 0.5]).double())


def test_parameters_by_hand() -> None:
    """Six matrices, a norm and a write per layer; then from the fingerprint to 6 and 2."""
    network = Fingerprint(7, 2, channels=(4, 3), length=5, dense=6)
    layers = 6 * 7 * 4 + 2 * 4 + 4 * 5 + 5 + 6 * 4 * 3 + 2 * 3 + 3 * 5 + 5
    assert sum(p.numel() for p in network.parameters()) == layers + 5 * 6 + 6 + 6 * 2 + 2
