import numpy as np
import pytest
import torch
from torch.testing import assert_close

import graphrings as gr
from dense import adjacency, mean_over
from graphrings.networks.batches import Batcher
from graphrings.networks.dcnn import DCNN, Diffusion
from networks.oracle import randomised
from networks.sharing import batch_of, outputs_and_gradients


def network_of(n_features: int, hops: int) -> DCNN:
    return randomised(DCNN(n_features, 2, hops=hops), 0).double()  # type: ignore[return-value]


@pytest.mark.parametrize("hops", [0, 1, 3])
def test_it_has_the_outputs_of_the_dense_formula(hops: int) -> None:
    dataset = gr.load("MUTAG")[:6]
    used = np.unique(dataset.node_labels)
    network = network_of(len(used), hops)
    x = torch.eye(7).double()[dataset.node_labels.tolist()][:, used]
    transition = mean_over(adjacency(dataset))
    powers = torch.cat([torch.linalg.matrix_power(transition, j) @ x for j in range(hops + 1)], 1)
    bounds = dataset.graph_ptr
    means = [powers[a:b].mean(0) for a, b in zip(bounds, bounds[1:], strict=False)]
    expected = network.out(torch.tanh(torch.stack(means) * network.conv.weight))
    outputs = network(batch_of(network.view, dataset, "label"))
    assert_close(outputs, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("features", ["label", "constant"])
def test_shared_rows_change_nothing(features: str) -> None:
    dataset = gr.load("MUTAG")[:20]
    batches = [batch_of(Diffusion(3), dataset, features, shared) for shared in (True, False)]
    assert len(batches[0].features) < len(batches[1].features) == dataset.n_nodes
    network = network_of(batches[0].features.shape[1], 3)
    outputs, expected = (outputs_and_gradients(network, batch) for batch in batches)
    assert_close(outputs, expected, rtol=1e-5, atol=1e-6)


def test_graphs_may_come_twice_and_in_any_order() -> None:
    egos = gr.synthetic.ego_networks(10)
    colours = np.minimum(egos.degrees, 4)
    table = np.eye(5, dtype=np.float32)[np.unique(colours)]
    batches, network = Batcher(Diffusion(2)(egos, colours), table), DCNN(5, 2, hops=2)
    together = network(batches(np.arange(10)))
    chosen = np.array([7, 2, 7, 0])
    assert_close(network(batches(chosen)), together[chosen])


def test_a_graph_without_edges_shows_its_features_at_hop_0() -> None:
    edgeless = gr.from_edges([[], []], n_nodes=[1, 3])
    batch = batch_of(Diffusion(2), edgeless, "constant")
    outputs = DCNN(1, 2, hops=2).double().conv(batch.features, batch.rows[0])
    assert_close(outputs, torch.tensor([[1.0, 0, 0], [1, 0, 0]]).double())


def test_parameters_by_hand() -> None:
    """A weight for every hop and feature, and the dense layer."""
    network = DCNN(7, 3, hops=2)
    assert sum(p.numel() for p in network.parameters()) == 3 * 7 + 21 * 3 + 3
