from dataclasses import replace

import numpy as np
import pytest
import torch

import graphrings as gr
from graphrings.errors import LayerError
from graphrings.networks.batches import Batcher
from graphrings.networks.dgcnn import DGCNN
from graphrings.networks.pgc_dgcnn import PGCDGCNN
from networks import oracle


@pytest.fixture
def path_and_star() -> gr.Dataset:
    """The path a - b - a, and a star whose centre b has three leaves a."""
    return gr.from_edges(
        [[(0, 1), (1, 2)], [(0, 1), (0, 2), (0, 3)]], node_labels=[["a", "b", "a"], ["b", *"aaa"]]
    )


@pytest.fixture
def batches(path_and_star: gr.Dataset) -> Batcher:
    return oracle.batcher(PGCDGCNN, path_and_star, 1, 1)


def test_rows_are_shared_by_graphs(batches: Batcher) -> None:
    """Before the layer there are a and b; after it a, b with two and b with three neighbours."""
    batch = batches(np.array([0, 1]))
    assert len(batch.features) == 2
    assert batch.rows[0].n_rows == 3
    assert batch.graph_ptr.tolist() == [0, 2, 4]
    assert batch.multiplicity.tolist() == [2, 1, 1, 3]


def test_a_batch_holds_only_what_its_graphs_show(batches: Batcher) -> None:
    batch = batches(np.array([0]))
    assert batch.rows[0].n_rows == 2
    assert batch.multiplicity.tolist() == [2, 1]


def test_a_graph_may_come_twice(batches: Batcher) -> None:
    batch = batches(np.array([1, 1]))
    assert batch.members.tolist()[:2] == batch.members.tolist()[2:]
    assert batch.graph_ptr.tolist() == [0, 2, 4]


def test_batches_do_not_remember_each_other(batches: Batcher) -> None:
    first = batches(np.array([0, 1]))
    batches(np.array([1]))
    again = batches(np.array([0, 1]))
    assert torch.equal(first.features, again.features)
    assert np.array_equal(first.rows[0].indices, again.rows[0].indices)
    assert np.array_equal(first.members, again.members)


def test_rows_of_the_last_level_lead_back_to_the_first(path_and_star: gr.Dataset) -> None:
    batch = oracle.batcher(PGCDGCNN, path_and_star, 3, 1)(np.array([0, 1]))
    expected = [batch.parents[0][batch.parents[1][row]] for row in batch.parents[2]]
    assert batch.first_rows().tolist() == expected


@pytest.mark.parametrize("kind", [PGCDGCNN, DGCNN])
def test_parents_are_the_same_nodes_a_layer_before(kind: type) -> None:
    dataset = gr.load("MUTAG")[:5]
    batcher = oracle.batcher(kind, dataset, 3, 1)
    batch, levels = batcher(np.arange(5)), batcher.levels
    first = np.unique(levels.colours[-1], return_index=True)[1]  # a node of every last colour
    rows = batch.members
    for level, parents in ((2, batch.parents[2]), (1, batch.parents[1]), (0, batch.parents[0])):
        rows = parents[rows]
        pairs = set(zip(rows.tolist(), levels.colours[level][first[levels.top]], strict=True))
        assert len(pairs) == len(set(rows)) == levels.n_colours[level]


@pytest.mark.parametrize("members", [None, 1.5, np.zeros((2, 2)), [0.5, 1.5], np.array([0, 9, 0])])
def test_members_that_lead_to_no_row_are_refused(batches: Batcher, members: object) -> None:
    batch = batches(np.array([0]))
    assert replace(batch, members=batch.members.copy()).members.tolist() == batch.members.tolist()
    with pytest.raises(LayerError):
        replace(batch, members=members)
