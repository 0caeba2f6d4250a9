import numpy as np
import pytest
import torch
from torch.testing import assert_close

import graphrings as gr
from dense import adjacency, mean_over
from graphrings.graphs.features import fit_features
from graphrings.networks.pgc_dgcnn import PGCDGCNN
from graphrings.networks.views import WalkMeans
from graphrings.networks.walk_dgcnn import WalkDGCNN
from networks import oracle
from networks.sharing import assert_sharing_changes_nothing, batch_of


@pytest.mark.parametrize("radius", [0, 2, 3])
def test_it_has_the_outputs_of_dense_matrix_powers(radius: int) -> None:
    dataset = gr.load("MUTAG")[:20]
    start, table = fit_features(dataset, "label").apply(dataset)
    torch.manual_seed(0)
    network = WalkDGCNN(table.shape[1], 2, 19, radius=radius, channels=(8, 8, 1)).double().eval()
    walks = [np.linalg.matrix_power(adjacency(dataset), j) for j in range(radius + 1)]
    h, layers = torch.from_numpy(table[start]).double(), []
    for conv in network.convs:
        blocks = zip(map(mean_over, walks), conv.filters(h).chunk(radius + 1, dim=1), strict=True)
        h = torch.tanh(torch.cat([mean @ block for mean, block in blocks], dim=1))
        layers.append(h)
    expected = oracle.head(network.head, torch.cat(layers, dim=1), dataset)
    outputs = network(batch_of(network.view, dataset, "label"))
    assert_close(outputs, expected, rtol=1e-5, atol=1e-6)


def test_up_to_radius_one_walks_are_rings() -> None:
    dataset = gr.load("MUTAG")[:5]
    torch.manual_seed(0)
    walks = WalkDGCNN(1, 2, 10, radius=1, channels=(4, 1)).double().eval()
    rings = PGCDGCNN(1, 2, 10, radius=1, channels=(4, 1)).double().eval()
    rings.load_state_dict(walks.state_dict())
    outputs, expected = (
        network(batch_of(network.view, dataset, "constant")) for network in (walks, rings)
    )
    assert_close(outputs, expected)


def test_a_walk_of_two_steps_comes_back() -> None:
    """On a path of three, from the middle both end in the middle: twice the same row."""
    path = gr.from_edges([[(0, 1), (1, 2)]])
    outputs = WalkMeans(1, 2)(path, np.array([0, 1, 2]))
    middle = outputs.colours[1][1] * 3 + 2
    members = slice(*outputs.rows[0].indptr[middle : middle + 2])
    assert outputs.rows[0].indices[members].tolist() == [1]
    assert outputs.rows[0].counts[members].tolist() == [2]


@pytest.mark.parametrize("radius", [1, 2, 3])
def test_shared_rows_change_nothing(radius: int) -> None:
    dataset = gr.load("MUTAG")[:20]
    width = fit_features(dataset, "label").width
    torch.manual_seed(0)
    network = WalkDGCNN(width, 2, 12, radius=radius, channels=(4, 4, 1)).eval()
    assert_sharing_changes_nothing(network, dataset, "label")


def test_it_has_the_parameters_of_pgc_dgcnn() -> None:
    ours, theirs = WalkDGCNN(7, 2, 19, radius=3), PGCDGCNN(7, 2, 19, radius=3)
    shapes, expected = ([p.shape for p in network.parameters()] for network in (ours, theirs))
    assert shapes == expected
