from dataclasses import replace

import numpy as np
import pytest
import torch

import graphrings as gr
from graphrings.fused.lane import lane
from graphrings.networks.pgc_dgcnn_released import PGCDGCNNReleased
from networks import oracle
from networks.sharing import batch_of


def outputs_of(edges: list, labels: list, seed: int = 0) -> torch.Tensor:
    """Of one graph, under weights that the seed decides."""
    dataset = gr.from_edges([edges], n_nodes=[len(labels)], node_labels=[labels])
    batch = oracle.batcher(PGCDGCNNReleased, dataset, 2, 2)(np.array([0]))
    network = PGCDGCNNReleased(batch.features.shape[1], 2, 10, channels=(4, 1))
    return oracle.randomised(network, seed)(batch).detach()


def test_parameters_are_shared_by_three_streams() -> None:
    """7 labels, 2 classes, k = 19: one matrix per layer, but rows three times as wide."""
    convs = (7 + 1) * 32 + 2 * (32 + 1) * 32 + (32 + 1) * 1
    row = 3 * (3 * 32 + 1)
    head = (row + 1) * 16 + (5 * 16 + 1) * 32 + (5 * 32 + 1) * 128 + (128 + 1) * 2
    result = sum(parameter.numel() for parameter in PGCDGCNNReleased(7, 2, 19).parameters())
    assert result == convs + head == 30_531


def test_only_the_last_column_is_compared() -> None:
    assert PGCDGCNNReleased(7, 2, 19).head.sort.ties == "last"


def test_neighbours_in_a_triangle_count_at_distance_two() -> None:
    """A triangle has no pair at distance 2, but every node has two ends of two steps."""
    triangle = gr.from_edges([[(0, 1), (1, 2), (0, 2)]], node_labels=[[0, 0, 0]])
    rings = oracle.batcher(PGCDGCNNReleased, triangle, 1, 2).levels.rows[0]
    totals = np.add.reduceat(rings.weights, rings.indptr[:-1])
    assert totals.tolist() == [3, 3, 3]  # closed neighbourhood, 1-hop and 2-hop degree


def test_the_two_hop_stream_divides_the_neighbours_by_the_nodes_two_hops_away() -> None:
    """Leaves of a star with three leaves: two neighbours of the centre, one of their own."""
    star = gr.from_edges([[(0, 1), (0, 2), (0, 3)]], node_labels=[[0, 1, 1, 1]])
    rings = oracle.batcher(PGCDGCNNReleased, star, 1, 2).levels.rows[0]
    totals = np.add.reduceat(rings.weights, rings.indptr[:-1]).reshape(-1, 3)
    assert sorted(totals[:, 0] / totals[:, 2]) == pytest.approx([2 / 3, 4])


def test_nodes_with_equal_labels_share_a_row_of_features() -> None:
    """Their 2-hop degrees, which tell them apart, are no features: 0-hop rows stay one each."""
    path = gr.from_edges([[(0, 1), (1, 2), (2, 3), (3, 4)]], node_labels=[[0, 0, 0, 0, 0]])
    levels = oracle.batcher(PGCDGCNNReleased, path, 1, 2).levels
    assert levels.n_colours == (1, 3)  # an end, who stands next to one, and the middle


def test_an_isolated_node_sees_itself_in_every_stream() -> None:
    """Both degrees are 1, so that the three streams of its row are equal."""
    alone = gr.from_edges([[], [(0, 1)]], n_nodes=[1, 2], node_labels=[[0], [0, 1]])
    batch = oracle.batcher(PGCDGCNNReleased, alone, 2, 2)(np.array([0]))
    network = oracle.randomised(PGCDGCNNReleased(2, 2, 10, channels=(3, 2)), 0)
    with lane(fused=False):
        seen: list[torch.Tensor] = []
        network.head.register_forward_pre_hook(lambda _, given: seen.extend(given[0]))
        network(batch)
    for layer in seen:
        one, two, none = layer.chunk(3, dim=1)
        assert torch.equal(one, two)
        assert torch.equal(one, none)


def test_what_stands_two_hops_away_does_not_reach_one_layer() -> None:
    """Labels of the far ends of a path are swapped; the middle's row of layer one stays."""
    path = [(0, 1), (1, 2), (2, 3), (3, 4)]
    one, other = [0, 1, 1, 1, 2], [2, 1, 1, 1, 0]
    rows = []
    for labels in (one, other):
        dataset = gr.from_edges([path], node_labels=[labels])
        network = oracle.in_double(oracle.randomised(PGCDGCNNReleased(3, 2, 10), 0))
        rows.append(oracle.released_layers(network, dataset, torch.eye(3).double()[labels])[0][2])
    assert torch.equal(*rows)


def test_mutag_has_the_outputs_of_the_dense_network() -> None:
    dataset = gr.load("MUTAG")[:20]
    batches = oracle.batcher(PGCDGCNNReleased, dataset, 4, 2)
    network = oracle.randomised(PGCDGCNNReleased(batches.table.shape[1], 2, 19), 0)
    expected = oracle.outputs(oracle.in_double(network), dataset)
    result = network(batches(np.arange(20))).double()
    torch.testing.assert_close(result, expected, rtol=1e-3, atol=1e-4)


def test_a_batch_does_not_decide_ties() -> None:
    """Nodes with one label tie on the key; alone or among others, they stand alike."""
    dataset = gr.load("MUTAG")[:40]
    batches = oracle.batcher(PGCDGCNNReleased, dataset, 4, 2)
    network = oracle.randomised(PGCDGCNNReleased(batches.table.shape[1], 2, 19), 0)
    together = network(batches(np.arange(40)))
    alone = torch.cat([network(batches(np.array([i]))) for i in range(40)])
    torch.testing.assert_close(alone, together, rtol=1e-4, atol=1e-5)


def test_attached_leaves_change_the_outputs() -> None:
    assert not torch.equal(outputs_of([(0, 1)], [0, 0]), outputs_of([(0, 1), (1, 2)], [0, 0, 0]))


def test_tied_nodes_stand_in_their_own_order_as_with_one_row_per_node() -> None:
    """Labels decide the key, so that most nodes of a graph tie; shared rows must not move them."""
    dataset = gr.load("MUTAG")[:40]
    view = PGCDGCNNReleased(7, 2, 19).view
    shared, single = (batch_of(view, dataset, "label", shared) for shared in (True, False))
    assert len(shared.features) < len(single.features) == dataset.n_nodes
    network = oracle.randomised(PGCDGCNNReleased(shared.features.shape[1], 2, 19), 0)
    ours, theirs = (  # keys tie in single precision
        network(replace(batch, features=batch.features.float())) for batch in (shared, single)
    )
    torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-5)
