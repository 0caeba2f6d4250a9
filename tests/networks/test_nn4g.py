import numpy as np
import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

import graphrings as gr
from dense import adjacency
from graphrings.graphs.features import fit_features
from graphrings.networks.nn4g import NN4G
from networks.sharing import assert_sharing_changes_nothing, batch_of

CLOSE = {"rtol": 1e-6, "atol": 1e-7}


def dense_outputs(network: NN4G, dataset: gr.Dataset, features: str, n_layers: int) -> Tensor:
    """Eq. (3) and (5) with matrices, the means over nodes, one output layer."""
    start, table = fit_features(dataset, features).apply(dataset)
    x, near = torch.from_numpy(table[start]).double(), torch.from_numpy(adjacency(dataset))
    layers = [torch.tanh(network.first(x))]
    for conv in list(network.convs)[: n_layers - 1]:
        parts = conv.others.weight.split([h.shape[1] for h in layers], dim=1)
        sums = sum(near @ h @ part.t() for h, part in zip(layers, parts, strict=True))
        layers.append(torch.tanh(conv.own(x) + sums))
    weights = torch.cat([output.weight for output in network.outputs][:n_layers], dim=1)
    bounds = dataset.graph_ptr
    means = [torch.cat(layers, 1)[a:b].mean(0) for a, b in zip(bounds, bounds[1:], strict=False)]
    return torch.stack(means) @ weights.t() + network.outputs[0].bias


@pytest.mark.parametrize("channels", [(4,), (4, 3), (4, 3, 5, 2)])
def test_it_has_the_outputs_of_the_dense_network(channels: tuple[int, ...]) -> None:
    dataset = gr.synthetic.molecules(6, n_nodes=(1, 8))
    width = fit_features(dataset, "label").width
    torch.manual_seed(0)
    network = NN4G(width, 2, channels=channels).double()
    result = network(batch_of(network.view, dataset, "label"))
    assert_close(result, dense_outputs(network, dataset, "label", len(channels)), **CLOSE)


@pytest.mark.parametrize("n_layers", [1, 2, 3])
def test_a_stage_has_the_outputs_of_its_layers(n_layers: int) -> None:
    dataset = gr.load("MUTAG")[:6]
    torch.manual_seed(0)
    network = NN4G(1, 2, channels=(4, 3, 2), layerwise=True).double()
    network.begin(n_layers - 1)
    result = network(batch_of(network.view, dataset, "constant"))
    assert_close(result, dense_outputs(network, dataset, "constant", n_layers), **CLOSE)


def test_a_stage_trains_its_layer_and_the_output() -> None:
    network = NN4G(1, 2, channels=(4, 3, 2), layerwise=True)
    assert network.stages == 3
    network.begin(1)
    trained = {name.rpartition(".")[0] for name, p in network.named_parameters() if p.requires_grad}
    outputs = {"outputs.0", "outputs.1", "outputs.2"}
    assert trained == {"convs.0.own", "convs.0.others", *outputs}


@pytest.mark.parametrize("features", ["label", "constant"])
def test_shared_rows_change_nothing(features: str) -> None:
    dataset = gr.load("MUTAG")[:20]
    width = fit_features(dataset, features).width
    torch.manual_seed(0)
    network = NN4G(width, 2, channels=(4, 4, 4), readout="sum")
    assert_sharing_changes_nothing(network, dataset, features)


def test_shared_rows_change_nothing_where_nodes_see_many() -> None:
    dataset = gr.synthetic.ego_networks(10)
    torch.manual_seed(0)
    assert_sharing_changes_nothing(NN4G(1, 2, channels=(4, 4)), dataset, "constant")


def test_parameters_by_hand() -> None:
    """A layer has a matrix for X with a bias, and one for every layer before."""
    network = NN4G(7, 2, channels=(4, 3, 5))
    layers = (7 + 1) * 4 + (7 + 1 + 4) * 3 + (7 + 1 + 4 + 3) * 5
    output = (4 + 3 + 5 + 1) * 2
    assert sum(p.numel() for p in network.parameters()) == layers + output


def test_a_batch_at_an_earlier_level_has_the_same_nodes() -> None:
    """What is read from level 1 there is what all nodes lead back to."""
    dataset = gr.load("MUTAG")[:6]
    batch = batch_of(NN4G(1, 2, channels=(1, 1, 1, 1)).view, dataset, "constant")
    earlier = batch.up_to(1)
    back = batch.parents[1][batch.parents[2][batch.members]]
    assert np.array_equal(earlier.members, back)
    assert len(earlier.rows) == len(earlier.parents) == 1
    assert np.array_equal(earlier.counts()[1], batch.counts()[1])
    assert batch.up_to(3).members is batch.members
