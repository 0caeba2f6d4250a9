import numpy as np
import pytest
import torch

import graphrings as gr
from graphrings.networks.pgc_dgcnn import PGCDGCNN
from networks import oracle


def n_parameters(network: torch.nn.Module) -> int:
    return sum(parameter.numel() for parameter in network.parameters())


def test_parameters_of_radius_two() -> None:
    """7 labels, 2 classes, k = 19; a layer is three rings of 32, the last three of 1 channel."""
    convs = (7 + 1) * 96 + 2 * (96 + 1) * 96 + (96 + 1) * 3
    row = 3 * 96 + 3
    head = (row + 1) * 16 + (5 * 16 + 1) * 32 + (5 * 32 + 1) * 128 + (128 + 1) * 2
    assert 19 // 2 - 5 + 1 == 5  # positions after both convolutions
    assert n_parameters(PGCDGCNN(7, 2, 19)) == convs + head == 47_813


def test_parameters_without_bias_by_radius() -> None:
    """Rings 0 .. r of 4 channels and then of 1; the head has a bias anyway."""
    for radius in range(4):
        rings = radius + 1
        convs = 5 * rings * 4 + rings * 4 * rings
        head = (rings * 5 + 1) * 16 + (5 * 16 + 1) * 32 + (1 * 32 + 1) * 128 + (128 + 1) * 3
        network = PGCDGCNN(5, 3, 10, radius=radius, channels=(4, 1), bias=False)
        assert n_parameters(network) == convs + head


def test_the_sizes_of_the_head_are_settings() -> None:
    network = PGCDGCNN(5, 3, 12, radius=0, channels=(1,), conv_channels=(2, 3), dense=7)
    assert n_parameters(network) == 6 + (1 + 1) * 2 + (10 + 1) * 3 + (2 * 3 + 1) * 7 + (7 + 1) * 3


@pytest.mark.parametrize("activation", ["relu", "sigmoid", "identity"])
def test_the_activation_is_a_setting(activation: str) -> None:
    dataset = gr.load("MUTAG")[:4]
    batch = oracle.batcher(PGCDGCNN, dataset, 2, 1)(np.arange(4))
    torch.manual_seed(0)
    network = PGCDGCNN(batch.features.shape[1], 2, 10, radius=1, channels=(4, 1)).eval()
    before = network(batch)
    network.activation = activation
    assert before.shape == (4, 2)
    assert not torch.allclose(before, network(batch))


def test_mutag_has_the_outputs_of_the_dense_network() -> None:
    dataset = gr.load("MUTAG")[:20]
    batches = oracle.batcher(PGCDGCNN, dataset, 4, 2)
    network = PGCDGCNN(batches.table.shape[1], 2, 19).eval()
    expected = oracle.outputs(oracle.in_double(network), dataset)
    result = network(batches(np.arange(20))).double()
    torch.testing.assert_close(result, expected, rtol=1e-4, atol=1e-6)


def test_ties_by_the_nodes_make_every_graph_list_all_of_its_nodes() -> None:
    """A star with three leaves has two different rows, but four nodes."""
    star = gr.from_edges([[(0, 1), (0, 2), (0, 3)]])
    for ties, multiplicity in (("all", [1, 3]), ("last", [1, 1, 1, 1])):
        network = PGCDGCNN(1, 2, 10, channels=(4, 1), ties=ties)
        levels = network.view(star, np.zeros(4, dtype=np.int64))
        assert levels.multiplicity.tolist() == multiplicity
        assert levels.graph_ptr.tolist() == [0, len(multiplicity)]
