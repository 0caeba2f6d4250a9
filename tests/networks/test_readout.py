import torch
from torch.testing import assert_close

import graphrings as gr
from graphrings.networks.readout import pooled
from graphrings.networks.views import RingTotals
from networks.sharing import batch_of

EDGES = [[(0, 1), (1, 2)], [(0, 1), (0, 2), (0, 3)], []]


def test_every_node_of_a_graph_counts_in_every_layer() -> None:
    """A path, a star and a lonely node; the layers are sums over rings 0 and 1."""
    dataset = gr.from_edges(EDGES, n_nodes=[3, 4, 1])
    batch = batch_of(RingTotals(2, 1), dataset, "constant")
    layers = [torch.ones(len(counts), 1).double() for counts in batch.counts()]
    assert [part[:, 0].tolist() for part in pooled(layers, batch, "sum")] == [[3, 4, 1]] * 3
    for part in pooled(layers, batch, "mean"):
        assert_close(part[:, 0], torch.ones(3).double())


def test_rows_of_an_earlier_layer_are_found_through_their_parents() -> None:
    dataset = gr.from_edges(EDGES, n_nodes=[3, 4, 1])
    one, other = (batch_of(RingTotals(2, 1), dataset, "degree", shared) for shared in (True, False))
    for outputs, expected in zip(
        pooled([one.features, one.features[one.parents[0]]], _top(one, 1), "sum"),
        pooled([other.features, other.features[other.parents[0]]], _top(other, 1), "sum"),
        strict=True,
    ):
        assert_close(outputs, expected)


def test_counts_of_all_levels_are_those_of_nodes() -> None:
    dataset = gr.from_edges(EDGES, n_nodes=[3, 4, 1])
    batch = batch_of(RingTotals(2, 1), dataset, "constant")
    assert [sorted(counts.tolist()) for counts in batch.counts()] == [
        [8],  # a constant
        [1, 1, 1, 5],  # no neighbour, two, three, one
        [1, 1, 1, 2, 3],  # whose neighbour has two or three
    ]


def _top(batch, level):  # type: ignore[no-untyped-def]
    """The batch as if it ended at an earlier level."""
    from dataclasses import replace

    members = batch.members
    for parents in batch.parents[: level - 1 : -1]:
        members = parents[members]
    return replace(batch, members=members, parents=batch.parents[:level], rows=batch.rows[:level])
